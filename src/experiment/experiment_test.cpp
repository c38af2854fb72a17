#include "experiment/experiment.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"

namespace vic {
namespace {

constexpr const char* small = R"(
title = "A figure"

[[runs]]
worlds = ["line", "tree"]
algorithms = ["implicit", "marginal"]
seeds = 2
settings.train.updates = 30
settings.world.T_max = 4

[[runs]]
group = "line, far"
worlds = ["line"]
algorithms = ["implicit"]
seeds = 1

[[claims]]
text = "all is reached"
algorithms = ["implicit"]
measure = "H / H_max"
at_least = 0.9

[[claims]]
text = "every seed is near one"
groups = ["line"]
measure = "H"
at_least = 0.95
at_most = 1.05
over = "every"
)";

std::string error_of(const std::string& text) {
  try {
    read_experiment(text, "a.toml");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Experiment, IsWorldsTimesAlgorithmsTimesSeeds) {
  const Experiment experiment = read_experiment(small, "a.toml");
  ASSERT_EQ(experiment.runs.size(), 9);
  EXPECT_EQ(experiment.runs[0].name, "line-implicit-1");
  EXPECT_EQ(experiment.runs[7].name, "tree-marginal-2");
  EXPECT_EQ(experiment.runs[8].name, "line--far-implicit-1");
  EXPECT_EQ(experiment.runs[8].group, "line, far");
  std::string said;
  for (const Assignment& a : experiment.runs[7].assignments) said += a.key + "=" + a.value + " ";
  EXPECT_EQ(said,
            "train.updates=30 world.T_max=4 run.world=tree run.group=tree "
            "train.algorithm=marginal train.seed=2 ");
}

TEST(Experiment, OpensNoWorldOutsideOfItsFolder) {
  const auto world = [](const std::string& name) {
    const std::string text = "title = \"t\"\n[[runs]]\nworlds = [\"" + name +
                             "\"]\nalgorithms = [\"implicit\"]\nseeds = 1\n";
    const Experiment experiment = read_experiment(text, "some/a.toml");
    for (const Assignment& set : experiment.runs[0].assignments) {
      if (set.key == "run.world") return set.value;
    }
    return std::string();
  };
  EXPECT_EQ(world("line"), "line");
  EXPECT_EQ(world("maze.toml"), "some/maze.toml");
  EXPECT_EQ(world("below/../below/body.xml"), "some/below/body.xml");
  for (const char* name : {"/etc/passwd", "../maze.toml", "a/../../maze.toml", "/x.xml"}) {
    EXPECT_THROW(world(name), UsageError) << name;
  }
  EXPECT_EQ(error_of("title = \"t\"\n[[runs]]\nworlds = [\"half-cheetah\"]\nalgorithms = "
                     "[\"implicit\"]\nseeds = 1\nsettings.world.model = \"/x.xml\"\n"),
            "a.toml:6: /x.xml lies outside of the experiment's folder; put a copy beside it.");
  // a few kilobytes must not ask for billions of runs
  std::string lambdas = "0";
  for (int i = 0; i < 100; ++i) lambdas += ", 1";
  EXPECT_EQ(error_of("title = \"t\"\n[[runs]]\nworlds = [\"line\"]\nalgorithms = [\"implicit\"]\n"
                     "settings.train.lambda = [" +
                     lambdas + "]\nseeds = 1000\n"),
            "a.toml:2: these are more than 100000 runs; split them into several experiments.");
}

constexpr const char* with_lambdas = R"(
title = "A frontier"
[[runs]]
worlds = ["line-noisy"]
algorithms = ["transition"]
settings.train.lambda = [0, 0.5, 2]
seeds = 2
[[claims]]
text = "near the exact maximum"
settings.train.lambda = [0, 0.5]
measure = "objective / objective_max"
at_least = 0.9
)";

TEST(Experiment, MayVaryLambda) {
  const Experiment experiment = read_experiment(with_lambdas, "a.toml");
  ASSERT_EQ(experiment.runs.size(), 6);
  EXPECT_EQ(experiment.runs[2].name, "line-noisy-transition-lambda-0.5-1");
  EXPECT_EQ(experiment.runs[2].assignments.back().key, "train.lambda");
  EXPECT_EQ(experiment.runs[2].assignments.back().value, "0.5");
  // the exact curve has the runs' lambdas and more; the quick form has theirs alone
  const std::vector<double> lambdas = experiment.frontier_lambdas();
  for (double lambda : {0.0, 0.5, 0.99, 1.01, 2.0}) {
    EXPECT_EQ(std::count(lambdas.begin(), lambdas.end(), lambda), 1);
  }
  EXPECT_TRUE(std::is_sorted(lambdas.begin(), lambdas.end()));
  EXPECT_EQ(quick(experiment).frontier_lambdas(), (std::vector<double>{0, 0.5, 2}));
  EXPECT_TRUE(read_experiment(small, "a.toml").frontier_lambdas().empty());
}

TEST(Experiment, AnySettingMayBeAListAndTheProductIsRun) {
  const Experiment experiment = read_experiment(R"(
title = "A grid"
[[runs]]
worlds = ["line"]
algorithms = ["implicit"]
seeds = [3, 7]
settings.train.learning_rate = [1e-3, 3e-3]
settings.train.updates = 30
settings.world.noise = [0, 0.25]
[[claims]]
text = "of one rate"
settings.train.learning_rate = 0.003
measure = "H"
at_least = 0
)",
                                                "a.toml");
  std::vector<std::string> names, methods;
  for (const RunPlan& run : experiment.runs) names.push_back(run.name);
  ASSERT_EQ(names.size(), 8u);
  EXPECT_EQ(names[0], "line-implicit-learning_rate-0.001-noise-0-3");
  EXPECT_EQ(names[3], "line-implicit-learning_rate-0.001-noise-0.25-7");
  EXPECT_EQ(names[7], "line-implicit-learning_rate-0.003-noise-0.25-7");
  EXPECT_EQ(experiment.runs[7].method(), "implicit, learning_rate 0.003, noise 0.25");
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(experiment.claims[0].selects(experiment.runs[i]), i >= 4) << names[i];
  }
  EXPECT_EQ(quick(experiment).runs.size(), 4u);
}

