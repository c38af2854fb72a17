#include "serve/live_evaluation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "run/training.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

// a run that has only a checkpoint of its second update
void write_checkpoint(const std::string& folder, const std::string& world,
                      const std::string& algorithm) {
  Training training = begin_training(make_run(Overrides({{"run.world", world, "test"},
                                                         {"train.algorithm", algorithm, "test"},
                                                         {"train.hidden", "8", "test"},
                                                         {"train.warm_up", "0", "test"},
                                                         {"train.batch", "4", "test"}})),
                                     folder);
  for (int i = 0; i < 2; ++i) training.run.learner->update();
  save_checkpoint(training.run, folder);
}

TEST(LiveEvaluation, TableInTrainingHasHDNAndItsFinalStates) {
  const FixtureFolder folder("live-table");
  write_checkpoint(folder / "a", "line-noisy", "transition");
  const LiveValues live = evaluate_checkpoint(folder / "a", {});
  EXPECT_EQ(live.values.updates, 2);
  EXPECT_TRUE(live.values.exact);
  const auto& measures = live.values.measures;
  ASSERT_TRUE(measures["H"] && measures["D"] && measures["N"]);
  EXPECT_NEAR(*measures["H"], *measures["D"] + *measures["N"], 1e-9);
  double H = 0;
  for (const auto& [state, p] : live.values.p_f) H -= p * std::log(p);
  EXPECT_NEAR(*measures["H"], H, 1e-9);
  // an unsolved world has no H_max
  EXPECT_FALSE(measures["H_max"]);
  EXPECT_FALSE(live.films);
}

TEST(LiveEvaluation, BodyInTrainingHasFilmsAndCells) {
  const FixtureFolder folder("live-body");
  write_checkpoint(folder / "a", "half-cheetah", "marginal");
  const LiveValues live = evaluate_checkpoint(folder / "a", {});
  ASSERT_TRUE(live.films);
  EXPECT_FALSE(live.films->options.empty());
  ASSERT_TRUE(live.values.survey);
  EXPECT_EQ(live.values.survey->options, 128);
}

TEST(LiveEvaluation, WantedRunsAreEvaluatedOncePerCheckpoint) {
  const FixtureFolder folder("live-wanted");
  write_checkpoint(folder / "a", "line", "implicit");
  LiveEvaluations evaluations;
  EXPECT_EQ(evaluations.find(folder / "a"), nullptr);
  evaluations.want({folder / "a", folder / "missing"});
  while (evaluations.made() == 0) std::this_thread::yield();
  const auto values = evaluations.find(folder / "a");
  ASSERT_NE(values, nullptr);
  EXPECT_EQ(values->values.updates, 2);
  EXPECT_EQ(evaluations.find(folder / "missing"), nullptr);
}

TEST(LiveEvaluation, StopEndsIt) {
  const FixtureFolder folder("live-stop");
  write_checkpoint(folder / "a", "line", "implicit");
  StopRequest stop;
  stop.wanted = true;
  EXPECT_THROW(evaluate_checkpoint(folder / "a", Stop(stop)), Interrupted);
}

}  // namespace
}  // namespace vic
