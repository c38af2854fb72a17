#include "base/spawn.h"

#include <gtest/gtest.h>

namespace vic {
namespace {

TEST(Spawn, ReadsWhatAProgramWrites) {
  const auto found =
      run_and_read({"sh", "-c", "cat; echo \"$1\"; echo no >&2; exit 7", "sh", "a b"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->code, 7);
  EXPECT_EQ(found->out, "a b\n");
  EXPECT_EQ(found->err, "no\n");
}

TEST(Spawn, TellsAProgramThatIsMissingFromOneThatWasKilled) {
  EXPECT_FALSE(run_and_read({"no-program-of-this-name"}));
  EXPECT_FALSE(run_and_read({"/no/such/program"}));
  EXPECT_EQ(run_and_read({"sh", "-c", "kill -KILL $$"})->code, 137);
  EXPECT_THROW(run_and_read({"/"}), Error);
}

}  // namespace
}  // namespace vic
