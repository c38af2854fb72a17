#include "method/table_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "support/named_world.h"
#include "support/options.h"
#include "support/random_world.h"

namespace vic {
namespace {

// a policy whose weights are far from their small initial values
Model make_policy(const char* name, GoalKind goal, const Encoding& encoding) {
  Model policy({.name = name,
                .conditioning = {.goal = goal},
                .encoding = encoding,
                .hidden = 8,
                .outputs = encoding.choices},
               Factors{.F = 1, .K = encoding.choices}, {.seed = 2});
  for (float& x : policy.net().parameters().values) x *= 12;
  return policy;
}

// such a policy, and what was sampled from it
struct Case {
  TabularWorld world;
  EncodedTable encoded = encode_table(world, StateCode::onehot);
  std::shared_ptr<const Codes> codes = std::make_shared<const Codes>(encoded.codes);
  Model pi_p = make_policy("pi_p", GoalKind::none, encoded.encoding);
  TableSampler sampler{world, encoded.encoding, codes};
  ActorWorkspace work = {};
  Batch batch = {};

  explicit Case(TabularWorld where) : world(std::move(where)) {}
  Case(const Case&) = delete;  // the sampler refers to the world

  const Batch& sample(std::span<const Beginning> beginnings, RolloutAddress address) {
    sampler.sample(batch, {pi_p}, work, beginnings, address);
    return batch;
  }
  const Batch& sample(int B, RolloutAddress address) {
    return sample(std::vector<Beginning>(B, {.state = world.s_0}), address);
  }
};

void expect_same(const Batch& a, const Batch& b) {
  EXPECT_EQ(a.histories.first, b.histories.first);
  EXPECT_EQ(a.histories.parent, b.histories.parent);
  EXPECT_EQ(a.histories.action, b.histories.action);
  EXPECT_EQ(a.histories.state, b.histories.state);
  EXPECT_EQ(a.forced, b.forced);
  EXPECT_EQ(a.ended, b.ended);
  EXPECT_EQ(a.external, b.external);
  EXPECT_EQ(a.decision_row, b.decision_row);
  EXPECT_EQ(a.decision_action, b.decision_action);
  EXPECT_EQ(a.decision_weight, b.decision_weight);
  EXPECT_EQ(a.into, b.into);
  EXPECT_EQ(a.stop, b.stop);
  EXPECT_EQ(a.decided_levels, b.decided_levels);
}

TEST(TableSampler, TheSameAddressSamplesTheSameOptions) {
  Case used(world_named("tree-noisy")), fresh(world_named("tree-noisy"));
  const Batch first = used.sample(128, {.seed = 3, .update = 7});
  // what was sampled in between leaves no trace
  const Batch other = used.sample(500, {.seed = 3, .update = 8});
  expect_same(used.sample(128, {.seed = 3, .update = 7}), first);
  expect_same(fresh.sample(128, {.seed = 3, .update = 7}), first);
  EXPECT_NE(used.sample(128, {.seed = 3, .update = 8}).ended, first.ended);
  EXPECT_NE(used.sample(128, {.seed = 4, .update = 7}).ended, first.ended);
}

// every option as its states and actions, as often as it was sampled
std::multiset<std::vector<int>> spelled_options(const Batch& batch) {
  std::multiset<std::vector<int>> options;
  for (int end = 0; end < batch.histories.rows(); ++end) {
    std::vector<int> text;
    for (int r : path_to(batch.histories, end)) {
      text.push_back(batch.histories.action[r]);
      text.push_back(batch.histories.state[r]);
    }
    for (int i = 0; i < batch.ended[end]; ++i) options.insert(text);
  }
  return options;
}

TEST(TableSampler, ALargerBatchBeginsWithTheOptionsOfASmallerOne) {
  Case k(world_named("line-noisy"));
  const auto small = spelled_options(k.sample(40, {.seed = 3}));
  const auto large = spelled_options(k.sample(70, {.seed = 3}));
  EXPECT_EQ(small.size(), 40u);
  EXPECT_EQ(large.size(), 70u);
  EXPECT_TRUE(std::includes(large.begin(), large.end(), small.begin(), small.end()));
}

// standard scores of counts against probabilities
struct StandardScores {
  int n = 0;
  double largest = 0, sum_of_squares = 0;

