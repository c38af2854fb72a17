#include "model/sequence_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "support/options.h"
#include "support/sequence_case.h"

namespace vic {
namespace {

TEST(SequenceModel, GradientsOfTheWholeModelMatchFiniteDifferences) {
  const Place place;
  for (const auto& [conditioning, code] : conditioned_and_coded()) {
    SequenceCase<double> k(place, conditioning, code);
    const Block<double> gradient = k.gradient();
    const auto loss = [&] { return inner_product(k.outputs(), k.wanted.view()); };
    for (const Slice& slice : k.model.parameters().layout.slices()) {
      SCOPED_TRACE(fmt::format("{}, on action: {}, on s_f: {}, on any goal: {}", slice.name,
                               conditioning.action, on_final_state(conditioning),
                               on_any_goal(conditioning)));
      const auto size = static_cast<std::size_t>(slice.rows * slice.cols);
      // a model has nothing to learn from what it is not conditioned on
      const bool unread =
          (slice.name == "hidden.table" && !conditioning.action && !on_any_goal(conditioning)) ||
          (slice.name == "hidden.numbers" && !on_final_state(conditioning));
      EXPECT_EQ(size == 0, unread);
      if (size == 0) continue;
      expect_gradient(loss, std::span(k.model.parameters().values.data() + slice.offset, size),
                      std::span(gradient.data() + slice.offset, size));
    }
  }
}

// an action that is decided in part: undecided factors add nothing, and the level of the last one
// may differ from the action's
TEST(SequenceModel, PartsOfAnActionEnterAsTheyAreDecided) {
  const Place place;
  SequenceCase<double> k(place, {.action = true}), same(place, {.action = true});
  for (int q = 0; q < k.queries.size(); ++q) {
    const int decided = q % 3 == 0 ? 0 : 1, level = q % 3 == 1 ? q % place.world.A : -1;
    k.queries.factors.push_back(decided);
    k.queries.level.push_back(level);
    if (decided == 0) same.queries.action[q] = -1;
    if (level >= 0) same.queries.action[q] = level;
  }
  const Block<double> gradient = k.gradient();
  EXPECT_EQ(gradient, same.gradient());
  const auto loss = [&] { return inner_product(k.outputs(), k.wanted.view()); };
  for (const Slice& slice : k.model.parameters().layout.slices()) {
    if (slice.name != "hidden.table") continue;
    const auto size = static_cast<std::size_t>(slice.rows * slice.cols);
    expect_gradient(loss, std::span(k.model.parameters().values.data() + slice.offset, size),
                    std::span(gradient.data() + slice.offset, size));
  }
}

TEST(SequenceModel, FloatAgreesWithDouble) {
  const Place place;
  for (const Conditioning conditioning : all_conditionings) {
    SequenceCase<float> single(place, conditioning);
    SequenceCase<double> k(place, conditioning);
    const MatrixView<const float> f = single.outputs();
    const MatrixView<const double> d = k.outputs();
    for (Index i = 0; i < d.size(); ++i)
      EXPECT_NEAR(static_cast<double>(f.data[i]), d.data[i], 1e-5);
    const Block<float>& df = single.gradient();
    const Block<double>& dd = k.gradient();
    for (std::size_t i = 0; i < dd.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(df[i]), dd[i], 2e-5 * std::max(1.0, std::abs(dd[i])));
    }
  }
}

// one query at a time, on its history alone: same outputs, and gradients that add up to the same
TEST(SequenceModel, SharedPrefixesEqualOneTrajectoryAtATime) {
  const Place place;
  for (const auto& [conditioning, code] : conditioned_and_coded()) {
    SequenceCase<double> k(place, conditioning, code);
    const Block<double> gradient = k.gradient();
    const MatrixView<const double> outputs = k.outputs();
    SequenceWorkspace<double> alone;
    Block<double> sum(gradient.size(), 0.0);
    for (int q = 0; q < k.queries.size(); ++q) {
      const Histories chain = chain_to(place.histories, k.queries.row[q]);
      HistoryInputs<double> inputs;
      inputs.append(chain, 0, k.table.encoding, k.table.codes);
      Queries query = only(k.queries, q);
      query.row = {chain.rows() - 1};
      k.model.encode(alone, tree_of(chain), inputs.view());
      const MatrixView<const double> output = k.model.query(alone, query, k.table.codes);
      for (Index j = 0; j < output.cols; ++j) EXPECT_NEAR(output(0, j), outputs(q, j), 1e-13);
      k.model.backward(sum, alone, k.wanted.view().slice(q, q + 1), query, k.table.codes,
                       tree_of(chain));
    }
    for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_NEAR(sum[i], gradient[i], 1e-12);
  }
}

// the rows of a table that have a gradient
std::set<int> touched(const SequenceCase<double>& k, const char* name) {
  const ParameterLayout& layout = k.model.parameters().layout;
  const MatrixView<const double> rows = view(k.optimizer.gradient, layout.slice(layout.find(name)));
  std::set<int> list;
  for (int r = 0; r < rows.rows; ++r) {
    if (std::any_of(rows.row(r), rows.row(r + 1), [](double x) { return x != 0; })) list.insert(r);
  }
  return list;
}

// a table holds the moves first, where there are any, then the codes of the states or the skills
TEST(SequenceModel, AQueryLearnsInTheRowsOfItsHistoryAndConditioning) {
  const Place place;
  const int A = place.world.A, row = place.histories.rows() - 1;
  for (const Conditioning conditioning : all_conditionings) {
    SequenceCase<double> k(place, conditioning);
    const auto add_state = [&](std::set<int>& rows, int s, int offset) {
      const int K = k.table.encoding.states.K;
      for (int i = 0; i < K; ++i) rows.insert(offset + k.table.codes.lookup[s * K + i]);
    };
    std::set<int> seen, conditioned;
    for (int r : path_to(place.histories, row)) {
      if (r > 0) seen.insert(place.histories.action[r]);
      add_state(seen, place.histories.state[r], A);
    }
    const int a = 1, goal = 5, offset = conditioning.action ? A : 0;
    if (conditioning.action) conditioned.insert(a);
    if (on_final_state(conditioning)) add_state(conditioned, goal, offset);
    if (conditioning.goal == GoalKind::skill) conditioned.insert(offset + goal);
    k.queries = {.row = {row}, .action = {a}, .goal = {goal}};
    k.wanted = random_matrix<double>(1, k.model.columns(), 2);
    k.gradient();
    EXPECT_EQ(touched(k, "lstm.table"), seen);
    EXPECT_EQ(touched(k, "hidden.table"), conditioned);
  }
}

TEST(SequenceModel, WhatItIsConditionedOnMatters) {
  const Place place;
  for (const Conditioning conditioning : all_conditionings) {
    SequenceCase<double> k(place, conditioning);
    k.model.encode(k.work, tree_of(place.histories), k.inputs.view());
    const auto first_output = [&](int row, int a, int goal) {
      Queries query{.row = {row}, .action = {}, .goal = {}};
      if (conditioning.action) query.action = {a};
      if (on_any_goal(conditioning)) query.goal = {goal};
      return k.model.query(k.work, query, k.table.codes)(0, 0);
    };
    const double x = first_output(5, 0, 4);
    EXPECT_EQ(x, first_output(5, 0, 4));
    EXPECT_NE(x, first_output(6, 0, 4));
    EXPECT_EQ(x != first_output(5, 1, 4), conditioning.action);
    EXPECT_EQ(x != first_output(5, 0, 6), on_any_goal(conditioning));
  }
}

TEST(SequenceModel, LevelByLevelOnAGrowingTreeGivesTheSameBits) {
  const Place place;
  SequenceCase<float> whole(place, on_goal), grown(place, on_goal);
  const MatrixView<const float> outputs = whole.outputs();
  // the inputs come level by level too, as in a rollout
  Histories histories;
  HistoryInputs<float> inputs;
  for (int t = 0; t < place.histories.levels(); ++t) {
    const int begin = place.histories.first[t], end = place.histories.first[t + 1];
    if (t == 0) histories.begin(place.histories.state[0]);
    for (int r = std::max(begin, 1); r < end; ++r) {
      histories.add(place.histories.parent[r], place.histories.action[r], place.histories.state[r]);
    }
    if (t > 0) histories.close_level();
    inputs.append(histories, begin, grown.table.encoding, grown.table.codes);
    grown.model.encode_level(grown.work, tree_of(histories), t, inputs.view());
    // some levels are prepared for queries as they come, the others by the query
    if (t == 0 || t == 2) grown.model.prepare_queries(grown.work);
  }
  const MatrixView<const float> same =
      grown.model.query(grown.work, grown.queries, grown.table.codes);
  for (Index i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs.data[i], same.data[i]);
}

// leaving out what no query needs changes nothing
TEST(SequenceModel, EncodingWhatIsQueriedGivesTheSameOutputsAndGradient) {
  const Place place;
  const Tree tree = tree_of(place.histories);
  for (const Conditioning conditioning : all_conditionings) {
    SequenceCase<float> whole(place, conditioning), part(place, conditioning);
    // a few rows of the first levels: whole branches are not queried
    for (SequenceCase<float>* k : {&whole, &part}) {
      Queries few;
      for (int q = 0; q < k->queries.size(); q += 5) {
        const Queries one = only(k->queries, q);
        few.row.push_back(one.row[0]);
        if (conditioning.action) few.action.push_back(one.action[0]);
        if (on_any_goal(conditioning)) few.goal.push_back(one.goal[0]);
      }
      k->queries = few;
    }
    const MatrixView<const float> outputs = whole.outputs();
    part.model.encode(part.work, tree, part.inputs.view(), part.queries);
    const MatrixView<const float> same =
        part.model.query(part.work, part.queries, part.table.codes);
    ASSERT_EQ(outputs.rows, same.rows);
    for (Index i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs.data[i], same.data[i]);

    const MatrixView<const float> wanted = whole.wanted.view().slice(0, outputs.rows);
    whole.add_gradient(wanted);
    part.add_gradient(wanted);
    const Block<float>& a = whole.optimizer.gradient;
    const Block<float>& b = part.optimizer.gradient;
    EXPECT_GT(norm(a), 0.1);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5F);
  }
}

