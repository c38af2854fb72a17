// For the tests: a sequence model in a small world, its queries and its workspace.
#pragma once

#include <utility>
#include <vector>

#include "model/sequence_model.h"
#include "support/gradient_check.h"
#include "world/registry.h"

namespace vic {

inline constexpr int skills = 7;
inline constexpr Conditioning on_goal = {.goal = GoalKind::final_state};
inline constexpr Conditioning on_both = {.action = true, .goal = GoalKind::final_state};
inline const std::vector<Conditioning> all_conditionings = {
    {}, {.action = true}, on_goal, on_both, {.goal = GoalKind::skill}};

inline bool on_any_goal(Conditioning conditioning) {
  return conditioning.goal != GoalKind::none;
}

inline bool on_final_state(Conditioning conditioning) {
  return conditioning.goal == GoalKind::final_state;
}

// All of them with s_f encoded alone, and those on a goal also with s_f relative to s_t.
inline std::vector<std::pair<Conditioning, StateCode>> conditioned_and_coded() {
  std::vector<std::pair<Conditioning, StateCode>> list;
  for (const Conditioning conditioning : all_conditionings) {
    list.emplace_back(conditioning, StateCode::axes);
    if (on_any_goal(conditioning)) list.emplace_back(conditioning, StateCode::relative);
  }
  return list;
}

// The histories of at most two moves in the noisy tree, which share prefixes, and their world.
struct Place {
  TabularWorld world;
  Histories histories;

  Place() {
    Overrides shorter({{.key = "world.T_max", .value = "3", .origin = "test"}});
    world = load_world("tree-noisy", shorter);
    histories = *enumerate_histories(world, 1000);
  }
};

inline Tree tree_of(const Histories& histories) {
  return {histories.first, histories.parent};
}

// Some rows are queried once, some twice, some never.
inline Queries some_queries(const Place& place, Conditioning conditioning) {
  Queries queries;
  const int goals = on_final_state(conditioning) ? place.world.S : skills;
  for (int row = 0; row < place.histories.rows(); ++row) {
    for (int k = 0; k < row % 3; ++k) {
      queries.row.push_back(row);
      if (conditioning.action) queries.action.push_back((row + k) % place.world.A);
      if (on_any_goal(conditioning)) queries.goal.push_back((3 * row + 5 * k) % goals);
    }
  }
  return queries;
}

// The query alone.
inline Queries only(const Queries& queries, int q) {
  Queries one{.row = {queries.row[q]}, .action = {}, .goal = {}};
  if (!queries.action.empty()) one.action = {queries.action[q]};
  if (!queries.goal.empty()) one.goal = {queries.goal[q]};
  return one;
}

// A model with weights far from their small initial values; its loss is sum wanted * outputs.
template <class Real>
struct SequenceCase {
  const Place& place;
  EncodedTable table;
  SequenceModel<Real> model;
  SequenceWorkspace<Real> work;
  Optimizer<Real> optimizer;
  HistoryInputs<Real> inputs;
  Queries queries;
  Buffer<Real> wanted;

  SequenceCase(const Place& where, Conditioning conditioning, StateCode code = StateCode::axes)
      : place(where),
        table(encode_table(where.world, code)),
        model({.name = "net",
               .conditioning = conditioning,
               .encoding = table.encoding,
               .skills = skills,
               .hidden = 8,
               .outputs = 3},
              {.seed = 1, .stream = 0}),
        optimizer(model),
        queries(some_queries(where, conditioning)),
        wanted(random_matrix<Real>(queries.size(), model.columns(), 2)) {
    int stream = 10;
    for (const Slice& slice : model.parameters().layout.slices()) {
      fill_random(view(model.parameters().values, slice), static_cast<std::uint32_t>(stream++),
                  0.5);
    }
    inputs.append(place.histories, 0, table.encoding, table.codes);
  }

  MatrixView<const Real> outputs() {
    model.encode(work, tree_of(place.histories), inputs.view());
    return model.query(work, queries, table.codes);
  }

  const Block<Real>& gradient() {
    outputs();
    optimizer.gradient.assign(optimizer.gradient.size(), 0);
    add_gradient(wanted.view());
    return optimizer.gradient;
  }

  // From the outputs in the workspace.
  void add_gradient(MatrixView<const Real> doutputs) {
    model.backward(optimizer.gradient, work, doutputs, queries, table.codes,
                   tree_of(place.histories));
  }
};

}  // namespace vic
