// vic train and eval beyond one run: replacing it, from its weights, with its settings, in another
// world.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/json.h"
#include "support/program_run.h"
#include "support/run_fixture.h"
#include "support/signal_run.h"

namespace vic {
namespace {

class GoesOn : public testing::Test {
 protected:
  GoesOn()
      : folder_(std::string("goes-on-") +
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    const Result result = run(train(run_));
    EXPECT_EQ(result.code, exit_done) << result.err;
  }

  static std::vector<std::string> train(const std::string& out,
                                        const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {
        "train", "line-noisy",     "--out", out, "--updates", "30", "--set", "train.warm_up=2e1",
        "--set", "train.hidden=16"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  static Json evaluated(const std::vector<std::string>& args) {
    const Result result = run(args);
    EXPECT_EQ(result.code, exit_done) << result.err;
    return result.code == exit_done ? Json::parse(result.out) : Json();
  }
  static std::string fault(const std::vector<std::string>& args) {
    const Result result = run(args);
    EXPECT_EQ(result.code, exit_usage) << result.out;
    return result.err;
  }

  FixtureFolder folder_;
  std::string run_ = folder_ / "run";
};

TEST_F(GoesOn, ForceReplacesARun) {
  const std::string first = read_file(run_ + "/metrics.jsonl");
  write_file(run_ + "/notes.txt", "mine");
  EXPECT_NE(fault(train(run_, {"--seed", "2"})).find("--force"), std::string::npos);
  EXPECT_EQ(read_file(run_ + "/metrics.jsonl"), first);
  const Result again = run(train(run_, {"--seed", "2", "--force"}));
  ASSERT_EQ(again.code, exit_done) << again.err;
  EXPECT_NE(read_file(run_ + "/metrics.jsonl"), first);
  // files that are not the run's stay
  EXPECT_EQ(read_file(run_ + "/notes.txt"), "mine");
  // and the result is that of a new folder
  ASSERT_EQ(run(train(folder_ / "new", {"--seed", "2"})).code, exit_done);
  EXPECT_EQ(read_file(folder_ / "new/evaluation.json"), read_file(run_ + "/evaluation.json"));
}

TEST_F(GoesOn, FromTheWeightsOfARunInANewFolder) {
  const std::string before = read_file(run_ + "/checkpoint.safetensors");
  const Json old = evaluated({"eval", run_, "--json"});
  const Json more = evaluated({"train", "--from", run_, "--updates", "400", "--json"});
  EXPECT_EQ(read_file(run_ + "/checkpoint.safetensors"), before);
  EXPECT_EQ(more["updates"].get<long>(), 400);  // no warm-up
  EXPECT_GT(more["H"].get<double>(), old["H"].get<double>() + 0.01);
  const std::string settings = read_file(run_ + "-more/settings.toml");
  EXPECT_NE(settings.find("from = \"" + old["run_id"].get<std::string>() + "@50\""),
            std::string::npos)
      << settings;
  EXPECT_NE(settings.find("hidden = 16"), std::string::npos);
  // it begins where the other ended, except for one update
  const Json one =
      evaluated({"train", "--from", run_, "--updates", "1", "--out", folder_ / "one", "--json"});
  EXPECT_NEAR(one["H"].get<double>(), old["H"].get<double>(), 0.02);
}

TEST_F(GoesOn, FromARunAndInterruptedEndsInTheSameBytes) {
  const std::vector<std::string> args = {"train", "--from", run_, "--updates", "40", "--out"};
  auto whole = args, stopped = args;
  whole.push_back(folder_ / "whole");
  stopped.push_back(folder_ / "stopped");
  ASSERT_EQ(run(whole).code, exit_done);
  ASSERT_EQ(run_until(" left", stopped, {SIGINT}).code, 130);
  ASSERT_EQ(run({"train", "--resume", folder_ / "stopped"}).code, exit_done);
  for (const char* name : {"/metrics.jsonl", "/evaluation.json", "/checkpoint.safetensors"}) {
    EXPECT_EQ(read_file((folder_ / "stopped") + name), read_file((folder_ / "whole") + name));
  }
  // without the weights it would be another run
  for (const char* name : {"/checkpoint.safetensors", "/checkpoint.previous.safetensors"}) {
    std::filesystem::remove((folder_ / "stopped") + name);
  }
  EXPECT_NE(fault({"train", "--resume", folder_ / "stopped"}).find("has lost its checkpoints"),
            std::string::npos);
}

TEST_F(GoesOn, WithTheSettingsOfARunAndItsWorld) {
  ASSERT_EQ(run({"train", "--settings", run_ + "/settings.toml", "--out", folder_ / "same"}).code,
            exit_done);
  EXPECT_EQ(read_file(folder_ / "same/evaluation.json"), read_file(run_ + "/evaluation.json"));
  // in another world, settings of world.* are left out, with a warning
  const Result tree = run({"train", "tree", "--settings", run_ + "/settings.toml", "--out",
                           folder_ / "tree", "--set", "world.noise=0.1"});
  EXPECT_EQ(tree.code, exit_done) << tree.err;
  EXPECT_NE(tree.err.find("has settings of line-noisy; its world.* are left out in tree."),
            std::string::npos)
      << tree.err;
  EXPECT_NE(read_file(folder_ / "tree/settings.toml").find("noise = 0.1"), std::string::npos);
}

TEST_F(GoesOn, EvaluationInAChangedWorld) {
  const double H = evaluated({"eval", run_, "--json"})["H"].get<double>();
  const Json still = evaluated({"eval", run_, "--json", "--set", "world.noise=0"});
  EXPECT_NE(still["H"].get<double>(), H);
  EXPECT_EQ(still["N"].get<double>(), 0);
  EXPECT_EQ(evaluated({"eval", run_, "--json", "--world", "line"})["H"], still["H"]);
  EXPECT_EQ(evaluated({"eval", run_, "--json"})["H"].get<double>(), H);
  EXPECT_NE(fault({"eval", run_, "--world", "grid"}).find("does not fit these settings"),
            std::string::npos);
  EXPECT_NE(fault({"eval", run_, "--set", "train.batch=3"}).find("takes eval.* and world.*"),
            std::string::npos);
}

TEST_F(GoesOn, EvaluationSettingsOfTrainingAreKept) {
  const std::string out = folder_ / "sampled";
  const Json json = evaluated(train(out, {"--set", "eval.histories=1", "--set", "eval.options=200",
                                          "--set", "eval.bound_updates=0", "--json"}));
  EXPECT_FALSE(json["exact"].get<bool>());
  EXPECT_EQ(evaluated({"eval", out, "--json"}), json);
  EXPECT_TRUE(
      evaluated({"eval", out, "--json", "--set", "eval.histories=300000"})["exact"].get<bool>());
  // a run without them has none in its settings
  EXPECT_EQ(read_file(run_ + "/settings.toml").find("[eval]"), std::string::npos);
}

TEST_F(GoesOn, FolderOfRunsIsNotARun) {
  EXPECT_EQ(fault({"eval", folder_.path()}),
            "vic: '" + folder_.path() + "' holds 1 run; name one, as " + run_ + ".\n");
  std::filesystem::rename(run_, folder_ / "a run");
  EXPECT_NE(fault({"eval", folder_.path()}).find("name one, as '" + (folder_ / "a run") + "'."),
            std::string::npos);
}

}  // namespace
}  // namespace vic
