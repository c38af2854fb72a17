// A run that does not learn warns of it: during training, in its evaluation, in the terminal and on
// the page.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/json.h"
#include "support/program_run.h"

namespace vic {
namespace {

TEST(Alarms, OfMixturesThatDoNotFitAreSaidEverywhere) {
  const std::string folder = testing::TempDir() + "vic_alarms", page = folder + "/page.html";
  std::filesystem::remove_all(folder);
  // widths of a sixteenth of a step: the mixtures cannot see rare steps
  const Result trained =
      run({"train", std::string(VIC_SOURCE_DIR) + "/examples/ferry.toml", "--algorithm", "mixture",
           "--out", folder + "/run", "--set", "train.sigma=0.0625", "--set", "train.warm_up=500",
           "--updates", "1000"});
  ASSERT_EQ(trained.code, exit_done) << trained.err;
  const std::string explained = " nats, and no information about 4 states exceeds 1.39: ";
  // once during training, and once at the end
  std::size_t said = 0;
  for (std::size_t at = 0; (at = trained.err.find(explained, at)) != std::string::npos; ++at)
    ++said;
  EXPECT_EQ(said, 2U) << trained.err;
  // on its own line; lines of progress come before it if training takes long
  const std::size_t first = ("\n" + trained.err).find("\nvic: warning: After update ");
  EXPECT_LT(first, trained.err.find(explained)) << trained.err;
  const Json warnings = Json::parse(read_file(folder + "/run/evaluation.json"))["warnings"];
  ASSERT_GE(warnings.size(), 2U);
  EXPECT_NE(warnings[std::size_t{0}].get<std::string>().find(explained), std::string::npos);
  const Result eval = run({"eval", folder + "/run", "--json"});
  EXPECT_EQ(Json::parse(eval.out)["warnings"], warnings);
  EXPECT_NE(eval.err.find("vic: warning: The mean reward is "), std::string::npos);
  EXPECT_NE(run({"report", folder}).out.find("warning: mixture, seed 1: The mean reward is "),
            std::string::npos);
  ASSERT_EQ(run({"report", folder, "-o", page}).code, exit_done);
  EXPECT_NE(read_file(page).find("<strong>Warning.</strong> mixture, seed 1: The mean reward is "),
            std::string::npos);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace vic