TEST(Experiment, RefusesListsThatMakeNoSense) {
  const auto with = [](const std::string& line) {
    return error_of("title = \"t\"\n[[runs]]\nworlds = [\"line\"]\nalgorithms = [\"implicit\"]\n" +
                    line + "\n");
  };
  EXPECT_EQ(with("seeds = [1, 2, 1]"),
            "a.toml:5: runs.seeds = 1 is not allowed; it must be a seed that is listed once.");
  EXPECT_EQ(with("seeds = 1\nsettings.train.lambda = [1, 1]"),
            "a.toml:2: the run line-implicit-lambda-1-1 is there twice; give one of its [[runs]] "
            "another group.");
  EXPECT_EQ(with("seeds = 1\nsettings.train.seed = [1, 2]"),
            "a.toml:6: train.seed is set by seeds, algorithms and worlds.");
  EXPECT_EQ(with("seeds = 1\nsettings.train.lambda = [[1]]"),
            "a.toml:6: train.lambda is neither a number nor text nor a list of these.");
  EXPECT_NE(with("seeds = 1\nsettings.train.lambda = []"), "");
}

// a run's name is that of its folder, which file systems limit
TEST(Experiment, RefusesNamesThatNoFolderCanHave) {
  const auto with = [](std::size_t n) {
    return error_of(
        "title = \"t\"\n[[runs]]\nworlds = [\"line\"]\nalgorithms = [\"implicit\"]\n"
        "seeds = 1\nsettings.world.place = [\"" +
        std::string(n, 'x') + "\"]\n");
  };
  EXPECT_EQ(with(178), "");  // line-implicit-place-...-1
  EXPECT_EQ(
      with(179),
      "a.toml:2: the folder of a run would have a name of 201 characters, "
      "line-implicit-place-xxxxxxxxxxxxxxxxxxxx...; choose a shorter group or shorter values, "
      "200 characters at most.");
}

TEST(Experiment, QuickKeepsOneSeedAndFewUpdates) {
  const Experiment experiment = quick(read_experiment(small, "a.toml"));
  ASSERT_EQ(experiment.runs.size(), 5);
  EXPECT_EQ(experiment.runs[0].assignments.back().key, "train.updates");
}

TEST(Experiment, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of(changed(small, "seeds = 2", "seeds = 0")),
            "a.toml:7: runs.seeds = 0 is not allowed; it must be a whole number from 1 to 1000.");
  EXPECT_EQ(error_of(changed(small, "\"H / H_max\"", "\"H / H_mx\"")).substr(0, 64),
            "a.toml:20: claims.measure = \"H / H_mx\" measures 'H_mx', which is");
  EXPECT_EQ(error_of(changed(small, "groups = [\"line\"]", "groups = [\"lime\"]")),
            "a.toml:23: this claim is about none of the runs; see its groups, "
            "algorithms and settings.");
  EXPECT_EQ(error_of(changed(small, "at_least = 0.9\n", "\n")),
            "a.toml:17: this claim has no bound; give it at_least, at_most or both.");
  EXPECT_EQ(error_of(changed(small, "group = \"line, far\"\n", "")),
            "a.toml:11: the run line-implicit-1 is there twice; give one of its [[runs]] another "
            "group.");
}

}  // namespace
}  // namespace vic
