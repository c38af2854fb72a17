// vic bench --against: two programs, alternately.
#include <gtest/gtest.h>

#include "base/error.h"
#include "bench/against.h"
#include "support/program_run.h"

namespace vic {
namespace {

constexpr const char* shell = "/bin/sh";

TEST(Bench, TimesTwoProgramsInTurn) {
  // each run has a new folder
  const AgainstCase c{.answer = "a folder",
                      .arguments = {"-c", "test ! -e \"$0\" && mkdir \"$0\"", "{}"}};
  std::vector<std::string> shown;
  const AgainstRow row =
      measure_against(c, shell, shell, 3, [&](const std::string& text) { shown.push_back(text); });
  EXPECT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown.back(), "a folder round 3");
  EXPECT_GT(row.ours.wall, 0);
  EXPECT_GT(row.theirs.wall, 0);
  EXPECT_GT(row.ratio.wall, 0);
}

TEST(Bench, NamesAProgramThatFails) {
  const AgainstCase c{.answer = "nothing", .arguments = {"-c", "exit 3"}};
  try {
    measure_against(c, shell, shell, 1, [](const std::string&) {});
    FAIL() << "it exits with 3";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/bin/sh -c exit 3 failed; run it by itself to see why.");
  }
}

TEST(Bench, RefusesWhatIsNotAProgram) {
  for (const char* path : {"/no/such/program", "/", "/etc/passwd"}) {
    const Result result = run({"bench", "--against", path});
    EXPECT_EQ(result.code, exit_usage);
    EXPECT_NE(result.err.find("is not a program that can be run; name the vic of another build."),
              std::string::npos);
  }
}

TEST(Bench, RefusesAPythonThatIsNotThere) {
  const Result result = run({"bench", "--jax", "/no/such/python"});
  EXPECT_EQ(result.code, exit_usage);
  EXPECT_NE(result.err.find("/no/such/python is not a program; name a Python that has jax"),
            std::string::npos);
}

}  // namespace
}  // namespace vic
