// A second simulator, support/point_mass.cpp, goes through everything that MuJoCo's worlds go
// through: it trains, is evaluated, reaches cells, and is filmed and reported by code that does not
// mention it.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/json.h"
#include "eval/simulator_reach.h"
#include "report/page/page.h"
#include "run/training.h"
#include "support/count.h"
#include "support/program_run.h"

namespace vic {
namespace {

Overrides small(const std::string& algorithm, std::vector<Assignment> more = {}) {
  std::vector<Assignment> list = {
      {"run.world", "point-mass", "test"},    {"run.survey_every", "20", "test"},
      {"run.survey_options", "1024", "test"}, {"train.algorithm", algorithm, "test"},
      {"train.batch", "32", "test"},          {"train.hidden", "16", "test"},
      {"train.warm_up", "5", "test"},         {"train.learning_rate", "5e-3", "test"},
      {"train.updates", "40", "test"}};
  list.insert(list.end(), more.begin(), more.end());
  return Overrides(list);
}

class PointMass : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // trains in a folder and returns it
  std::string train_in(const std::string& name, const std::string& algorithm,
                       std::vector<Assignment> more = {}) {
    Training training =
        begin_training(make_run(small(algorithm, std::move(more))), folder_ + "/" + name);
    EXPECT_TRUE(train(training, find_reference(training.run.world), {}));
    return training.folder;
  }

  Json json_in(const std::string& path) { return Json::parse(read_file(path)); }

