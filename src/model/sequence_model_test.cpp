#include "model/sequence_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "nn/gradient_check.h"
#include "support/options.h"
#include "world/registry.h"

namespace vic {
namespace {

const std::vector<Told> all_told = {
    {}, {.action = true}, {.goal = true}, {.action = true, .goal = true}};

// s_f enters in two ways: by itself, and as it is seen from s_t
std::vector<std::pair<Told, StateCode>> told_and_coded() {
  std::vector<std::pair<Told, StateCode>> list;
  for (const Told told : all_told) {
    list.emplace_back(told, StateCode::axes);
    if (told.goal) list.emplace_back(told, StateCode::relative);
  }
  return list;
}

// the histories of at most two moves in the noisy tree, which share prefixes, and their world
struct Place {
  TabularWorld world;
  Histories histories;

  Place() {
    Overrides shorter({{.key = "world.T_max", .value = "3", .origin = "test"}});
    world = load_world("tree-noisy", shorter);
    histories = *enumerate_histories(world, 1000);
  }
};

Tree tree_of(const Histories& histories) {
  return {histories.first, histories.parent};
}

// some rows are asked once, some twice, some never
Queries some_queries(const Place& place, Told told) {
  Queries queries;
  for (int row = 0; row < place.histories.rows(); ++row) {
    for (int k = 0; k < row % 3; ++k) {
      queries.row.push_back(row);
      if (told.action) queries.action.push_back((row + k) % place.world.A);
      if (told.goal) queries.goal.push_back((3 * row + 5 * k) % place.world.S);
    }
  }
  return queries;
}

Queries only(const Queries& queries, int q) {
  Queries one{.row = {queries.row[q]}, .action = {}, .goal = {}};
  if (!queries.action.empty()) one.action = {queries.action[q]};
  if (!queries.goal.empty()) one.goal = {queries.goal[q]};
  return one;
}

// a model with weights far from their small beginning; its loss is sum wanted * outputs
template <class Real>
struct Case {
  const Place& place;
  Encoding encoding;
  SequenceModel<Real> model;
  HistoryInputs<Real> inputs;
  Queries queries;
  Buffer<Real> wanted;

  Case(const Place& where, Told told, StateCode code = StateCode::axes)
      : place(where),
        encoding(encode_states(where.world, code)),
        model({.name = "net", .told = told, .A = where.world.A, .hidden = 8, .outputs = 3},
              encoding, {.seed = 1, .stream = 0}),
        queries(some_queries(where, told)),
        wanted(random_matrix<Real>(queries.size(), model.columns(), 2)) {
    int stream = 10;
    for (const Slice& slice : model.parameters().layout.slices()) {
      fill_random(view(model.parameters().values, slice), static_cast<std::uint32_t>(stream++),
                  0.5);
    }
    inputs.append(place.histories, 0, encoding, place.world.A);
  }

  MatrixView<const Real> outputs() {
    model.encode(tree_of(place.histories), inputs.view());
    return model.answer(queries);
  }

