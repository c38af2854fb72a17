// An agent is a value: threads that evaluate one at the same time find the same, and copies are
// independent.
#include "method/agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <thread>

#include "base/error.h"
#include "method/fine_tuning.h"
#include "method/scores.h"
#include "sim/world.h"
#include "support/named_world.h"

namespace vic::agent_test {
namespace {

SimulatorPtr half_cheetah() {
  // cells so small that options end in several
  Overrides overrides({{"world.T", "8", "a test"}, {"world.bin", "0.02", "a test"}});
  return load_simulator("half-cheetah", overrides);
}

TrainSettings small(const char* algorithm, HindsightForm hindsight = HindsightForm::separate) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.hindsight = hindsight;
  settings.prior = SkillPrior::learned;
  settings.skills = 5;
  settings.batch = 24;
  settings.hidden = 16;
  settings.n_gmm = 3;
  settings.T_smooth = 8;
  settings.warm_up = 2;
  settings.learning_rate = 0.01;
  return settings;
}

Agent trained(WorldRef world, const TrainSettings& settings) {
  Learner learner(make_agent(world, settings));
  for (int u = 0; u < 6; ++u) learner.update();
  return learner.agent();
}

// ----- threads ----- //

// everything that was found, byte by byte
class Bytes {
 public:
  template <class Number>
  void add(const std::vector<Number>& list) {
    add(list.data(), list.size());
  }
  template <class Number>
  void add(const Number* numbers, std::size_t count) {
    if (count == 0) return;
    const std::size_t size = count * sizeof(Number);
    text_.resize(text_.size() + size);
    std::memcpy(text_.data() + text_.size() - size, numbers, size);
  }
  void add(const Batch& batch) {
    const Histories& tree = batch.histories;
    for (const auto* list : {&tree.first, &tree.parent, &tree.action, &tree.state, &batch.goal,
                             &batch.cell, &batch.decision_row, &batch.decision_action, &batch.into,
                             &batch.stop, &batch.inputs.lookup}) {
      add(*list);
    }
    add(batch.ended);
    add(batch.external);
    add(batch.decision_weight);
    const Buffer<float>& numbers = batch.inputs.numbers;
    add(numbers.row(0), static_cast<std::size_t>(numbers.rows() * numbers.cols()));
    add(batch.codes->numbers);
    add(batch.codes->goal_numbers);
    add(batch.codes->levels);
    add(batch.codes->observed);
  }
  std::size_t size() const { return text_.size(); }
  bool operator==(const Bytes&) const = default;

