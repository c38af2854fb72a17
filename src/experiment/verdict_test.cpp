#include "experiment/verdict.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "experiment/shipped.h"
#include "info/statistics.h"

namespace vic {
namespace {

constexpr const char* runs = R"(
title = "A figure"
[[runs]]
worlds = ["line"]
algorithms = ["implicit", "marginal"]
seeds = 3
settings.world.T_max = 4
[[runs]]
group = "long"
worlds = ["line"]
algorithms = ["implicit", "marginal"]
seeds = 3
settings.world.T_max = 6
[[claims]]
text = "a claim"
)";

Experiment with_claim(const std::string& claim) {
  return read_experiment(runs + claim, "a.toml");
}

// H of the runs in order: implicit and marginal on line, then on long, three seeds each
std::vector<RunResult> with_H(const std::vector<double>& H) {
  std::vector<RunResult> results(12);
  for (std::size_t i = 0; i < H.size(); ++i) results[i].evaluation = {{"H", H[i]}, {"H_max", 2}};
  return results;
}

const std::vector<RunResult> sample =
    with_H({1.0, 1.1, 1.2, 1.5, 1.6, 1.7, 2.0, 2.1, 2.2, 2.5, 2.7, 2.6});

TEST(Verdict, IsDecidedByTheIntervalOfTheMean) {
  const auto finding = [](const std::string& bounds) {
    const Experiment experiment =
        with_claim("measure = \"H\"\nalgorithms = [\"implicit\"]\ngroups = [\"line\"]\n" + bounds);
    const std::vector<Verdict> verdicts = test_claims(experiment, sample);
    EXPECT_EQ(verdicts.size(), 1u);
    return verdicts.at(0);
  };
  const Verdict holds = finding("at_least = 0.8");
  EXPECT_NEAR(*holds.measured, 1.1, 1e-12);
  // t(2) = 4.3027, standard error 0.1 / sqrt 3
  EXPECT_NEAR(*holds.high - *holds.low, 2 * 4.3027 * 0.1 / std::sqrt(3), 1e-4);
  EXPECT_EQ(holds.finding, Finding::holds);
  EXPECT_EQ(finding("at_least = 1").finding, Finding::undecided);
  EXPECT_EQ(finding("at_least = 1.4").finding, Finding::refuted);
  EXPECT_EQ(finding("at_most = 0.8").finding, Finding::refuted);
  EXPECT_EQ(finding("at_least = 0.8\nat_most = 1.2").finding, Finding::undecided);
  EXPECT_EQ(finding("at_least = 0.8\nat_most = 1.2").claim.wanted(), "from 0.8 to 1.2");
  // with over = "every" the worst seed decides, on either side
  const Verdict every = finding("at_least = 1\nat_most = 1.15\nover = \"every\"");
  EXPECT_NEAR(*every.measured, 1.2, 1e-12);
  EXPECT_EQ(every.finding, Finding::refuted);
  EXPECT_EQ(finding("at_least = 1\nover = \"every\"").finding, Finding::holds);
}

TEST(Verdict, NeedsEverySeed) {
  std::vector<RunResult> results = sample;
  results[1].evaluation = nullptr;
  const Experiment experiment = with_claim("measure = \"H / H_max\"\nat_least = 0");
  const std::vector<Verdict> verdicts = test_claims(experiment, results);
  ASSERT_EQ(verdicts.size(), 4u);
  EXPECT_EQ(verdicts[0].finding, Finding::undecided);
  EXPECT_FALSE(verdicts[0].measured);
  EXPECT_EQ(verdicts[0].measured_as, "not known for 1 of 3 seeds");
  EXPECT_EQ(verdicts[1].finding, Finding::holds);
  EXPECT_NEAR(*verdicts[1].measured, 0.8, 1e-12);
}

TEST(Verdict, ComparesSeriesSeedBySeed) {
  const std::string subject =
      "measure = \"H\"\nalgorithms = [\"marginal\"]\nversus = \"implicit\"\n";
  const auto line =
      test_claims(with_claim(subject + "groups = [\"line\"]\nat_least = 0.4"), sample);
  ASSERT_EQ(line.size(), 1u);
  EXPECT_EQ(line[0].claim.quantity(), "H minus that of implicit");
  // the seeds differ by more than the series; their pairs do not
  EXPECT_NEAR(*line[0].measured, 0.5, 1e-12);
  EXPECT_NEAR(*line[0].low, 0.5, 1e-9);
  EXPECT_EQ(line[0].finding, Finding::holds);
  const auto both = test_claims(with_claim(subject + "compare = \"ratio\"\nat_most = 1"), sample);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_NEAR(*both[0].measured, (1.5 / 1.0 + 1.6 / 1.1 + 1.7 / 1.2) / 3, 1e-12);
  EXPECT_EQ(both[0].finding, Finding::refuted);
  // pairs 0.5, 0.6, 0.4: the mean is five standard deviations from 0
  const auto effect =
      test_claims(with_claim(subject + "groups = [\"long\"]\nat_least = 0"), sample);
  EXPECT_NEAR(*effect.at(0).effect, 5, 1e-9);
  const auto across = test_claims(
      with_claim(subject + "groups = [\"long\"]\nversus_group = \"line\"\nat_least = 1"), sample);
  EXPECT_NEAR(*across.at(0).measured, 1.5, 1e-12);
}

TEST(Verdict, MeasuresTheSlopeOverASetting) {
  const auto verdicts =
      test_claims(with_claim("measure = \"H\"\nagainst = \"world.T_max\"\nat_least = 0.4"), sample);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].group, "all groups");
  EXPECT_EQ(verdicts[0].claim.quantity(), "slope of H over world.T_max");
  EXPECT_NEAR(*verdicts[0].measured, 0.5, 1e-12);
  EXPECT_EQ(verdicts[0].finding, Finding::holds);
}