  const Block<Real>& gradients() {
    outputs();
    set_zero(model.parameters().gradients);
    model.backward(wanted.view(), queries, tree_of(place.histories));
    return model.parameters().gradients;
  }
};

TEST(SequenceModel, GradientsOfTheWholeModelMatchFiniteDifferences) {
  const Place place;
  for (const auto& [told, code] : told_and_coded()) {
    Case<double> k(place, told, code);
    const Block<double> gradients = k.gradients();
    const auto loss = [&] { return inner_product(k.outputs(), k.wanted.view()); };
    for (const Slice& slice : k.model.parameters().layout.slices()) {
      SCOPED_TRACE(
          fmt::format("{}, told action: {}, told s_f: {}", slice.name, told.action, told.goal));
      const auto size = static_cast<std::size_t>(slice.rows * slice.cols);
      // a model that is not told has nothing to learn from it
      const bool untold = (slice.name == "hidden.table" && !told.action && !told.goal) ||
                          (slice.name == "hidden.numbers" && !told.goal);
      EXPECT_EQ(size == 0, untold);
      if (size == 0) continue;
      expect_gradient(loss, std::span(k.model.parameters().values.data() + slice.offset, size),
                      std::span(gradients.data() + slice.offset, size));
    }
  }
}

TEST(SequenceModel, FloatAgreesWithDouble) {
  const Place place;
  for (const Told told : all_told) {
    Case<float> single(place, told);
    Case<double> k(place, told);
    const MatrixView<const float> f = single.outputs();
    const MatrixView<const double> d = k.outputs();
    for (Index i = 0; i < d.size(); ++i)
      EXPECT_NEAR(static_cast<double>(f.data[i]), d.data[i], 1e-5);
    const Block<float>& df = single.gradients();
    const Block<double>& dd = k.gradients();
    for (std::size_t i = 0; i < dd.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(df[i]), dd[i], 2e-5 * std::max(1.0, std::abs(dd[i])));
    }
  }
}

// one query at a time, on its history alone: same outputs, and gradients that add up to the same
TEST(SequenceModel, SharedPrefixesEqualOneTrajectoryAtATime) {
  const Place place;
  for (const auto& [told, code] : told_and_coded()) {
    Case<double> k(place, told, code);
    const Block<double> gradients = k.gradients();
    const MatrixView<const double> outputs = k.outputs();
    SequenceModel<double> alone(k.model.shape(), k.encoding, {});
    alone.parameters().values = k.model.parameters().values;
    for (int q = 0; q < k.queries.size(); ++q) {
      const Histories chain = chain_to(place.histories, k.queries.row[q]);
      HistoryInputs<double> inputs;
      inputs.append(chain, 0, k.encoding, place.world.A);
      Queries query = only(k.queries, q);
      query.row = {chain.rows() - 1};
      alone.encode(tree_of(chain), inputs.view());
      const MatrixView<const double> output = alone.answer(query);
      for (Index j = 0; j < output.cols; ++j) EXPECT_NEAR(output(0, j), outputs(q, j), 1e-13);
      alone.backward(k.wanted.view().slice(q, q + 1), query, tree_of(chain));
    }
    const Block<double>& sum = alone.parameters().gradients;
    for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_NEAR(sum[i], gradients[i], 1e-12);
  }
}

// the rows of a table that have a gradient
std::set<int> touched(const Parameters<double>& parameters, const char* name) {
  const Slice& slice = parameters.layout.slice(parameters.layout.find(name));
  const MatrixView<const double> rows = view(parameters.gradients, slice);
  std::set<int> list;
  for (int r = 0; r < rows.rows; ++r) {
    if (std::any_of(rows.row(r), rows.row(r + 1), [](double x) { return x != 0; })) list.insert(r);
  }
  return list;
}

// a table holds the moves first, where there are any, then the codes of the states
TEST(SequenceModel, AQueryLearnsInTheRowsOfWhatWasSeenAndTold) {
  const Place place;
  const int A = place.world.A, row = place.histories.rows() - 1;
  for (const Told told : all_told) {
    Case<double> k(place, told);
    const auto add_state = [&](std::set<int>& rows, int s, int offset) {
      for (int i = 0; i < k.encoding.K; ++i) {
        rows.insert(offset + k.encoding.lookup[s * k.encoding.K + i]);
      }
    };
    std::set<int> seen, told_rows;
    for (int r : path_to(place.histories, row)) {
      if (r > 0) seen.insert(place.histories.action[r]);
      add_state(seen, place.histories.state[r], A);
    }
    const int a = 1, s_f = 5;
    if (told.action) told_rows.insert(a);
    if (told.goal) add_state(told_rows, s_f, told.action ? A : 0);
    k.queries = {.row = {row}, .action = {a}, .goal = {s_f}};
    k.wanted = random_matrix<double>(1, k.model.columns(), 2);
    k.gradients();
    EXPECT_EQ(touched(k.model.parameters(), "lstm.table"), seen);
    EXPECT_EQ(touched(k.model.parameters(), "hidden.table"), told_rows);
  }
}

TEST(SequenceModel, WhatItIsToldMatters) {
  const Place place;
  for (const Told told : all_told) {
    Case<double> k(place, told);
    k.model.encode(tree_of(place.histories), k.inputs.view());
    const auto first_output = [&](int row, int a, int s_f) {
      Queries query{.row = {row}, .action = {}, .goal = {}};
      if (told.action) query.action = {a};
      if (told.goal) query.goal = {s_f};
      return k.model.answer(query)(0, 0);
    };
    const double x = first_output(5, 0, 4);
    EXPECT_EQ(x, first_output(5, 0, 4));
    EXPECT_NE(x, first_output(6, 0, 4));
    EXPECT_EQ(x != first_output(5, 1, 4), told.action);
    EXPECT_EQ(x != first_output(5, 0, 6), told.goal);
  }
}

TEST(SequenceModel, LevelByLevelOnAGrowingTreeGivesTheSameBits) {
  const Place place;
  Case<float> whole(place, {.goal = true}), grown(place, {.goal = true});
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
    inputs.append(histories, begin, grown.encoding, place.world.A);
    grown.model.encode_level(tree_of(histories), t, inputs.view());
  }
  const MatrixView<const float> same = grown.model.answer(grown.queries);
  for (Index i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs.data[i], same.data[i]);
}

