// A batch of options: which histories they passed, what was decided there, and, looking back from
// where they ended, the same once more for every final state. What is made of many of them: the
// policy gradient, and how often options end where.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/model.h"
#include "world/histories.h"

namespace vic {

// Which options are sampled: the same address samples the same options from the same policy.
struct RolloutAddress {
  std::uint64_t seed = 0;
  std::uint32_t update = 0;
  std::uint32_t first = 0;  // the number of the first option: that of a shard in its whole batch
};

// Where an option begins, and the goal that the policy is conditioned on, if it is on any.
struct Beginning {
  int state = 0;
  int goal = -1;

  auto operator<=>(const Beginning&) const = default;
};

// An option is the row of its last history. What many options share is here once, with a count.
struct Batch {
  int options = 0;  // B
  Histories histories;
  HistoryInputs<float> inputs;         // of the histories' rows
  std::shared_ptr<const Codes> codes;  // of its states, actions and goals
  std::vector<int> goal;         // (roots) the goal that the policy was conditioned on; -1 for none
  std::vector<char> forced;      // (R) only termination was left: nothing was decided
  std::vector<double> ended;     // (R) options that terminated here: how many, or how many of the B
                                 // are expected to, where all options are weighed
  std::vector<double> external;  // (R) external reward on the way here
  std::vector<int> cell;         // (R) what final states are counted by: the state, or part of it

  // the decisions: distinct (history, action), where there was a choice
  std::vector<int> decision_row;       // (D)
  std::vector<int> decision_action;    // (D)
  std::vector<float> decision_weight;  // (D) the share of the options that decided so
  std::vector<int> into;               // (R) the decision that led to the row; -1 in level 0
  std::vector<int> stop;               // (R) the decision to terminate here; -1 for none

  void clear();

  // How many sampled options terminated in a row.
  int count(int row) const { return static_cast<int>(ended[row]); }

  // The levels in which something was decided, for the nets.
  Tree tree() const;
  int decided_levels = 0;

  // Appends a query about each row from `begin` to `end` that has a choice, in their order, and to
  // query_of which it is; -1 without a choice.
  void append_queries(Queries& queries, std::vector<int>& query_of, int begin, int end) const;

  // What models are queried about.
  QueryContext context() const { return {histories, inputs.view(), tree(), *codes}; }
};

// The batch in hindsight: pairs of a history and a final state that it led to.
struct Hindsight {
  std::vector<int> first;        // (R + 1) the pairs of a row
  std::vector<int> row;          // (P)
  std::vector<int> final_state;  // (P)
  std::vector<float> weight;     // (P) the share of the options that passed it
  std::vector<int> parent;       // (P) the pair of the history before; -1 in level 0

  // the decisions: distinct (pair, action)
  std::vector<int> decision_pair;      // (E)
  std::vector<int> decision;           // (E) the decision of the batch
  std::vector<float> decision_weight;  // (E)
  std::vector<int> into;               // (P) the decision that led to the pair; -1 in level 0
  std::vector<int> stop;               // (P) the decision to terminate; -1 for none

  // Rebuilds all of it.
  void look_back(const Batch& batch);

  // The pair of a row and a final state that the row led to.
  int find(int at, int s_f) const;

 private:
  void collect_goals(const Batch& batch);
  void number_pairs(const Batch& batch);
  void number_decisions(const Batch& batch);

  struct Goal {
    int s_f;
    double count;
  };
  std::vector<std::vector<Goal>> goals_;  // (R) work space
  // the decisions of a pair as a chain
  std::vector<int> last_of_;  // (P) work space: the one that was made last; -1 for none
  std::vector<int> before_;   // (E) work space: the one of the same pair before
};

// What reward a critic expects of an option.
struct CriticValues {
  std::vector<double> V = {};  // (R) that passes a row; anything where only termination is left
  std::vector<double> Q = {};  // (queries, choices) that makes a choice there; or empty

  void clear();
};

// What a policy decided in a batch, and what came of it: the policy gradient.
struct Decisions {
  Queries queries;           // the rows that had a choice, in the order in which they are sampled
  Targets targets;           // one for each decision of the batch
  std::vector<float> scale;  // (D) the advantage of the options that decided so, by their shares

  // Fills queries and targets.
  void read(const Batch& batch, const Encoding& encoding);

  // The query about a row that had a choice.
  int query_of(int row) const { return query_of_[row]; }

  // Fills scale from the advantage (R) of an option that ended in each row: the reward minus a
  // baseline.
  void set_advantages(const Batch& batch, std::span<const double> advantage);

  // Adds to scale the advantages by TD(td) of a critic. For a decision d in x that led to y,
  //   A(d) = Q(d) - V(x) + td (V(y) - Q(d) + A of the decision in y).
  // With Q of all choices and their probabilities p (queries, choices), the mean of Q(d) - V(x) is
  // taken over the choices, whichever was made; without, Q(d) is V(y). Where an option ends the
  // reward (R) stands for what is expected.
  void add_differences(const Batch& batch, std::span<const double> reward,
                       const CriticValues& critic, MatrixView<const float> p, double td);

 private:
  std::vector<int> query_of_;  // (R)
  std::vector<double> sum_;    // (R) work space: over the options of the subtree
};

// Where options of a batch ended: what is counted.
struct End {
  int start = 0;       // which start they began in
  int cell = 0;        // as in Batch
  int goal = 0;        // the goal among the batch's codes that it is
  double options = 0;  // how many, as in Batch::ended
};

// Those of a batch, in the order of its rows. start_of (roots): the start that a root is; empty
// where there is one.
std::vector<End> ends_of(const Batch& batch, std::span<const int> start_of = {});

// p(s_f | s_0) as an exponential moving average over batches: of states, or of cells of them.
struct RunningFrequencies {
  int S = 0;
  std::vector<double> sum;     // (X, S), a row for each start
  std::vector<double> weight;  // (X) what a row adds up to

  RunningFrequencies() = default;
  RunningFrequencies(int X, int states)
      : S(states), sum(static_cast<std::size_t>(X) * states, 0), weight(X, 0) {}

  // Whether an option of the start has been seen, and how often such options ended in s.
  bool knows(int x) const { return weight[x] > 0; }
  double p(int x, int s) const { return sum[static_cast<std::size_t>(x) * S + s] / weight[x]; }

  // Mean over the starts that are known of the entropy of p(. | s_0).
  double mean_entropy() const;

  // Adds a batch by where all its options ended.
  void add(std::span<const End> ends, double decay);
};

}  // namespace vic
