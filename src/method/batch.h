// A batch of options: the histories they passed, the decisions made there, and in hindsight the
// same for every final state. Also what is computed from batches: the scales of the policy gradient
// and the frequencies of final states.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/model.h"
#include "world/histories.h"

namespace vic {

// Where a rollout draws its random numbers: the same address and policy give the same options.
struct RolloutAddress {
  std::uint64_t seed = 0;
  std::uint32_t update = 0;
  std::uint32_t first = 0;  // index of the first option; a shard's, in the whole batch
};

// Where an option begins, and the goal on which the policy is conditioned; -1 for none.
struct Beginning {
  int state = 0;
  int goal = -1;

  auto operator<=>(const Beginning&) const = default;
};

// An option is the row of its last history. What options share is stored once, with a count.
struct Batch {
  int options = 0;  // B
  Histories histories;
  HistoryInputs<float> inputs;         // of the histories' rows
  std::shared_ptr<const Codes> codes;  // of its states, actions and goals
  std::vector<int> goal;         // (roots) the goal that the policy was conditioned on; -1 for none
  std::vector<char> forced;      // (R) only termination was left: nothing was decided
  std::vector<double> ended;     // (R) the number of options that terminated here; the expected
                                 // number of the B where all options are enumerated
  std::vector<double> external;  // (R) external reward on the way here
  std::vector<int> cell;         // (R) the bin of the row as a final state: its state or cell

  // the decisions: distinct pairs of history and action, where there was a choice
  std::vector<int> decision_row;       // (D)
  std::vector<int> decision_action;    // (D)
  std::vector<float> decision_weight;  // (D) the share of the options that made it
  std::vector<int> into;               // (R) the decision that led to the row; -1 in level 0
  std::vector<int> stop;               // (R) the decision to terminate here; -1 for none

  void clear();

  // The number of sampled options that terminated in a row.
  int count(int row) const { return static_cast<int>(ended[row]); }

  // The levels in which something was decided, for the nets.
  Tree tree() const;
  int decided_levels = 0;

  // Appends a query about each row in [begin, end) that has a choice, in order, and its index to
  // query_of; -1 for a row without a choice.
  void append_queries(Queries& queries, std::vector<int>& query_of, int begin, int end) const;

  // The batch as the context of a model's queries.
  QueryContext context() const { return {histories, inputs.view(), tree(), *codes}; }
};

// The batch in hindsight: pairs of a history and a final state that it led to.
struct Hindsight {
  std::vector<int> first;        // (R + 1) the first pair of each row, and P
  std::vector<int> row;          // (P)
  std::vector<int> final_state;  // (P)
  std::vector<float> weight;     // (P) the share of the options that passed the row and ended there
  std::vector<int> parent;       // (P) the pair of the parent history; -1 in level 0

  // the decisions: distinct (pair, action)
  std::vector<int> decision_pair;      // (E)
  std::vector<int> decision;           // (E) index among the decisions of the batch
  std::vector<float> decision_weight;  // (E)
  std::vector<int> into;               // (P) the decision that led to the pair; -1 in level 0
  std::vector<int> stop;               // (P) the decision to terminate; -1 for none

  // Rebuilds everything from a batch.
  void look_back(const Batch& batch);

  // The index of the pair of a row and a final state; -1 where the row did not lead there.
  int find(int at, int s_f) const;

 private:
  void collect_goals(const Batch& batch);
  void number_pairs(const Batch& batch);
  void number_decisions(const Batch& batch);

  struct Goal {
    int s_f;
    double count;
  };
  std::vector<std::vector<Goal>> goals_;  // (R) workspace
  // workspace: the decisions of a pair as a linked list
  std::vector<int> last_of_;  // (P) the last one added; -1 for none
  std::vector<int> before_;   // (E) the previous one of the same pair; -1 for none
};

// The reward that a critic expects of an option, and the reward that it is compared with.
struct CriticValues {
  std::vector<double> V = {};  // (R) that passes the row; unused where only termination is left
  std::vector<double> Q = {};  // (queries, choices) that makes the choice there; may be empty
  // (R) what of the intrinsic reward the critic expects, of an option that ended in the row; empty
  // until the critic is set: all of it
  std::vector<double> reward = {};
  double weight = 1;  // of the surprise of s_f in that reward

  void clear();
};

// The decisions of a policy in a batch, scaled by their advantages: the policy gradient.
struct Decisions {
  Queries queries;           // the rows that had a choice, in the order of sampling
  Targets targets;           // one for each decision of the batch
  std::vector<float> scale;  // (D) share times advantage, summed over the options that made it

  // Fills queries and targets.
  void read(const Batch& batch, const Encoding& encoding);

  // The query about a row that had a choice.
  int query_of(int row) const { return query_of_[row]; }

  // Fills scale from the advantage (R) of an option that ended in each row: the reward minus a
  // baseline.
  void set_advantages(const Batch& batch, std::span<const double> advantage);

  // Adds the TD(td) advantages of a critic to scale. For a decision d in row x that led to row y,
  //   A(d) = Q(d) - V(x) + td (V(y) - Q(d) + A of the decision in y).
  // Where the critic has Q, the mean of Q(d) - V(x) is taken over all choices, by their
  // probabilities p (queries, choices), whichever was made; otherwise Q(d) is V(y). Where an option
  // ends, critic.reward takes the place of V(y).
  void add_differences(const Batch& batch, const CriticValues& critic, MatrixView<const float> p,
                       double td);

 private:
  std::vector<int> query_of_;  // (R)
  std::vector<double> sum_;    // (R) workspace: over the options that pass the row
};

// Where options of a batch ended, to be counted.
struct End {
  int start = 0;       // index of the start
  int cell = 0;        // as in Batch
  int goal = 0;        // index of the goal among the batch's codes
  double options = 0;  // their number, as in Batch::ended
  int skill = 0;       // that the policy was conditioned on
};

// The ends of a batch, in the order of its rows. start_of (roots) is the start of each root; empty
// where there is one start.
std::vector<End> ends_of(const Batch& batch, std::span<const int> start_of = {});

// p(s_f | s_0) as an exponential moving average over batches, of states or of cells; or, by skill,
// p(s_f | Omega).
struct RunningFrequencies {
  int S = 0;
  std::vector<double> sum;     // (X, S), a row for each start, or for each skill
  std::vector<double> weight;  // (X) the sum of a row

  RunningFrequencies() = default;
  RunningFrequencies(int X, int states)
      : S(states), sum(static_cast<std::size_t>(X) * states, 0), weight(X, 0) {}

  // Whether an option of start x has been seen; the share of such options that ended in s.
  bool knows(int x) const { return weight[x] > 0; }
  double p(int x, int s) const { return sum[static_cast<std::size_t>(x) * S + s] / weight[x]; }

  // The entropy of p(. | s_0), averaged over the known starts.
  double mean_entropy() const;

  // Adds a batch, given where all its options ended. `row` is the start or the skill of an end.
  void add(std::span<const End> ends, double decay, int End::*row = &End::start);
};

}  // namespace vic
