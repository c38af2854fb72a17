// vic eval: a stored evaluation is shown, and is computed again if anything differs.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/json.h"
#include "support/program_run.h"

namespace vic {
namespace {

class StoredEvaluation : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(run_);
    ASSERT_EQ(run({"train", "line-noisy", "--updates", "20", "--out", run_, "--set",
                   "train.warm_up=10", "--set", "train.hidden=8", "--set", "train.batch=16"})
                  .code,
              exit_done);
    true_ = read_file(path_);
  }
  void TearDown() override { std::filesystem::remove_all(run_); }

  // puts a number into the file that no evaluation would compute
  void forge(const char* key = "H", const Json& value = 123.25) const {
    Json json = Json::parse(true_);
    json[key] = value;
    write_file(path_, json.dump(2) + "\n");
  }

  Result eval(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"eval", run_, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  // the H that is shown, whether computed or not
  double H(const std::vector<std::string>& more) const {
    return Json::parse(eval(more).out)["H"].get<double>();
  }

  std::string run_ = testing::TempDir() + "vic_stored_" +
                     testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string path_ = run_ + "/evaluation.json";
  std::string true_;
};

TEST_F(StoredEvaluation, IsShownAndComputedOnDemandToTheSameBytes) {
  const Result stored = eval(), again = eval({"--again"});
  EXPECT_EQ(stored.out, true_);
  EXPECT_EQ(again.out, true_);
  EXPECT_NE(stored.err.find(path_ + " has this evaluation; --again computes it anew"),
            std::string::npos)
      << stored.err;
  EXPECT_EQ(again.err.find("evaluation.json"), std::string::npos) << again.err;
  // in text as well
  EXPECT_EQ(run({"eval", run_}).out, run({"eval", run_, "--again"}).out);
  // the file itself is shown
  forge();
  EXPECT_EQ(H({}), 123.25);
  EXPECT_NE(run({"eval", run_}).out.find("123.25"), std::string::npos);
  EXPECT_LT(H({"--again"}), 3);
}

TEST_F(StoredEvaluation, IsNotShownWhereAnythingDiffers) {
  forge();
  const std::vector<std::vector<std::string>> changes = {{"--set", "eval.seed=2"},
                                                         {"--set", "eval.options=200"},
                                                         {"--set", "world.noise=0.1"},
                                                         {"--world", "line"}};
  for (const auto& change : changes) EXPECT_LT(H(change), 3) << change[1];
  // from another run, another update, or other metrics
  for (const auto& [key, value] :
       {std::pair("run_id", Json("0000000000000000")), {"updates", 29}, {"metrics_crc32c", "0"}}) {
    Json json = Json::parse(true_);
    json["H"] = 123.25;
    json[key] = value;
    write_file(path_, json.dump(2) + "\n");
    const Result result = eval();
    EXPECT_LT(Json::parse(result.out)["H"].get<double>(), 3) << key;
    EXPECT_NE(result.err.find("evaluation.json"), std::string::npos) << "is said: " << key;
  }
  // without a mark, cut off, or gone
  Json unmarked = Json::parse(true_);
  unmarked["H"] = 123.25;
  unmarked.erase("run_id");
  for (const std::string& text : {unmarked.dump(), true_.substr(0, true_.size() / 2)}) {
    write_file(path_, text);
    EXPECT_LT(H({}), 3) << text.size();
  }
  std::filesystem::remove(path_);
  EXPECT_EQ(eval().out, true_);
  // from another build of the program
  forge();
  Json build = Json::parse(read_file(run_ + "/build.json"));
  build["commit"] = "0";
  write_file(run_ + "/build.json", build.dump(2));
  EXPECT_LT(H({}), 3);
}

TEST_F(StoredEvaluation, ThatIsDamagedIsNamed) {
  forge("H", "much");
  const Result damaged = run({"eval", run_});
  EXPECT_EQ(damaged.code, exit_usage);
  EXPECT_NE(damaged.err.find(path_ + " is damaged: its H is not a number"), std::string::npos)
      << damaged.err;
}

}  // namespace
}  // namespace vic