TEST(Verdict, MeasuresTheUpdatesUntilALevel) {
  std::vector<RunResult> results = sample;
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].metrics = "{\"update\": 10, \"I_hat\": 0.5}\n{\"update\": 20, \"I_hat\": 1.9}\n";
  }
  const std::string subject =
      "measure = \"updates\"\nuntil = \"I_hat / H_max\"\nlevel = 0.9\nalgorithms = [\"implicit\"]\n"
      "groups = [\"line\"]\n";
  const auto reached = test_claims(with_claim(subject + "at_most = 25"), results);
  EXPECT_EQ(reached.at(0).claim.quantity(), "updates until I_hat / H_max is 0.9");
  EXPECT_NEAR(*reached.at(0).measured, 20, 1e-12);
  EXPECT_EQ(reached.at(0).finding, Finding::holds);
  // a seed that never gets there takes longer than any bound
  results[2].metrics = "{\"update\": 10, \"I_hat\": 0.5}\n";
  const auto late = test_claims(with_claim(subject + "at_most = 25"), results);
  EXPECT_EQ(late.at(0).finding, Finding::undecided);
  EXPECT_EQ(late.at(0).measured_as, "never reached by 1 of 3 seeds");
  EXPECT_TRUE(verdicts_json(late).at(0).at("measured").is_null());
  results[0].metrics = results[1].metrics = results[2].metrics;
  EXPECT_EQ(test_claims(with_claim(subject + "at_most = 25"), results).at(0).finding,
            Finding::refuted);
}

TEST(Verdict, TestsEachLambdaByItself) {
  const Experiment experiment = read_experiment(R"(
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
over = "every"
)",
                                                "a.toml");
  std::vector<RunResult> results;
  for (double share : {0.95, 0.99, 0.6, 0.7, 0.1, 0.1}) {
    results.push_back({.evaluation = {{"objective", 2 * share}, {"objective_max", 2}}});
  }
  const std::vector<Verdict> verdicts = test_claims(experiment, results);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].algorithm, "transition, lambda 0");
  EXPECT_EQ(verdicts[0].finding, Finding::holds);
  EXPECT_EQ(verdicts[1].finding, Finding::refuted);
}