// what no query needs is left out, and nobody can tell
TEST(SequenceModel, EncodingWhatIsAskedGivesTheSameAnswersAndGradients) {
  const Place place;
  const Tree tree = tree_of(place.histories);
  for (const Told told : all_told) {
    Case<float> whole(place, told), part(place, told);
    // a few rows of the first levels: whole branches are not asked about
    for (Case<float>* k : {&whole, &part}) {
      Queries few;
      for (int q = 0; q < k->queries.size(); q += 5) {
        const Queries one = only(k->queries, q);
        few.row.push_back(one.row[0]);
        if (told.action) few.action.push_back(one.action[0]);
        if (told.goal) few.goal.push_back(one.goal[0]);
      }
      k->queries = few;
    }
    const MatrixView<const float> outputs = whole.outputs();
    part.model.encode(tree, part.inputs.view(), part.queries);
    const MatrixView<const float> same = part.model.answer(part.queries);
    ASSERT_EQ(outputs.rows, same.rows);
    for (Index i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs.data[i], same.data[i]);

    const MatrixView<const float> wanted = whole.wanted.view().slice(0, outputs.rows);
    whole.model.backward(wanted, whole.queries, tree);
    part.model.backward(wanted, part.queries, tree);
    const Block<float>& a = whole.model.parameters().gradients;
    const Block<float>& b = part.model.parameters().gradients;
    EXPECT_GT(norm(a), 0.1);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5F);
  }
}

// buffers only grow, and nothing of a large batch may be left in a small one
TEST(SequenceModel, ASmallBatchAfterALargeOneIsNotDisturbed) {
  const Place place;
  Case<float> used(place, {.action = true, .goal = true});
  used.gradients();
  set_zero(used.model.parameters().gradients);
  const Histories chain = chain_to(place.histories, place.histories.rows() - 1);
  HistoryInputs<float> inputs;
  inputs.append(chain, 0, used.encoding, place.world.A);
  const Queries query{.row = {2}, .action = {1}, .goal = {3}};
  SequenceModel<float> fresh(used.model.shape(), used.encoding, {});
  fresh.parameters().values = used.model.parameters().values;
  for (SequenceModel<float>* model : {&fresh, &used.model}) {
    model->encode(tree_of(chain), inputs.view());
    model->answer(query);
    model->backward(used.wanted.view().slice(0, 1), query, tree_of(chain));
  }
  EXPECT_EQ(fresh.parameters().gradients, used.model.parameters().gradients);
  EXPECT_GT(norm(fresh.parameters().gradients), 0.1);
}

TEST(SequenceModel, AStepUsesUpTheGradientAndNamesABadOne) {
  const Place place;
  Case<float> k(place, {});
  k.gradients();
  const Block<float> before = k.model.parameters().values;
  k.model.step({.learning_rate = 1e-2}, /*update=*/0);
  EXPECT_NE(k.model.parameters().values, before);
  EXPECT_EQ(norm(k.model.parameters().gradients), 0);
  EXPECT_EQ(k.model.adam().steps, 1);

  const Block<float> good = k.model.parameters().values;
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    k.model.parameters().gradients[20] = bad;
    try {
      k.model.step({}, /*update=*/17);
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
