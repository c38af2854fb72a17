// What the models are asked about a batch: each distinct question once, and all that came of it.
#include "method/learner.h"

namespace vic {

// pi_q: what was decided, told where it ended
void Learner::ask_decisions_in_hindsight(const Batch& batch) {
  const Hindsight& look = hindsight_;
  const ActionCode& actions = encoding().actions;
  Part& part = *pi_q_;
  part.queries.clear();
  part.outcomes.clear();
  part.foresight.clear();
  part.weight = look.decision_weight;
  index_.assign(look.row.size(), -1);
  for (std::size_t e = 0; e < look.decision.size(); ++e) {
    const int pair = look.decision_pair[e];
    int& query = index_[pair];
    if (query < 0) {
      query = part.queries.size();
      part.queries.row.push_back(look.row[pair]);
      part.queries.goal.push_back(look.final_state[pair]);
      if (settings_.corrects()) part.foresight.push_back(decisions_.query_of(look.row[pair]));
    }
    part.outcomes.query.push_back(query);
    actions.append_choices(part.outcomes.choice, batch.decision_action[look.decision[e]]);
  }
}

// rho_p: where a move led to
void Learner::ask_transitions(const Batch& batch) {
  const Histories& tree = batch.histories;
  const Hindsight& look = hindsight_;
  Part& part = *rho_p_;
  part.queries.clear();
  part.outcomes.clear();
  part.weight.assign(tree.rows() - tree.roots(), 0);
  asked_after_.assign(batch.decision_row.size(), -1);
  for (int r = tree.roots(); r < tree.rows(); ++r) {
    int& query = asked_after_[batch.into[r]];
    if (query < 0) {
      query = part.queries.size();
      part.queries.row.push_back(tree.parent[r]);
      part.queries.action.push_back(tree.action[r]);
    }
    part.outcomes.query.push_back(query);
    part.outcomes.choice.push_back(tree.state[r]);
    float& weight = part.weight[r - tree.roots()];
    for (int k = look.first[r]; k < look.first[r + 1]; ++k) weight += look.weight[k];
  }
}

// rho_q: the same, told where it ended
void Learner::ask_transitions_in_hindsight(const Batch& batch) {
  const Histories& tree = batch.histories;
  const Hindsight& look = hindsight_;
  Part& part = *rho_q_;
  part.queries.clear();
  part.outcomes.clear();
  part.foresight.clear();
  part.weight.assign(look.weight.begin() + look.first[tree.roots()], look.weight.end());
  index_.assign(look.decision.size(), -1);
  for (int k = look.first[tree.roots()]; k < static_cast<int>(look.row.size()); ++k) {
    const int r = look.row[k];
    int& query = index_[look.into[k]];
    if (query < 0) {
      query = part.queries.size();
      part.queries.row.push_back(tree.parent[r]);
      part.queries.action.push_back(tree.action[r]);
      part.queries.goal.push_back(look.final_state[k]);
      if (settings_.corrects()) part.foresight.push_back(asked_after_[batch.into[r]]);
    }
    part.outcomes.query.push_back(query);
    part.outcomes.choice.push_back(tree.state[r]);
  }
}

}  // namespace vic
