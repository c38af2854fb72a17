#include "eval/posterior.h"

#include <cmath>

#include "oracle/beliefs.h"
#include "oracle/sweep.h"

namespace vic {
namespace {

// Questions to a hindsight model with their exact answers.
struct Exam {
  Queries queries;
  std::vector<double> weight;  // (Q) how often the policy's options meet the question
  Outcomes outcomes;
  std::vector<double> exact;  // (M) p(outcome | question, s_f)
  std::vector<double> prior;  // (M) p(outcome | question): what is known without s_f

  void ask(int row, int s_f, double how_often) {
    queries.row.push_back(row);
    queries.goal.push_back(s_f);
    weight.push_back(how_often);
  }
  void answer(int choice, double posterior, double without_s_f) {
    outcomes.query.push_back(queries.size() - 1);
    outcomes.choice.push_back(choice);
    exact.push_back(posterior);
    prior.push_back(without_s_f);
  }

  // the mean over the questions of sum_outcomes exact * error(m)
  template <class Error>
  double mean(Error&& error) const {
    double sum = 0, total = 0;
    for (double w : weight) total += w;
    for (std::size_t m = 0; m < exact.size(); ++m) {
      if (exact[m] > 0) sum += weight[outcomes.query[m]] * exact[m] * error(m);
    }
    return total > 0 ? sum / total : 0;
  }
};

// Calls visit(t, i, row, f, p(tau)) for every history and final state that the policy can produce.
template <class Visit>
void each_pair(const Unrolled& unrolled, const Beliefs& beliefs, const Flow& visited,
               Visit&& visit) {
  int row = 0;
  for (int t = 0; t + 1 < unrolled.world->T_max; ++t) {
    const Level& level = unrolled.levels[t];
    for (int i = 0; i < level.rows(); ++i, ++row) {
      if (level.forced(i) || visited.visits[t][i] == 0) continue;
      for (int f : beliefs.support(t, level.state[i])) {
        if (beliefs.before(t, i)[f] > 0) visit(t, i, row, f, visited.visits[t][i]);
      }
    }
  }
}

// p(a | tau, s_f) = pi(a | tau) p(s_f | tau, a) / p(s_f | tau)
Exam action_exam(const Unrolled& unrolled, const Policy& policy, const Beliefs& beliefs,
                 const Flow& visited) {
  const int A = unrolled.world->A;
  Exam exam;
  each_pair(unrolled, beliefs, visited, [&](int t, int i, int row, int f, double passing) {
    const double before = beliefs.before(t, i)[f];
    const double* pi = &policy[t][i * (A + 1)];
    exam.ask(row, beliefs.final_state(f), passing * before);
    for (int a = 0; a < A; ++a) exam.answer(a, pi[a] * beliefs.after(t, i, a)[f] / before, pi[a]);
    const bool here = beliefs.column(unrolled.levels[t].state[i]) == f;
    exam.answer(A, here ? pi[A] / before : 0, pi[A]);
  });
  return exam;
}

// p(s' | tau, a, s_f) = p(s' | s, a) p(s_f | tau, a, s') / p(s_f | tau, a)
Exam transition_exam(const Unrolled& unrolled, const Policy& policy, const Beliefs& beliefs,
                     const Flow& visited) {
  const TabularWorld& world = *unrolled.world;
  Exam exam;
  each_pair(unrolled, beliefs, visited, [&](int t, int i, int row, int f, double passing) {
    const Level& level = unrolled.levels[t];
    const int s = level.state[i];
    for (int a = 0; a < world.A; ++a) {
      const double after = beliefs.after(t, i, a)[f];
      if (after <= 0) continue;
      exam.ask(row, beliefs.final_state(f), passing * policy[t][i * (world.A + 1) + a] * after);
      exam.queries.action.push_back(a);
      for (int e = world.first[s * world.A + a]; e < world.first[s * world.A + a + 1]; ++e) {
        const int child = level.child[level.first[i] + (e - world.begin(s))];
        exam.answer(world.next[e], world.p[e] * beliefs.at(t + 1, child, f) / after, world.p[e]);
      }
    }
  });
  return exam;
}

}  // namespace

PosteriorError posterior_error(Learner& learner, const Unrolled& unrolled, const Policy& policy,
                               const Histories& histories) {
  const Flow visited = flow(unrolled, policy);
  Beliefs beliefs(unrolled);
  beliefs.update(policy);
  HistoryInputs<float> inputs;
  inputs.append(histories, 0, learner.encoding(), learner.world().A);
  const Asked asked{histories, inputs.view(), tree_of(histories, histories.levels() - 1)};
  const auto log_p = [&](Predictor& predictor, const Exam& exam) {
    std::vector<float> answers;
    predictor.model().encode(asked.tree, asked.inputs);
    predictor.log_p(answers, exam.queries, exam.outcomes, asked);
    return answers;
  };

  const std::vector<Predictor*> models = learner.predictors();
  PosteriorError error;
  const Exam actions = action_exam(unrolled, policy, beliefs, visited);
  const std::vector<float> pi_q = log_p(*models[1], actions);
  error.pi_q = actions.mean([&](auto m) { return std::log(actions.exact[m]) - double(pi_q[m]); });
  if (models.size() < 4) return error;

  const Exam transitions = transition_exam(unrolled, policy, beliefs, visited);
  const std::vector<float> rho_p = log_p(*models[2], transitions);
  const std::vector<float> rho_q = log_p(*models[3], transitions);
  // a mixture is a density: only its ratios have a counterpart
  if (parse_algorithm(learner.settings().algorithm) == Algorithm::transition) {
    error.rho_q =
        transitions.mean([&](auto m) { return std::log(transitions.exact[m]) - double(rho_q[m]); });
  }
  error.rho_ratio = transitions.mean([&](auto m) {
    const double exact = std::log(transitions.exact[m] / transitions.prior[m]);
    return std::abs(double(rho_q[m]) - double(rho_p[m]) - exact);
  });
  return error;
}

}  // namespace vic
