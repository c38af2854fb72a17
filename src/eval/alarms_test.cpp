#include "eval/alarms.h"

#include <gtest/gtest.h>

#include "eval/record.h"
#include "support/named_world.h"
#include "support/small_settings.h"

namespace vic {
namespace {

std::vector<std::string> causes(const std::vector<Alarm>& alarms) {
  std::vector<std::string> list;
  for (const Alarm& alarm : alarms) {
    list.emplace_back(alarm.cause);
    EXPECT_TRUE(alarm.sentence.ends_with('.')) << alarm.sentence;
  }
  return list;
}

using Causes = std::vector<std::string>;

// an agent of the noisy line, whose options end in 9 states
class AlarmTest : public testing::Test {
 protected:
  Agent agent(const std::string& algorithm, double lambda = 1, double alpha = 0) const {
    TrainSettings settings = small_settings(algorithm.c_str());
    settings.warm_up = 100;
    settings.lambda = lambda;
    settings.alpha = alpha;
    return make_agent(&world_, settings);
  }

  // alarms of a training at update 400 whose mean reward was `before` at update 200
  Causes training(const Agent& agent, double before, double reward, double I_hat = 2) const {
    return causes(training_alarms(agent, {.update = 200, .baseline = before},
                                  {.update = 400, .baseline = reward, .I_hat = I_hat}));
  }

  // alarms of an evaluation
  Causes evaluation(const Learner& learner, const Evaluation& evaluation) const {
    return causes(evaluation_alarms(learner, evaluation, reference_));
  }

  TabularWorld world_ = world_named("line-noisy");
  Reference reference_ = {std::make_shared<const TabularWorld>(world_), {}, {}, {}};
};

TEST_F(AlarmTest, SilentWhereLearningIsFine) {
  for (const char* name : {"implicit", "transition", "mixture", "marginal", "open-loop"}) {
    EXPECT_EQ(training(agent(name), 1.2, 2.1), Causes{}) << name;
  }
}

TEST_F(AlarmTest, ARewardThatNoInformationExplains) {
  const Agent mixture = agent("mixture");
  // log 9 is 2.197
  EXPECT_EQ(training(mixture, 2.8, 2.8, 2.19), Causes{"reward"});
  EXPECT_EQ(training(mixture, 1.8, 1.8, 1.0), Causes{"reward"}) << "far above the entropy of s_f";
  // 2 N may be there where chance has a price
  EXPECT_EQ(training(agent("mixture", 2), 2.8, 2.8, 2.19), Causes{});
  // an external reward is no information
  const TabularWorld rooms = world_named("rooms-35");
  TrainSettings settings = small_settings("mixture");
  settings.alpha = 1;
  EXPECT_EQ(training(make_agent(&rooms, settings), 90, 90), Causes{});
  EXPECT_NE(training_alarms(mixture, {.update = 200, .baseline = 9},
                            {.update = 400, .baseline = 9, .I_hat = 2})[0]
                .sentence.find("no information about 9 states exceeds 2.20"),
            std::string::npos);
}

TEST_F(AlarmTest, NothingIsExpectedOfModelsThatHaveNotLearned) {
  const Agent mixture = agent("mixture");
  EXPECT_TRUE(training_alarms(mixture, {}, {.update = 200, .baseline = 9}).empty());
  EXPECT_TRUE(training_alarms(mixture, {.update = 1, .baseline = 9}, {.update = 200, .baseline = 9})
                  .empty());
}

TEST_F(AlarmTest, ARewardThatDoesNotComeToRest) {
  EXPECT_EQ(training(agent("implicit"), -2.0, 1.2), Causes{"stationarity"});
}

// with a critic the baseline is what the critic does not expect, and the reward is in the metrics
TEST_F(AlarmTest, OfAnAgentWithACritic) {
  TrainSettings settings = small_settings("counted");
  settings.warm_up = 100;
  settings.critic = CriticKind::belief;
  const Agent agent = make_agent(&world_, settings);
  const auto alarms = [&](double before, double now, double I_hat) {
    return causes(training_alarms(agent, {.update = 200, .reward = before},
                                  {.update = 400, .reward = now, .I_hat = I_hat}));
  };
  EXPECT_EQ(alarms(1.2, 2.1, 2), Causes{});
  EXPECT_EQ(alarms(2.8, 2.8, 2.19), Causes{"reward"});
  EXPECT_EQ(alarms(1.8, 1.8, 1.0), Causes{"reward"}) << "far above the entropy of s_f";
  EXPECT_EQ(alarms(-2.0, 1.2, 2), Causes{"stationarity"});
  Learner learner(agent);
  learner.state().update = 400;
  Evaluation fine;
  fine.H = 2.15;
  fine.states = 9;
  fine.calibration = Calibration{.bias = 0.1};
  EXPECT_EQ(evaluation(learner, fine), Causes{});
  fine.calibration->bias = 0.6;
  EXPECT_EQ(evaluation(learner, fine), Causes{"reward"});
}

TEST_F(AlarmTest, OptionsThatAllEndInOneState) {
  EXPECT_EQ(training(agent("implicit"), 0, 0, 0.001), Causes{"one end"});
}

TEST_F(AlarmTest, OfAnEvaluation) {
  Learner learner(agent("transition"));
  learner.state().update = 400;
  learner.state().baseline = {2.1};
  Evaluation fine;
  fine.exact = true;
  fine.H = 2.15;
  fine.states = 9;
  fine.calibration = Calibration{.bias = 0.1, .deviation = 0.3, .correlation = 0.5};
  fine.posterior = PosteriorError{.pi_q = 0.1,
                                  .rho_q = 0.1,
                                  .rho_ratio = 0.1,
                                  .b = {},
                                  .pi_q_blind = 0.4,
                                  .rho_ratio_blind = 0.3};
  EXPECT_EQ(evaluation(learner, fine), Causes{});
  Evaluation wrong = fine;
  wrong.calibration->bias = 0.6;
  EXPECT_EQ(evaluation(learner, wrong), Causes{"reward"});
  wrong.calibration->bias = 20;
  EXPECT_EQ(evaluation(learner, wrong), (Causes{"reward", "stationarity"}));
  wrong = fine;
  wrong.posterior->pi_q = 0.8;
  wrong.posterior->rho_ratio = 6;
  EXPECT_EQ(evaluation(learner, wrong), (Causes{"pi_q", "log rho_q / rho_p"}));
  wrong = fine;
  wrong.repeats = false;
  EXPECT_EQ(evaluation(learner, wrong), Causes{"chance"});
  wrong = fine;
  wrong.states = 1;
  EXPECT_EQ(evaluation(learner, wrong), Causes{"one end"});
  // a run of a few updates: the errors of its models do not count yet
  learner.state().update = 150;
  wrong.states = 9;
  wrong.calibration->bias = 20;
  wrong.posterior->pi_q = 8;
  EXPECT_EQ(evaluation(learner, wrong), Causes{});
}

// alarms are part of evaluation.json
TEST_F(AlarmTest, StandInTheRecord) {
  Learner learner(agent("transition"));
  Evaluation one;
  one.states = 1;
  one.p_f.assign(world_.S, 0);
  const Reference reference = find_reference(std::make_shared<const TabularWorld>(world_));
  const Json warnings = evaluation_json(learner, one, reference)["warnings"];
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0], "All options end in one of 9 states.");
  one.states = 2;
  EXPECT_EQ(evaluation_json(learner, one, reference)["warnings"], Json::array());
}

}  // namespace
}  // namespace vic