TEST(Claim, SaysWhatIsWrongAndWhere) {
  const auto error_of = [](const std::string& claim) -> std::string {
    try {
      with_claim(claim);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of("measure = \"H\"\nat_least = 1\nversus = \"diayn\""),
            "a.toml:14: this claim compares with 'diayn', which is none of the runs.");
  EXPECT_EQ(
      error_of("measure = \"H\"\nat_least = 1\nagainst = \"world.noise\""),
      "a.toml:14: this claim needs a number for world.noise in the settings of all its runs.");
  EXPECT_EQ(error_of("measure = \"updates\"\nat_least = 1"),
            "a.toml:16: the measure \"updates\" and the key until go together.");
  EXPECT_EQ(error_of("measure = \"H\"\nat_least = 1\ncompare = \"sum\""),
            "a.toml:18: claims.compare = \"sum\" is not allowed; it must be \"difference\" or "
            "\"ratio\".");
}

TEST(Verdict, WhatWasNotRunSaysSo) {
  const Experiment experiment = with_claim("measure = \"H\"\nat_least = 1\n");
  // the runs on line are done, those on long are not
  const std::vector<Verdict> verdicts =
      test_claims(experiment, with_H({1.5, 1.6, 1.7, 1.5, 1.6, 1.7}));
  ASSERT_EQ(verdicts.size(), 4u);
  EXPECT_EQ(verdicts[0].finding, Finding::holds);
  for (std::size_t i : {2u, 3u}) {
    EXPECT_EQ(verdicts[i].group, "long");
    EXPECT_EQ(verdicts[i].finding, Finding::not_run);
    EXPECT_EQ(verdicts[i].measured_as, "not run");
    EXPECT_FALSE(verdicts[i].measured);
  }
  // if only a part is missing, it is another matter
  const std::vector<Verdict> part = test_claims(experiment, with_H({1.5}));
  EXPECT_EQ(part[0].finding, Finding::undecided);
  EXPECT_EQ(part[0].measured_as, "not known for 2 of 3 seeds");
}

// docs/claims.md has the findings about the claims as they are now, for every experiment
TEST(Verdict, ThoseThatArePublishedAreOfTheClaimsAsTheyStand) {
  for (const std::string& name : shipped_experiments()) {
    const std::string remedy =
        fmt::format("vic reproduce {} [--verdicts-only] --out FOLDER writes verdict.json", name);
    const std::string path = fmt::format("{}/docs/verdicts/{}/verdict.json", VIC_SOURCE_DIR, name);
    if (!path_exists(path)) {
      ADD_FAILURE() << path << " is missing; " << remedy;
      continue;
    }
    const std::string file = experiment_file(name);
    const Experiment experiment = read_experiment(read_file(file), file);
    const Json now =
        verdicts_json(test_claims(experiment, std::vector<RunResult>(experiment.runs.size())));
    const Json published = Json::parse(read_file(path)).at("claims");
    ASSERT_EQ(published.size(), now.size()) << name << "; " << remedy;
    for (std::size_t i = 0; i < now.size(); ++i) {
      for (const char* key :
           {"text", "source", "group", "algorithm", "measure", "wanted", "seeds"}) {
        EXPECT_EQ(published.at(i).at(key).dump(), now.at(i).at(key).dump())
            << name << "; " << remedy;
      }
    }
  }
}

// why claims are decided by Student's interval: the percentile bootstrap of five seeds is too
// narrow
TEST(Verdict, IntervalsOfFiveSeedsCoverAsOftenAsTheySay) {
  int student = 0, bootstrap = 0;
  constexpr int trials = 400;
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    std::vector<std::vector<double>> curves;
    std::vector<double> values;
    for (std::uint32_t i = 0; i < 5; ++i) {
      values.push_back(normal({.seed = 7, .update = trial, .row = i}));
      curves.push_back({values.back()});
    }
    const Estimate mean = estimate(values);
    student += std::abs(mean.mean) <= *mean.half ? 1 : 0;
    const Band band = bootstrap_band(curves);
    bootstrap += band.low[0] <= 0 && band.high[0] >= 0 ? 1 : 0;
  }
  EXPECT_NEAR(student, 0.95 * trials, 3 * std::sqrt(0.05 * 0.95 * trials));
  EXPECT_LT(bootstrap, 0.88 * trials);
}

}  // namespace
}  // namespace vic