  void add(double count, double trials, double p) {
    // with counts this small the normal approximation does not hold
    if (trials * p * (1 - p) < 10) return;
    const double z = (count - trials * p) / std::sqrt(trials * p * (1 - p));
    ++n;
    largest = std::max(largest, std::abs(z));
    sum_of_squares += z * z;
  }
};

// how often a row was passed
std::vector<double> passed(const Batch& batch) {
  std::vector<double> count(batch.ended.begin(), batch.ended.end());
  for (int r = batch.histories.rows() - 1; r > 0; --r) count[batch.histories.parent[r]] += count[r];
  return count;
}

void expect_frequencies(const char* name) {
  SCOPED_TRACE(name);
  constexpr int B = 20000;
  Case k(world_named(name));
  const Batch& batch = k.sample(B, {.seed = 11});
  const Histories& tree = batch.histories;
  const std::vector<double> n = passed(batch);
  EXPECT_EQ(n[0], B);

  // actions against the net, which has the batch encoded
  const int A = k.world.A;
  StandardScores actions, outcomes;
  std::vector<double> count(std::size_t(tree.rows()) * (A + 1), 0);
  for (std::size_t d = 0; d < batch.decision_row.size(); ++d) {
    count[batch.decision_row[d] * (A + 1) + batch.decision_action[d]] =
        std::round(static_cast<double>(batch.decision_weight[d]) * B);
  }
  Queries queries;
  for (int r = 0; r < tree.rows(); ++r) {
    if (!batch.forced[r]) queries.row.push_back(r);
  }
  const MatrixView<const float> p = k.pi_p.probabilities(k.work.policy, queries, *k.codes);
  double most = 0;
  for (int q = 0; q < queries.size(); ++q) {
    const int r = queries.row[q];
    for (int a = 0; a <= A; ++a) {
      const double pi = static_cast<double>(p(q, a));
      most = std::max(most, pi);
      actions.add(count[r * (A + 1) + a], n[r], pi);
    }
  }
  EXPECT_GT(most, 0.6) << "a policy without preferences shows little";

  // next states against the table
  for (int r = 1; r < tree.rows(); ++r) {
    const int s = k.world.A * tree.state[tree.parent[r]] + tree.action[r];
    for (int e = k.world.first[s]; e < k.world.first[s + 1]; ++e) {
      if (k.world.next[e] != tree.state[r]) continue;
      outcomes.add(n[r], count[tree.parent[r] * (A + 1) + tree.action[r]], k.world.p[e]);
    }
  }
  for (const StandardScores& scores : {actions, outcomes}) {
    EXPECT_LT(scores.largest, 5);
    EXPECT_GT(scores.n, 40);
    // and together neither too far from the mean nor too near
    EXPECT_NEAR(scores.sum_of_squares / scores.n, 1, 5 * std::sqrt(2.0 / scores.n));
  }
}

TEST(TableSampler, FrequenciesAreThoseOfThePolicyAndOfTheTable) {
  expect_frequencies("line-noisy");
  expect_frequencies("tree-noisy");
}

TEST(TableSampler, RowsThatAreForcedHaveNoDecisions) {
  int absorbed = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Case k(random_world(seed));
    SCOPED_TRACE(k.world.name);
    const Batch& batch = k.sample(100, {.seed = seed});
    const Histories& tree = batch.histories;
    ASSERT_LE(tree.levels(), k.world.T_max);
    for (int t = 0, r = 0; t < tree.levels(); ++t) {
      for (; r < tree.first[t + 1]; ++r) {
        const bool absorbing = k.world.absorbing[tree.state[r]];
        EXPECT_EQ(static_cast<bool>(batch.forced[r]), absorbing || t + 1 == k.world.T_max);
        absorbed += absorbing;
      }
    }
    for (int row : batch.decision_row) EXPECT_FALSE(batch.forced[row]);
  }
  EXPECT_GT(absorbed, 50) << "hardly a world had an absorbing state";
}

TEST(TableSampler, OptionsReachTMaxAndNeverExceedIt) {
  for (const char* name : {"line", "grid-noisy"}) {
    Case k(world_named(name));
    // a policy that never terminates by itself
    Parameters<float>& parameters = k.pi_p.net().parameters();
    const Slice& bias = parameters.layout.slice(parameters.layout.find("out.b"));
    parameters.values[bias.offset + k.world.A] = -1000;
    const Batch& batch = k.sample(50, {.seed = 1});
    ASSERT_EQ(batch.histories.levels(), k.world.T_max);
    EXPECT_EQ(batch.decided_levels, k.world.T_max - 1);
    const int last = batch.histories.first[k.world.T_max - 1];
    double ended = 0;
    for (int r = last; r < batch.histories.rows(); ++r) ended += batch.ended[r];
    EXPECT_EQ(ended, 50) << name;
  }
}

TEST(TableSampler, ExternalRewardIsThatOfWalkingTheHistoryAgain) {
  double largest = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Case k(random_world(seed));
    const Batch& batch = k.sample(100, {.seed = seed});
    for (int row = 0; row < batch.histories.rows(); ++row) {
      double sum = 0;
      int s = k.world.s_0;
      for (int r : path_to(batch.histories, row)) {
        if (r == 0) continue;
        const int s_next = batch.histories.state[r];
        sum += k.world.step_reward;
        if (s_next != s) sum += k.world.enter_reward[s_next];
        s = s_next;
      }
      EXPECT_NEAR(batch.external[row], sum, 1e-12);
      largest = std::max(largest, std::abs(sum));
    }
  }
  EXPECT_GT(largest, 1) << "a test of zeros shows nothing";
}

