#include "eval/simulator_eval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "eval/evaluation_numbers.h"
#include "info/entropy.h"
#include "support/small_settings.h"

namespace vic {
namespace {

// four pushes to the left or right on a line: s_f follows from the number of either
struct Pushes : StepSimulator {
  Pushes()
      : StepSimulator(
            {.name = "pushes",
             .state_names = {"x"},
             .start = {0},
             .actuators = {{"push", {-1, 1}}},
             .T = 4,
             .coordinates = {
                 {.name = "x", .unit = "m", .bins = {.width = 2}, .limit = 9, .number = 0}}}) {}

  void step(std::span<double> state, std::span<const double> controls,
            const RandomAddress&) const override {
    state[0] += controls[0];
  }
};

// the same, with a push that is a little stronger or weaker each time, which it does not say
struct Careless : Pushes {
  void step(std::span<double> state, std::span<const double> controls,
            const RandomAddress& noise) const override {
    state[0] += controls[0] * (0.9 + 0.2 * uniform(noise));
  }
};

Evaluation evaluated(const Learner& learner) {
  // by sampling, though the world is small
  return evaluate(learner, {.histories = 1, .reach = 0, .survey = 2048});
}

// a shorter survey has the first options of a longer one, and no others are simulated
TEST(SampleStates, SimulatesWhatIsWantedAndNoMore) {
  const Pushes world;
  const Agent agent = make_agent(&world, small_settings("marginal"));
  const auto sample = [&](int options) {
    int simulated = 0;
    const auto sampled = sample_states(
        agent, options, /*seed=*/1, [](int, int) {},
        [&](const Batch& batch) { simulated += batch.options; });
    EXPECT_EQ(simulated, options);
    return sampled;
  };
  const auto few = sample(30), some = sample(150), many = sample(256);
  ASSERT_EQ(many.size(), 256u);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i], many[i]);
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i], many[i]);
}

// what a skill does with its likeliest actions, by executing it alone
double end_of_skill(const Agent& agent, int skill) {
  Batch batch;
  ActorWorkspace work;
  const Beginning beginning{.goal = skill};
  make_sampler(agent)->sample(batch, *goal_policy_of(agent, /*temperature=*/0), work,
                              std::span(&beginning, 1), {.seed = 9});
  return states_of(agent.simulator()->spec(), batch, end_rows(batch)[0]).back();
}

TEST(Evaluate, FindsAWorldThatOnlyCallsItselfDeterministic) {
  const Pushes same;
  EXPECT_TRUE(evaluated(Learner(make_agent(&same, small_settings("marginal")))).repeats);
  const Careless careless;
  EXPECT_FALSE(evaluated(Learner(make_agent(&careless, small_settings("marginal")))).repeats);
}

// with its likeliest actions a skill ends in one place: all of the entropy is control
TEST(SkillEnds, AreThoseOfEachSkillAlone) {
  const Pushes world;
  TrainSettings settings = small_settings("explicit");
  settings.skills = 12;
  Learner learner(make_agent(&world, settings));
  for (int u = 0; u < 10; ++u) learner.update();
  const Evaluation evaluation = evaluate(learner, {.histories = 1, .survey = 64});
  std::map<double, int> ends;  // a cell for each of the five places
  for (int skill = 0; skill < 12; ++skill) ++ends[end_of_skill(learner.agent(), skill)];
  double H = 0;
  for (const auto& [x, count] : ends) H -= count / 12.0 * std::log(count / 12.0);
  ASSERT_TRUE(evaluation.skills);
  EXPECT_GE(ends.size(), 2U);
  EXPECT_EQ(evaluation.skills->cells, static_cast<int>(ends.size()));
  EXPECT_NEAR(evaluation.skills->H, H, 1e-12);
  // an interrupted evaluation goes on with them
  EXPECT_EQ(evaluation_of(numbers_of(evaluation)).skills->H, evaluation.skills->H);
  // a policy without skills has none
  const Learner marginal(make_agent(&world, small_settings("marginal")));
  EXPECT_FALSE(evaluate(marginal, {.histories = 1, .survey = 64}).skills);
}

TrainSettings frozen(const char* algorithm) {
  TrainSettings settings = small_settings(algorithm);
  settings.batch = 128;
  settings.learning_rate = 1e-2;
  settings.final_rate = 0.05;
  settings.warm_up = 400;
  settings.updates = 1;
  return settings;
}

// the policy does not change; D is H, since nothing is random
TEST(UsableControl, ComesCloseToControlWhereTheModelsHaveLearnedAll) {
  const Pushes world;
  for (const char* algorithm : {"implicit", "belief"}) {
    SCOPED_TRACE(algorithm);
    TrainSettings settings = frozen(algorithm);
    settings.lambda = 0;
    Learner learner(make_agent(&world, settings));
    const Evaluation before = evaluated(learner);
    for (int u = 0; u < 400; ++u) learner.update();
    const Evaluation after = evaluated(learner);
    ASSERT_TRUE(before.usable && after.usable && after.D);
    EXPECT_EQ(*after.D, after.H);
    EXPECT_EQ(*after.N, 0);
    EXPECT_LT(before.usable->D, 0.1);
    EXPECT_LE(after.usable->D, after.H + after.usable->ci95 + after.ci95);
    EXPECT_GT(after.usable->D, 0.9 * after.H);
    // and then the reward of each option is -log p of its end
    ASSERT_TRUE(after.calibration);
    EXPECT_GT(after.calibration->correlation, 0.8);
    EXPECT_NEAR(after.calibration->bias, after.usable->D - after.H, 0.02);
  }
}

// whatever lambda is, and however the reward is normalised
TEST(UsableControl, IsTheControlPartAlone) {
  const Pushes world;
  TrainSettings settings = frozen("mixture");
  settings.warm_up = 30;
  Learner learner(make_agent(&world, settings));
  for (int u = 0; u < 30; ++u) learner.update();
  const Evaluation plain = evaluated(learner);
  learner.agent().settings.lambda = 0.3;
  learner.agent().settings.normalise = Normalise::goals;
  const Evaluation other = evaluated(learner);
  EXPECT_EQ(plain.usable->D, other.usable->D);
  EXPECT_NE(plain.calibration->bias, other.calibration->bias);
}

TEST(UsableControl, IsNotKnownWithoutModelsThatSeeGoals) {
  const Pushes world;
  const Learner learner(make_agent(&world, frozen("marginal")));
  const Evaluation evaluation = evaluated(learner);
  EXPECT_FALSE(evaluation.usable);
  EXPECT_FALSE(evaluation.calibration);
  EXPECT_TRUE(evaluation.D) << "replayed actions end where they did";
}

}  // namespace
}  // namespace vic