 private:
  std::string text_;
};

// what a thread finds in four batches of an agent's options, from an address on
Bytes measure(const Agent& agent, std::uint64_t seed) {
  const std::unique_ptr<Sampler> sampler = make_sampler(agent);
  ActorWorkspace work;
  Scores scores;
  Batch batch;
  Bytes bytes;
  for (std::uint32_t k = 0; k < 4; ++k) {
    sample_options(batch, agent, *sampler, work, 40, {.seed = seed, .update = k});
    bytes.add(batch);
    bytes.add(intrinsic_rewards(scores, agent, batch));
  }
  return bytes;
}

void expect_the_same_on_two_threads(WorldRef world, const TrainSettings& settings) {
  SCOPED_TRACE(settings.algorithm);
  const Agent agent = trained(world, settings);
  const std::array<Bytes, 2> alone = {measure(agent, 1), measure(agent, 2)};
  EXPECT_GT(alone[0].size(), 1000u);
  EXPECT_FALSE(alone[0] == alone[1]) << "other addresses, other options";
  for (int round = 0; round < 3; ++round) {
    std::array<Bytes, 2> together;
    std::thread other([&] { together[1] = measure(agent, 2); });
    together[0] = measure(agent, 1);
    other.join();
    EXPECT_TRUE(together == alone) << "round " << round;
  }
}

// train.sticky_action_logit is in every policy, unless it is added to one that has it
TEST(Agent, PoliciesAreStickyOnce) {
  const SimulatorPtr world = half_cheetah();
  for (const HindsightForm form : {HindsightForm::separate, HindsightForm::residual}) {
    TrainSettings settings;
    settings.algorithm = "mixture";
    settings.hindsight = form;
    settings.sticky_action_logit = 3;
    const Agent agent = make_agent(world.get(), settings);
    const auto sticky = [&](Role role) { return agent.find(role)->shape().sticky_action_logit; };
    EXPECT_EQ(sticky(Role::pi_p), 3);
    EXPECT_EQ(sticky(Role::pi_q), form == HindsightForm::separate ? 3 : 0);
    EXPECT_EQ(sticky(Role::rho_p), 0);
    EXPECT_EQ(sticky(Role::rho_q), 0);
  }
}

TEST(Agent, TwoThreadsMeasureATableAtOnceAndFindWhatOneFinds) {
  const TabularWorld world = world_named("grid-noisy");
  for (const char* algorithm : {"implicit", "transition", "mixture", "explicit", "open-loop"}) {
    expect_the_same_on_two_threads(&world, small(algorithm));
  }
}

TEST(Agent, TwoThreadsMeasureASimulatedWorldAtOnceAndFindWhatOneFinds) {
  const SimulatorPtr world = half_cheetah();
  for (const char* algorithm : {"implicit", "mixture"}) {
    expect_the_same_on_two_threads(world.get(), small(algorithm, HindsightForm::separate));
    expect_the_same_on_two_threads(world.get(), small(algorithm, HindsightForm::residual));
  }
}

// ----- copies ----- //

std::vector<Block<float>> weights_of(const Agent& agent) {
  std::vector<Block<float>> weights;
  for (const AgentModel& model : agent.models) {
    weights.push_back(model.model.net().parameters().values);
  }
  return weights;
}

// fine-tunes a learner that is built from a copy: `changed` is the only model that moves
void expect_a_copy_is_tuned_alone(const Agent& agent, Sampler& sampler,
                                  std::span<const TrainingGoal> goals, Role changed) {
  SCOPED_TRACE(agent.algorithm->name);
  const std::vector<Block<float>> before = weights_of(agent);
  Agent copy = agent;
  EXPECT_EQ(weights_of(copy), before);
  Learner learner(std::move(copy));
  int updates = 0;
  fine_tune(learner, sampler, goals, {.updates = 4, .batch = 32, .learning_rate = 0.01},
            [&](int u) { EXPECT_EQ(u, updates++); });
  EXPECT_EQ(updates, 4);
  const std::vector<Block<float>> after = weights_of(learner.agent());
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool tuned = static_cast<int>(i) == agent.place_of(changed);
    EXPECT_EQ(after[i] != before[i], tuned) << agent.models[i].model.shape().name;
  }
  EXPECT_EQ(weights_of(agent), before) << "the original moved";
}

TEST(Agent, FineTuningACopyLeavesTheOriginalAsItWas) {
  const TabularWorld world = world_named("line-noisy");
  for (const char* algorithm : {"implicit", "transition", "mixture", "explicit"}) {
    const Agent agent = trained(&world, small(algorithm));
    const bool skills = agent.algorithm->policy_goal == GoalKind::skill;
    std::vector<TrainingGoal> goals;
    for (int g = 0; g < 3; ++g) goals.push_back({{.state = world.s_0, .goal = g}, g + 2});
    expect_a_copy_is_tuned_alone(agent, *make_sampler(agent), goals,
                                 skills ? Role::pi_p : Role::pi_q);
  }
}

TEST(Agent, FineTuningACopyInASimulatedWorldLeavesTheOriginalAsItWas) {
  const SimulatorPtr world = half_cheetah();
  for (HindsightForm hindsight : {HindsightForm::separate, HindsightForm::residual}) {
    const Agent agent = trained(world.get(), small("implicit", hindsight));
    SimulatorSampler sampler(*world, agent.encoding, agent.scales, 1);
    sampler.set_goals(world->spec().start);
    // a cell in which some of the options end
    Batch batch;
    ActorWorkspace work;
    sampler.sample(batch, *goal_policy_of(agent), work, std::vector<Beginning>(32, {.goal = 0}),
                   {});
    const auto first = batch.cell.end() - 32;
    ASSERT_LT(std::count(first, batch.cell.end(), *first), 32);
    const std::vector<TrainingGoal> goals = {{{.goal = 0}, *first}};
    expect_a_copy_is_tuned_alone(agent, sampler, goals, Role::pi_q);
  }
}

