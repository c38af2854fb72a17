// Shards: cut or whole, on any threads and ranks, an update is the same.
#include "method/shard.h"

#include <gtest/gtest.h>

#include <cmath>

#include "method/learner.h"
#include "support/message_of.h"
#include "support/named_world.h"
#include "support/small_settings.h"
#include "support/thread_ranks.h"

namespace vic {
namespace {

// a point that moves as it is pushed, with a little noise
class Drift : public StepSimulator {
 public:
  explicit Drift(bool together)
      : StepSimulator(
            {.name = "drift",
             .state_names = {"x", "y"},
             .start = {0, 0},
             .actuators = {{"push", {-1, 0, 1}}, {"lift", {-1, 0, 1}}},
             .T = 5,
             .deterministic = false,
             .together = together,
             .coordinates = {{.name = "x", .unit = "m", .bins = {.width = 0.5}, .number = 0},
                             {.name = "y", .unit = "m", .bins = {.width = 0.5}, .number = 1}}}) {}

  void step(std::span<double> state, std::span<const double> controls,
            const RandomAddress& noise) const override {
    state[0] += controls[0];
    state[1] += controls[1] + uniform(noise);
  }
};

// every way in which shards depend on each other
std::vector<TrainSettings> all_settings() {
  std::vector<TrainSettings> list;
  for (const char* algorithm : {"implicit", "mixture", "marginal", "belief"}) {
    TrainSettings settings = small_settings(algorithm);
    settings.batch = 75;
    settings.warm_up = 1;
    list.push_back(settings);
  }
  list[1].normalise = Normalise::goals;
  list[1].goals = 8;
  list[2].critic = list[3].critic = CriticKind::belief;
  list[2].epochs = list[2].minibatches = 2;
  list[3].lambda = 0.5;
  return list;
}

struct Learned {
  std::vector<Block<float>> weights;  // (models)
  std::vector<double> metrics;
};

Learned learned_by(Learner& learner, int updates) {
  Learned learned;
  for (int u = 0; u < updates; ++u) {
    learner.update();
    Metrics metrics = learner.metrics();
    metrics.visit([&](const char*, auto value) { learned.metrics.push_back(double(value)); });
  }
  for (const AgentModel& model : learner.agent().models) {
    learned.weights.push_back(model.model.net().parameters().values);
  }
  return learned;
}

// two learners that differ only in the order in which their gradients are summed
void expect_the_same_learned(Learner& cut, Learner& whole) {
  std::vector<Block<float>> before;  // (models)
  for (const AgentModel& model : whole.agent().models) {
    before.push_back(model.model.net().parameters().values);
  }
  const Learned of_shards = learned_by(cut, 3), of_whole = learned_by(whole, 3);
  for (std::size_t i = 0; i < of_whole.metrics.size(); ++i) {
    EXPECT_NEAR(of_shards.metrics[i], of_whole.metrics[i],
                1e-4 * (1 + std::abs(of_whole.metrics[i])));
  }
  double largest = 0;
  for (std::size_t m = 0; m < before.size(); ++m) {
    for (std::size_t i = 0; i < before[m].size(); ++i) {
      const double learned = double(of_whole.weights[m][i]) - double(before[m][i]);
      EXPECT_NEAR(double(of_shards.weights[m][i]) - double(before[m][i]), learned, 2e-4);
      largest = std::max(largest, std::abs(learned));
    }
  }
  EXPECT_GT(largest, 1e-3) << "nothing was learned";
}

TEST(Shards, AreAFunctionOfTheBatchAndTablesHaveOne) {
  const Drift world(false), together(true);
  const TabularWorld line = world_named("line");
  for (const auto& [batch, shards] : {std::pair{1, 1}, {16, 1}, {17, 2}, {75, 5}, {128, 8}}) {
    TrainSettings settings = small_settings("implicit");
    settings.batch = batch;
    EXPECT_EQ(shard_count(make_agent(&world, settings)), shards);
    EXPECT_EQ(shard_count(make_agent(&together, settings)), 1);
    EXPECT_EQ(shard_count(make_agent(&line, settings)), 1);
  }
}

TEST(Shards, HaveTheOptionsOfTheWholeBatch) {
  const Drift world(false);
  TrainSettings settings = small_settings("marginal");
  settings.batch = 75;
  Learner learner(make_agent(&world, settings));
  Batch whole;
  ActorWorkspace work;
  sample_options(whole, learner.agent(), *make_sampler(learner.agent()), work, 75, {.seed = 1});
  learner.update();
  ASSERT_EQ(learner.shards().size(), 5U);
  int b = 0;
  for (const Shard& shard : learner.shards()) {
    for (int i = 0; i < shard.options.size(); ++i, ++b) {
      for (int t = 0; t <= 5; ++t) {
        const auto own = observed_state(shard.batch, 2, t * shard.options.size() + i);
        const auto of_whole = observed_state(whole, 2, t * 75 + b);
        EXPECT_TRUE(std::ranges::equal(own, of_whole)) << "option " << b << ", state " << t;
      }
    }
  }
  EXPECT_EQ(b, 75);
}

// whole batches sum their gradients in another order, and nothing else is different
TEST(Shards, LearnWhatTheWholeBatchDoes) {
  const Drift world(false), together(true);
  for (TrainSettings settings : all_settings()) {
    SCOPED_TRACE(settings.algorithm);
    settings.minibatches = 1;  // a whole batch has no parts
    Learner cut(make_agent(&world, settings)), whole(make_agent(&together, settings));
    expect_the_same_learned(cut, whole);
  }
}

// of three or four options sometimes none moves: the shard then has no transitions to learn from
TEST(Shards, OfATableLearnWhatTheWholeBatchDoesAndTheSameBytesOnTwoThreads) {
  Overrides none;
  for (const char* name : {"line", "line-noisy"}) {
    const TabularWorld world = load_world(name, none);
    for (const char* algorithm : {"implicit", "transition", "marginal", "belief", "explicit"}) {
      SCOPED_TRACE(fmt::format("{} {}", name, algorithm));
      TrainSettings settings = small_settings(algorithm);
      settings.batch = 75;
      settings.warm_up = 1;
      if (world.deterministic() && settings.algorithm == "transition") {
        settings.normalise = Normalise::goals;
      }
      Learner whole(make_agent(&world, settings));
      settings.shards = 20;
      Learner cut(make_agent(&world, settings));
      settings.threads = 2;
      Learner shared(make_agent(&world, settings));
      expect_the_same_learned(cut, whole);
      const Learned on_two = learned_by(shared, 3);
      for (std::size_t m = 0; m < on_two.weights.size(); ++m) {
        EXPECT_EQ(on_two.weights[m], cut.agent().models[m].model.net().parameters().values);
      }
    }
  }
}

TEST(Shards, OfATableAreRefusedWhereTheyCannotBe) {
  Overrides none;
  const TabularWorld line = load_world("line", none);
  TrainSettings settings = small_settings("implicit");
  settings.batch = 8;
  settings.shards = 9;
  EXPECT_THROW(make_agent(&line, settings), UsageError);
  settings.shards = 2;
  EXPECT_NO_THROW(make_agent(&line, settings));
  settings.starts = Starts::all;
  EXPECT_THROW(make_agent(&line, settings), UsageError);
  settings.starts = Starts::one;
  settings.gradient = GradientKind::exact;
  EXPECT_THROW(make_agent(&line, settings), UsageError);
}

TEST(Shards, GiveTheSameBytesOnAnyThreadsAndRanks) {
  const Drift world(false);
  for (TrainSettings settings : all_settings()) {
    SCOPED_TRACE(settings.algorithm);
    Learner alone(make_agent(&world, settings));
    const Learned expected = learned_by(alone, 3);
    for (int ranks : {1, 2, 3, 5}) {
      settings.threads = 1 + ranks % 2;
      ThreadRanks::run(ranks, [&](Ranks& own) {
        Learner learner(make_agent(&world, settings));
        learner.join(own);
        const Learned learned = learned_by(learner, 3);
        EXPECT_EQ(learned.metrics, expected.metrics) << ranks << " ranks";
        EXPECT_EQ(learned.weights, expected.weights) << ranks << " ranks";
      });
    }
  }
}

// Adam's steps do not depend on the size of a gradient, only on the options that it comes from
TEST(Shards, AMinibatchIsAStepOfItsOwn) {
  const Drift world(false);
  TrainSettings settings = small_settings("marginal");
  settings.warm_up = 0;
  const auto learned = [&](int batch, int minibatches) {
    settings.batch = batch;
    settings.minibatches = minibatches;
    Learner learner(make_agent(&world, settings));
    const Block<float> before = learner.agent().pi_p().net().parameters().values;
    learner.update();
    const Block<float>& after = learner.agent().pi_p().net().parameters().values;
    double largest = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
      largest = std::max(largest, std::abs(double(after[i]) - double(before[i])));
    }
    return std::pair(largest, learner.state().optimizers[0].adam.steps);
  };
  const auto [once, one_step] = learned(64, 1);
  const auto [often, steps] = learned(64, 4);
  EXPECT_EQ(one_step, 1);
  EXPECT_EQ(steps, 4);
  // the first step of Adam is as long as its rate
  EXPECT_NEAR(once, settings.learning_rate, 1e-5);
  EXPECT_GT(often, 1.5 * settings.learning_rate);
  EXPECT_LE(often, 4.5 * settings.learning_rate);
}

TEST(Shards, MinibatchesWithoutOneAreRefused) {
  const Drift world(false);
  const TabularWorld line = world_named("line");
  TrainSettings settings = small_settings("marginal");
  settings.minibatches = 3;
  const auto refusal = [&](WorldRef of) {
    return message_of([&] { Learner learner(make_agent(of, settings)); });
  };
  EXPECT_EQ(refusal(&world),
            "train.minibatches = 3 is not allowed; at most 2 fit here, one for 16 options of "
            "train.batch = 32.");
  EXPECT_EQ(refusal(&line),
            "train.minibatches = 3 is not allowed: line has a table of states, whose options share "
            "their histories; take 1.");
}

TEST(Shards, RanksWithoutOneAreRefused) {
  const Drift world(false);
  TrainSettings settings = small_settings("marginal");
  ThreadRanks::run(3, [&](Ranks& ranks) {
    Learner learner(make_agent(&world, settings));
    EXPECT_EQ(message_of([&] { learner.join(ranks); }),
              "3 ranks are more than the 2 shards of an update (16 options of train.batch = 32 "
              "each); use fewer ranks or a larger batch.");
  });
}

}  // namespace
}  // namespace vic
