// For the tests: a small world with all its histories, and models that are queried about it.
#pragma once

#include <vector>

#include "model/model.h"
#include "support/random_world.h"

namespace vic {

inline constexpr Mixture case_mixture = {.n = 3, .d = 1, .sigma = 0.5};
inline constexpr InitAddress model_address = {.seed = 3, .stream = 0};

// The queries are about every move, in hindsight of some final state.
struct ModelCase {
  TabularWorld world = random_world(9);
  EncodedTable table = encode_table(world, StateCode::axes);
  Histories histories = *enumerate_histories(world, 10000);
  HistoryInputs<float> inputs;
  HistoryInputs<double> inputs_double;
  Queries queries;
  Targets targets;
  std::vector<float> scale;  // (M)

  ModelCase() {
    inputs.append(histories, 0, table.encoding, table.codes);
    inputs_double.append(histories, 0, table.encoding, table.codes);
    // the outcomes of one move in one history share a query
    for (int r = 1; r < histories.rows(); ++r) {
      const bool again = queries.size() > 0 && queries.row.back() == histories.parent[r] &&
                         queries.action.back() == histories.action[r];
      if (!again) {
        queries.row.push_back(histories.parent[r]);
        queries.action.push_back(histories.action[r]);
        queries.goal.push_back(r % world.S);
      }
      targets.query.push_back(queries.size() - 1);
      targets.choice.push_back(histories.state[r]);
      scale.push_back(0.1F * static_cast<float>(1 + r % 7));
    }
  }

  Tree tree() const { return {histories.first, histories.parent}; }
  QueryContext context() const { return {histories, inputs.view(), tree(), table.codes}; }
  ModelShape shape(Index outputs) const {
    return {.name = "net",
            .conditioning = {.action = true, .goal = GoalKind::final_state},
            .encoding = table.encoding,
            .hidden = 8,
            .outputs = static_cast<int>(outputs)};
  }

  // Models with weights far from their small initial values.
  Model softmax_model() const {
    return stirred({shape(world.S), Factors{.K = world.S}, model_address});
  }
  Model mixture_model() const {
    return stirred({shape(case_mixture.outputs()), case_mixture, model_address});
  }

 private:
  static Model stirred(Model model) {
    for (float& x : model.net().parameters().values) x *= 5;
    return model;
  }
};

// A workspace in which all levels are encoded.
inline ModelWorkspace encoded(const Model& model, const ModelCase& k) {
  ModelWorkspace work;
  model.net().encode(work.net, k.tree(), k.inputs.view());
  return work;
}

// log_p (M) of the targets.
inline std::vector<float> log_p_of(const Model& model, ModelWorkspace& work, const ModelCase& k) {
  std::vector<float> log_p;
  model.log_p(log_p, work, k.queries, k.targets, k.context());
  return log_p;
}

// The gradient for the queries and targets whose log_p is in the workspace.
inline Block<float> gradient_of(const Model& model, ModelWorkspace& work, const ModelCase& k) {
  Block<float> gradient(model.net().parameters().values.size(), 0.0F);
  model.add_gradient(gradient, work, k.queries, k.targets, k.scale, k.context());
  return gradient;
}

}  // namespace vic