  std::string folder_ =
      testing::TempDir() + "vic_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(PointMass, TrainsAndIsEvaluated) {
  for (const char* algorithm :
       {"marginal", "implicit", "mixture", "open-loop", "explicit", "diayn", "random"}) {
    const std::string run = train_in(algorithm, algorithm);
    const Json evaluation = json_in(run + "/evaluation.json");
    EXPECT_EQ(evaluation["kind"], "simulated");
    EXPECT_EQ(evaluation["options"], 1024);
    EXPECT_GT(evaluation["cells"].get<int>(), 10);
    EXPECT_GT(evaluation["x_spread"].get<double>(), 0.1);
    EXPECT_LT(evaluation["y_min"].get<double>(), evaluation["y_max"].get<double>());
    EXPECT_FALSE(evaluation.contains("backflips"));
    EXPECT_FALSE(evaluation.contains("height_max"));
    EXPECT_TRUE(evaluation["cell_list"][0].contains("x_cell"));
    EXPECT_EQ(json_in(run + "/truth.json")["actuators"], 2);
    // there is no file to copy: it is part of the program
    EXPECT_FALSE(std::filesystem::exists(run + "/world.xml"));
    const vic::Run again = load_run(run, no_warning);
    EXPECT_EQ(world_name(again.world), "point-mass");
    EXPECT_EQ(evaluate(*again.learner, {}).H, evaluation["H"].get<double>());
  }
}

TEST_F(PointMass, MarginalCoversMoreThanChance) {
  const std::string run = train_in(
      "marginal", "marginal", {{"train.updates", "40", "test"}, {"train.batch", "128", "test"}});
  const Json evaluation = json_in(run + "/evaluation.json");
  EXPECT_GT(evaluation["H"].get<double>(), evaluation["random_H"].get<double>() + 0.2);
}

TEST_F(PointMass, SkillsByCountsCanBeSent) {
  const std::string run = train_in("skills", "counted-skills",
                                   {{"train.skills", "8", "test"},
                                    {"train.updates", "80", "test"},
                                    {"train.batch", "256", "test"},
                                    {"train.lambda", "0.3", "test"}});
  const Json evaluation = json_in(run + "/evaluation.json");
  EXPECT_GT(evaluation["reach"]["low"].get<double>(),
            2 * evaluation["reach"]["chance"].get<double>());
}

class PointMassOf : public PointMass, public testing::WithParamInterface<const char*> {};

TEST_P(PointMassOf, GoesOnToTheSameBytesOnAnyNumberOfThreads) {
  const char* algorithm = GetParam();
  const std::string whole = train_in("whole", algorithm), parts = folder_ + "/parts";
  struct Crash {};
  const std::vector<Assignment> more = {{"run.checkpoint_every", "7", "test"}};
  {
    Training training = begin_training(make_run(small(algorithm, more)), parts);
    const auto end = [](const Learner& learner) {
      if (learner.state().update == 25) throw Crash();
    };
    EXPECT_THROW(train(training, find_reference(training.run.world), {.progress = end}), Crash);
  }
  Training training = resume_training(parts);
  EXPECT_EQ(training.run.learner->state().update, 21);
  EXPECT_TRUE(train(training, find_reference(training.run.world), {}));
  const std::string threads = train_in("threads", algorithm, {{"train.threads", "2", "test"}});
  for (const char* name : {"/metrics.jsonl", "/behaviours.jsonl", "/films.json"}) {
    EXPECT_EQ(read_file(whole + name), read_file(parts + name)) << name;
    EXPECT_EQ(read_file(whole + name), read_file(threads + name)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, PointMassOf, testing::Values("implicit", "counted-skills"));

TEST_F(PointMass, ReachesCellsAndPoints) {
  const vic::Run run = make_run(small("implicit"));
  const SimulatorSpec& spec = simulator_in(run.world)->spec();
  for (int u = 0; u < 60; ++u) run.learner->update();
  const ReachSettings settings{.simulated_options = 32, .fine_tune = 20, .fine_tune_rate = 5e-3};
  const Unconditioned unconditioned = sample_unconditioned(run.learner->agent(), settings);
  fine_tune(*run.learner, unconditioned, settings);
  const CellReach cells = reach_cells(run.learner->agent(), unconditioned, settings);
  ASSERT_GE(cells.goals.size(), 10U);
  double chance = 0;
  for (const CellReach::Goal& goal : cells.goals) chance += goal.chance;
  EXPECT_NEAR(chance, 1, 1e-9);
  EXPECT_GT(cells.mean(), 1.5 / static_cast<double>(cells.goals.size()));
  const PointGoal goal = parse_point_goal(spec, "y=-0.5");
  EXPECT_EQ(goal, (PointGoal{std::nullopt, -0.5}));
  const PointReach reach = reach_point(run.learner->agent(), unconditioned, goal, settings);
  EXPECT_TRUE(is_close(spec, goal, unconditioned.ends[reach.closest]));
  EXPECT_EQ(reach.conditioned->ends.size(), 32U);
  EXPECT_EQ(reach.error[0], 0);
  EXPECT_THROW(parse_point_goal(spec, "distance=3"), UsageError);
}

TEST_F(PointMass, IsFilmedAndReported) {
  const std::string marginal = train_in("marginal", "marginal");
  train_in("implicit", "implicit");
  const Json films = json_in(marginal + "/films.json");
  EXPECT_EQ(films["parts"].size(), 1U);
  EXPECT_EQ(films["ground"], false);
  const ReportData data = read_report({folder_});
  ASSERT_EQ(data.worlds.size(), 1U);
  EXPECT_TRUE(data.worlds[0].simulated);
  // without ground the lowest disc of all touches z = 0
  double lowest = 1;
  for (const FilmedOption& option : data.worlds[0].series[0].runs[0].films->options) {
    for (const auto& pose : option.poses) lowest = std::min(lowest, pose[0].z1 - pose[0].r);
  }
  EXPECT_NEAR(lowest, 0, 1e-12);
  const std::string page = page_html(data, {});
  for (const char* part : {"<h2>point-mass</h2>", "0.5 m × 0.5 m", "Options on film",
                           "moves along +x", "x to the right, y upwards"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  for (const char* absent : {"flip", "nan", "{{"}) {
    const std::size_t begin = page.find("<h2>point-mass</h2>");
    const std::string section = page.substr(begin, page.find("</section>", begin) - begin);
    EXPECT_EQ(section.find(absent), std::string::npos) << absent;
  }
  const Json table = Json::parse(table_json(data));
  EXPECT_TRUE(table["worlds"][0]["series"][0]["backflips"].is_null());
  EXPECT_GT(table["worlds"][0]["series"][0]["spread"]["mean"].get<double>(), 0.1);
  const std::string text = terminal_table(data, Ink::plain);
  EXPECT_EQ(text.substr(0, text.find("means over seeds")).find("flip"), std::string::npos);
  EXPECT_EQ(write_svgs(folder_ + "/figures", data).size(), 4U);
}

// every command accepts its name
TEST_F(PointMass, IsAWorldLikeAnyOther) {
  const std::string made = folder_ + "/run";
  const auto expect = [&](std::vector<std::string> args, const std::string& part) {
    const Result result = run(args);
    EXPECT_EQ(result.code, exit_done) << args[0] << ": " << result.err;
    EXPECT_NE(result.out.find(part), std::string::npos) << args[0] << ": " << result.out;
  };
  expect({"worlds"}, "point-mass");
  expect({"worlds", "point-mass"}, "world.push");
  expect({"worlds", "point-mass", "--json"}, "push y");
  expect({"worlds", "point-mass", "--play", "--set", "world.T=5"}, "x m");
  expect({"worlds", "point-mass", "--options", "50"}, "0.5 m x 0.5 m");
  expect({"train", "point-mass", "--algorithm", "implicit", "--updates", "10", "--out", made,
          "--set", "train.batch=16", "--set", "train.warm_up=2", "--set", "train.hidden=8"},
         "random actions: H");
  expect({"eval", made}, "by chance");
  expect({"reach", made, "--goal", "x=0.5", "--svg", folder_ + "/x.svg"}, "to +0.50 m");
  expect({"reach", made, "--all", "--set", "reach.simulated_options=4"}, "tenths of success");
  expect({"film", made}, "films.svg");
  expect({"report", made}, "point-mass");
  expect({"report", made, "-o", folder_ + "/page.html"}, "page.html");
  EXPECT_GT(count(read_file(folder_ + "/x.svg"), "class=\"limb"), 10U);
  EXPECT_EQ(read_file(made + "/films/films.svg").find("turns"), std::string::npos);
  const Result wrong = run({"exact", "point-mass"});
  EXPECT_EQ(wrong.code, exit_usage);
  EXPECT_NE(wrong.err.find("sequences, and 100000 can be enumerated"), std::string::npos);
}

}  // namespace
}  // namespace vic