// buffers only grow, and nothing of a large batch may be left in a small one
TEST(SequenceModel, ASmallBatchAfterALargeOneIsNotDisturbed) {
  const Place place;
  SequenceCase<float> k(place, on_both);
  k.gradient();
  const Histories chain = chain_to(place.histories, place.histories.rows() - 1);
  HistoryInputs<float> inputs;
  inputs.append(chain, 0, k.table.encoding, k.table.codes);
  const Queries query{.row = {2}, .action = {1}, .goal = {3}};
  SequenceWorkspace<float> fresh;
  Block<float> gradients[2];
  for (int i = 0; i < 2; ++i) {
    SequenceWorkspace<float>& work = i == 0 ? fresh : k.work;
    gradients[i].assign(k.optimizer.gradient.size(), 0.0F);
    k.model.encode(work, tree_of(chain), inputs.view());
    k.model.query(work, query, k.table.codes);
    k.model.backward(gradients[i], work, k.wanted.view().slice(0, 1), query, k.table.codes,
                     tree_of(chain));
  }
  EXPECT_EQ(gradients[0], gradients[1]);
  EXPECT_GT(norm(gradients[0]), 0.1);
}

TEST(SequenceModel, AStepUsesUpTheGradientAndNamesABadOne) {
  const Place place;
  SequenceCase<float> k(place, {});
  k.gradient();
  const Block<float> before = k.model.parameters().values;
  k.optimizer.step(k.model, {.learning_rate = 1e-2}, /*update=*/0);
  EXPECT_NE(k.model.parameters().values, before);
  EXPECT_EQ(norm(k.optimizer.gradient), 0);
  EXPECT_EQ(k.optimizer.adam.steps, 1);

  const Block<float> good = k.model.parameters().values;
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    k.optimizer.gradient[20] = bad;
    try {
      k.optimizer.step(k.model, {}, /*update=*/17);
      ADD_FAILURE() << "a gradient of " << bad << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()),
                "The gradient of net is not finite at update 17; a smaller train.learning_rate may "
                "help.");
    }
    EXPECT_EQ(k.model.parameters().values, good) << "nothing is changed by a bad gradient";
  }
}

}  // namespace
}  // namespace vic
