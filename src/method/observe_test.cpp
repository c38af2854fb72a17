// world.observe: the numbers of a simulated state that histories show, and those that enter only
// the difference to a goal.
#include <gtest/gtest.h>

#include "method/learner.h"
#include "sim/world.h"
#include "support/message_of.h"

namespace vic {
namespace {

SimulatorPtr cheetah(const std::string& observe) {
  Overrides overrides({{"world.T", "12", "test"}, {"world.observe", observe, "test"}});
  return load_simulator("half-cheetah", overrides);
}

TrainSettings small() {
  TrainSettings settings;
  settings.algorithm = "implicit";
  settings.batch = 4;
  settings.hidden = 16;
  return settings;
}

Batch sampled(const Agent& agent) {
  Batch batch;
  ActorWorkspace work;
  sample_options(batch, agent, *make_sampler(agent), work, 4, {.seed = 5});
  return batch;
}

TEST(Observe, LeavesNumbersOutOfHistories) {
  const SimulatorPtr all = cheetah("all"), gym = cheetah("-rootx"), two = cheetah("rootz rooty");
  // time, place and turns; the numbers; sine and cosine of the pitch
  EXPECT_EQ(make_agent(all.get(), small()).encoding.states.D, 3 + 18 + 2);
  EXPECT_EQ(make_agent(two.get(), small()).encoding.states.D, 3 + 2 + 2);
  const Agent agent = make_agent(gym.get(), small());
  EXPECT_EQ(agent.encoding.states.D, 3 + 17 + 2);
  const Batch batch = sampled(agent), whole = sampled(make_agent(all.get(), small()));
  double hidden = 0, shown = 0, turns = 0;
  for (int r = 0; r < batch.histories.rows(); ++r) {
    hidden += std::abs(double(batch.inputs.numbers.row(r)[1]));
    turns += std::abs(double(batch.inputs.numbers.row(r)[2]));
    shown += std::abs(double(whole.inputs.numbers.row(r)[1]));
  }
  EXPECT_EQ(hidden, 0) << "the distance";
  EXPECT_GT(turns, 0);
  EXPECT_GT(shown, 0);
}

// an agent that does not observe its place acts the same when it and its goals are shifted
TEST(Observe, GoalsAreSeenFromWhatIsHidden) {
  const SimulatorPtr gym = cheetah("-rootx");
  Agent agent = make_agent(gym.get(), small());
  // shifts the places of states and of goals by different amounts, or by the same
  Batch batch = sampled(agent);
  const auto rewards = [&](double states, double goals) {
    auto moved = std::make_shared<Codes>(*batch.codes);
    const auto D = static_cast<std::size_t>(agent.encoding.states.D);
    const auto G = static_cast<std::size_t>(agent.encoding.goals.D);
    for (std::size_t i = 1; i < moved->numbers.size(); i += D) moved->numbers[i] += states;
    for (std::size_t i = 1; i < moved->goal_numbers.size(); i += G) {
      moved->goal_numbers[i] += goals;
    }
    Batch other = batch;
    other.codes = moved;
    Scores scores;
    return intrinsic_rewards(scores, agent, other);
  };
  const auto here = rewards(0, 0), there = rewards(2, 2), apart = rewards(0, 2);
  const std::size_t end = here.size() - 1;
  EXPECT_NEAR(there[end], here[end], 1e-4);
  EXPECT_GT(std::abs(apart[end] - here[end]), 1e-2);
}

TEST(Observe, NamesWhatItDoesNotKnow) {
  const auto message = [](const char* observe) { return message_of([&] { cheetah(observe); }); };
  EXPECT_NE(message("-rotx").find("did you mean rootx"), std::string::npos) << message("-rotx");
  EXPECT_NE(message("-rootx rootz").find("the one or the other"), std::string::npos);
}

}  // namespace
}  // namespace vic
