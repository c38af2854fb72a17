// Batches and their hindsight against a naive reconstruction, option by option.
#include "method/batch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>

#include "method/agent.h"
#include "support/options.h"
#include "support/random_world.h"
#include "world/registry.h"

namespace vic::batch_test {
namespace {

constexpr int B = 96;

Batch sample_batch(const TabularWorld& world, int seed) {
  TrainSettings settings;
  settings.algorithm = "marginal";
  settings.encoding = StateCode::onehot;
  settings.hidden = 8;
  settings.seed = seed;
  const Agent agent = make_agent(&world, settings);
  ActorWorkspace work;
  Batch batch;
  sample_options(batch, agent, *make_sampler(agent), work, B,
                 {.seed = static_cast<std::uint64_t>(seed)});
  return batch;
}

// small worlds of all kinds: with and without chance, with absorbing states
std::vector<TabularWorld> small_worlds() {
  std::vector<TabularWorld> worlds;
  for (const char* name : {"line", "line-noisy", "tree", "tree-noisy", "grid-noisy"}) {
    Overrides none;
    worlds.push_back(load_world(name, none));
  }
  for (std::uint64_t seed = 0; seed < 40; ++seed) worlds.push_back(random_world(seed));
  return worlds;
}

// ----- oracle: every option on its own, from its first row to the row in which it ended ----- //

using Pair = std::pair<int, int>;
using Triple = std::tuple<int, int, int>;

struct Counts {
  std::map<int, int> passed;         // row
  std::map<Pair, int> decided;       // row, action
  std::map<Pair, int> passed_to;     // row, s_f
  std::map<Triple, int> decided_to;  // row, s_f, action
  std::map<Pair, Pair> before;       // row, s_f: the pair of the parent history
};

Counts count_options(const Batch& batch, int A) {
  const Histories& tree = batch.histories;
  Counts counts;
  for (int end = 0; end < tree.rows(); ++end) {
    const int s_f = tree.state[end];
    const std::vector<int> path = path_to(tree, end);
    for (int option = 0; option < batch.ended[end]; ++option) {
      for (std::size_t t = 0; t < path.size(); ++t) {
        const int row = path[t];
        ++counts.passed[row];
        ++counts.passed_to[{row, s_f}];
        counts.before[{row, s_f}] = t == 0 ? Pair{-1, -1} : Pair{path[t - 1], s_f};
        if (batch.forced[row]) continue;
        const int a = row == end ? A : tree.action[path[t + 1]];
        ++counts.decided[{row, a}];
        ++counts.decided_to[{row, s_f, a}];
      }
    }
  }
  return counts;
}

// a share of the options as a count; shares are floats, counts are whole
int as_count(float share) {
  const float count = share * B;
  EXPECT_NEAR(count, std::round(count), 1e-3F);
  return static_cast<int>(std::lround(count));
}

TEST(Batch, CountsEqualThoseOfItsOptionsOneByOne) {
  for (const TabularWorld& world : small_worlds()) {
    SCOPED_TRACE(world.name);
    const Batch batch = sample_batch(world, 5);
    const Counts truth = count_options(batch, world.A);
    ASSERT_EQ(truth.passed.at(0), B) << "every option begins in the first row";
    EXPECT_EQ(truth.passed.size(), batch.histories.rows()) << "a row that no option passed";
    std::map<Pair, int> decided;
    for (std::size_t d = 0; d < batch.decision_row.size(); ++d) {
      decided[{batch.decision_row[d], batch.decision_action[d]}] =
          as_count(batch.decision_weight[d]);
    }
    EXPECT_EQ(decided, truth.decided);
    EXPECT_EQ(decided.size(), batch.decision_row.size()) << "decisions are distinct";
  }
}

TEST(Batch, KnowsWhichDecisionLedIntoARowAndWhichEndedThere) {
  for (const TabularWorld& world : small_worlds()) {
    SCOPED_TRACE(world.name);
    const Batch batch = sample_batch(world, 6);
    const Histories& tree = batch.histories;
    EXPECT_EQ(batch.into[0], -1);
    for (int r = 0; r < tree.rows(); ++r) {
      if (r > 0) {
        EXPECT_EQ(batch.decision_row[batch.into[r]], tree.parent[r]);
        EXPECT_EQ(batch.decision_action[batch.into[r]], tree.action[r]);
      }
      const bool decided_to_end = batch.ended[r] > 0 && !batch.forced[r];
      ASSERT_EQ(batch.stop[r] >= 0, decided_to_end);
      if (!decided_to_end) continue;
      EXPECT_EQ(batch.decision_row[batch.stop[r]], r);
      EXPECT_EQ(batch.decision_action[batch.stop[r]], world.A);
      EXPECT_EQ(as_count(batch.decision_weight[batch.stop[r]]), batch.ended[r]);
    }
  }
}

TEST(Batch, TreeOfTheNetsIsTheLevelsWithAChoice) {
  for (const TabularWorld& world : small_worlds()) {
    SCOPED_TRACE(world.name);
    const Batch batch = sample_batch(world, 7);
    int last = -1;
    for (int row : batch.decision_row) last = std::max(last, row);
    const Tree tree = batch.tree();
    EXPECT_EQ(tree.levels(), batch.decided_levels);
    EXPECT_EQ(tree.rows(), static_cast<Index>(tree.parent.size()));
    EXPECT_LT(last, tree.rows());
    EXPECT_GE(last, tree.first[tree.levels() - 1]) << "a level in which nothing was decided";
  }
}

TEST(Batch, QueriesAreAboutTheRowsWithAChoice) {
  for (const TabularWorld& world : small_worlds()) {
    SCOPED_TRACE(world.name);
    const Batch batch = sample_batch(world, 7);
    Queries queries;
    std::vector<int> query_of, about;
    batch.append_queries(queries, query_of, 0, batch.histories.rows());
    for (int r = 0; r < batch.histories.rows(); ++r) {
      EXPECT_EQ(query_of[r], batch.forced[r] ? -1 : static_cast<int>(about.size()));
      if (!batch.forced[r]) about.push_back(r);
    }
    EXPECT_EQ(queries.row, about);
  }
}

void expect_hindsight(const Hindsight& look, const Batch& batch, int A) {
  const Counts truth = count_options(batch, A);
  const int P = static_cast<int>(look.row.size());
  const auto pair_at = [&](int k) {
    return k < 0 ? Pair{-1, -1} : Pair{look.row[k], look.final_state[k]};
  };
  std::map<Pair, int> passed_to;
  std::map<Triple, int> decided_to;
  for (int k = 0; k < P; ++k) {
    passed_to[pair_at(k)] = as_count(look.weight[k]);
    EXPECT_EQ(pair_at(look.parent[k]), truth.before.at(pair_at(k)));
    EXPECT_EQ(look.find(look.row[k], look.final_state[k]), k);
    EXPECT_GE(k, look.first[look.row[k]]);
    EXPECT_LT(k, look.first[look.row[k] + 1]);
  }
  const auto decision_at = [&](int e) {
    const int pair = look.decision_pair[e];
    EXPECT_EQ(batch.decision_row[look.decision[e]], look.row[pair]);
    return Triple{look.row[pair], look.final_state[pair], batch.decision_action[look.decision[e]]};
  };
  for (std::size_t e = 0; e < look.decision.size(); ++e) {
    decided_to[decision_at(static_cast<int>(e))] = as_count(look.decision_weight[e]);
  }
  EXPECT_EQ(passed_to, truth.passed_to);
  EXPECT_EQ(passed_to.size(), look.row.size()) << "pairs are distinct";
  EXPECT_EQ(decided_to, truth.decided_to);
  EXPECT_EQ(decided_to.size(), look.decision.size()) << "decisions are distinct";

  // the decisions into a pair and out of it
  for (int k = 0; k < P; ++k) {
    const int r = look.row[k], s_f = look.final_state[k];
    ASSERT_EQ(look.into[k] < 0, r == 0);
    if (r > 0) {
      const Triple led = {batch.histories.parent[r], s_f, batch.histories.action[r]};
      EXPECT_EQ(decision_at(look.into[k]), led);
    }
    const bool stops = batch.stop[r] >= 0 && s_f == batch.histories.state[r];
    ASSERT_EQ(look.stop[k] >= 0, stops);
    if (!stops) continue;
    EXPECT_EQ(decision_at(look.stop[k]), (Triple{r, s_f, A}));
  }
}

TEST(Hindsight, EqualsTheReconstructionOptionByOption) {
  // one object for all: nothing of the previous batch may remain
  Hindsight look;
  std::size_t most_pairs = 0;
  for (const TabularWorld& world : small_worlds()) {
    SCOPED_TRACE(world.name);
    const Batch batch = sample_batch(world, 8);
    look.look_back(batch);
    expect_hindsight(look, batch, world.A);
    most_pairs = std::max(most_pairs, look.row.size() - batch.histories.rows());
  }
  EXPECT_GT(most_pairs, 50u) << "hardly a history led to more than one final state";
}

TEST(Hindsight, SumsOverFinalStatesAreThoseOfTheBatch) {
  for (const TabularWorld& world : small_worlds()) {
    SCOPED_TRACE(world.name);
    const Batch batch = sample_batch(world, 9);
    const Counts truth = count_options(batch, world.A);
    Hindsight look;
    look.look_back(batch);
    std::vector<float> of_row(batch.histories.rows(), 0), of_decision(batch.decision_row.size(), 0);
    for (std::size_t k = 0; k < look.row.size(); ++k) of_row[look.row[k]] += look.weight[k];
    for (std::size_t e = 0; e < look.decision.size(); ++e) {
      of_decision[look.decision[e]] += look.decision_weight[e];
    }
    for (int r = 0; r < batch.histories.rows(); ++r) {
      EXPECT_EQ(as_count(of_row[r]), truth.passed.at(r));
    }
    for (std::size_t d = 0; d < of_decision.size(); ++d) {
      EXPECT_NEAR(of_decision[d], batch.decision_weight[d], 1e-5F);
    }
  }
}

TEST(Hindsight, KnowsNoPairThatDidNotHappen) {
  Overrides none;
  const TabularWorld world = load_world("tree", none);
  const Batch batch = sample_batch(world, 1);
  Hindsight look;
  look.look_back(batch);
  const int into_left = batch.histories.state[1] == world.find_state("L") ? 1 : 2;
  ASSERT_EQ(batch.histories.state[into_left], world.find_state("L"));
  EXPECT_EQ(look.find(into_left, world.find_state("R")), -1);
  EXPECT_EQ(look.find(into_left, world.find_state("root")), -1);
  EXPECT_GE(look.find(0, world.find_state("root")), 0);
}

}  // namespace
}  // namespace vic::batch_test