TEST(TableSampler, InputsAreThoseOfTheWholeBatch) {
  Case k(world_named("grid-noisy"));
  k.sample(300, {.seed = 5});
  HistoryInputs<float> whole;
  whole.append(k.batch.histories, 0, k.encoded.encoding, *k.codes);
  EXPECT_EQ(k.batch.inputs.lookup, whole.lookup);
}

// the options of a batch that begin with a root, each as its states and actions
std::map<std::vector<int>, int> options_of(const Batch& batch, int root) {
  std::map<std::vector<int>, int> count;
  for (int row = 0; row < batch.histories.rows(); ++row) {
    if (batch.ended[row] == 0 || batch.histories.root[row] != root) continue;
    std::vector<int> key;
    for (int r : path_to(batch.histories, row)) {
      key.push_back(batch.histories.action[r]);
      key.push_back(batch.histories.state[r]);
    }
    count[key] += batch.count(row);
  }
  return count;
}

TEST(TableSampler, OptionsOfSeveralBeginningsAreThoseOfEachAlone) {
  // options 0-39 begin in state 2 and options 40-99 in state 5
  std::vector<Beginning> beginnings(40, {.state = 2});
  beginnings.resize(100, {.state = 5});
  Case k(world_named("line-noisy"));
  k.sample(beginnings, {.seed = 3});
  ASSERT_EQ(k.batch.histories.roots(), 2);
  Case left(started_at(world_named("line-noisy"), 2)),
      right(started_at(world_named("line-noisy"), 5));
  EXPECT_EQ(options_of(k.batch, 0), options_of(left.sample(40, {.seed = 3}), 0));
  auto both = options_of(right.sample(40, {.seed = 3}), 0);
  for (const auto& [option, count] : options_of(k.batch, 1)) both[option] += count;
  EXPECT_EQ(both, options_of(right.sample(100, {.seed = 3}), 0));
}

// a policy is conditioned on the goal of its root, and only there
TEST(TableSampler, APolicyIsConditionedOnItsGoal) {
  Case k(world_named("line-noisy"));
  const Model policy = make_policy("pi_q", GoalKind::final_state, k.encoded.encoding);
  const auto sample = [&](int goal, int more) {
    std::vector<Beginning> beginnings(50, {.state = k.world.s_0, .goal = goal});
    if (more >= 0) beginnings.resize(100, {.state = k.world.s_0, .goal = more});
    k.sampler.sample(k.batch, {policy}, k.work, beginnings, {.seed = 4});
    return options_of(k.batch, 0);
  };
  EXPECT_EQ(sample(1, -1), sample(1, 7));
  EXPECT_NE(sample(1, -1), sample(7, -1));
}

}  // namespace
}  // namespace vic