// the share of options that end where they are sent
double arrivals(const Agent& agent, Sampler& sampler, std::span<const TrainingGoal> goals) {
  std::vector<Beginning> beginnings;
  for (int i = 0; i < 3000; ++i) beginnings.push_back(goals[i % goals.size()].beginning);
  Batch batch;
  ActorWorkspace work;
  sampler.sample(batch, *goal_policy_of(agent), work, beginnings, {.seed = 7});
  double arrived = 0;
  for (int r = 0; r < batch.histories.rows(); ++r) {
    const int goal = batch.goal[batch.histories.root[r]];
    if (batch.ended[r] != 0 && batch.cell[r] == goals[goal].cell) arrived += batch.count(r);
  }
  return arrived / static_cast<double>(beginnings.size());
}

// both neighbours of the start can be reached with certainty; for as long as this runs a baseline
// that moves the wrong way grows until it drowns the reward
TEST(Agent, FineTunedOptionsArrive) {
  const TabularWorld world = world_named("line");
  Learner learner(trained(&world, small("implicit")));
  const std::unique_ptr<Sampler> sampler = make_sampler(learner.agent());
  const std::vector<TrainingGoal> goals = {{{.state = world.s_0, .goal = 0}, world.s_0 - 1},
                                           {{.state = world.s_0, .goal = 1}, world.s_0 + 1}};
  const double before = arrivals(learner.agent(), *sampler, goals);
  fine_tune(learner, *sampler, goals, {.updates = 400, .batch = 32, .learning_rate = 0.01}, {});
  const double after = arrivals(learner.agent(), *sampler, goals);
  EXPECT_LT(before, 0.5);
  EXPECT_GT(after, 0.95);
}

// a learner takes an agent as it is, and goes on with a copy of it
TEST(Agent, TrainingGoesOnWithoutTheOriginal) {
  const TabularWorld world = world_named("line-noisy");
  const Agent agent = trained(&world, small("transition"));
  const std::vector<Block<float>> before = weights_of(agent);
  Learner learner(agent);
  for (int u = 0; u < 5; ++u) learner.update();
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_NE(weights_of(learner.agent())[i], before[i]);
  }
  EXPECT_EQ(weights_of(agent), before);
}

TEST(Agent, WithoutAGoalPolicyThereIsNothingToFineTune) {
  const TabularWorld world = world_named("line");
  Learner learner(make_agent(&world, small("marginal")));
  const std::unique_ptr<Sampler> sampler = make_sampler(learner.agent());
  const std::vector<TrainingGoal> goals = {{{.state = world.s_0, .goal = 0}, 0}};
  EXPECT_FALSE(goal_policy_of(learner.agent()).has_value());
  EXPECT_THROW(fine_tune(learner, *sampler, goals, {.updates = 1}, {}), Error);
}

TEST(Agent, ASimulatedWorldHasNoTable) {
  const SimulatorPtr world = half_cheetah();
  const Agent agent = make_agent(world.get(), small("marginal"));
  EXPECT_EQ(agent.simulator(), world.get());
  EXPECT_EQ(agent.final_states(), cell_count(world->spec()));
  EXPECT_THROW(agent.table(), Error);
  const TabularWorld line = world_named("line");
  const Agent other = make_agent(&line, small("marginal"));
  EXPECT_EQ(other.simulator(), nullptr);
  EXPECT_EQ(&other.table(), &line);
  EXPECT_EQ(other.final_states(), line.S);
  EXPECT_EQ(other.start(), line.s_0);
}

}  // namespace
}  // namespace vic::agent_test
