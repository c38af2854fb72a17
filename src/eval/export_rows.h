// Exports of an agent: options that it samples, and its models as tables over all histories of a
// small world.
#pragma once

#include <vector>

#include "base/stop.h"
#include "eval/policy_table.h"
#include "method/learner.h"

namespace vic {

// A sampled option. T is its number of actions.
struct OptionRow {
  std::vector<int> states;       // in a table: (moves + 1) state indices
  std::vector<int> actions;      // in a table: (T) moves, then A, the termination
  std::vector<double> observed;  // in a simulated world: (T + 1, n)
  std::vector<int> levels;       // in a simulated world: (T, F), or empty
  std::vector<double> controls;  // for continuous actions: (T, F), or empty
  int cell = 0;                  // what final states are counted by: s_f, or its cell
  double reward = 0;             // intrinsic
  double log_pi_p = 0;           // of all decisions
  double external = 0;           // external reward
};

// Options of pi_p, the same as in an evaluation with this seed. Calls `step` between batches.
std::vector<OptionRow> sample_rows(const Learner& learner, int options, int seed, const Step& step);

// The models of an agent in a table, in every history that leaves a choice.
struct PolicyRows {
  HistoryTree tree;
  std::vector<int> rows;     // (R) rows of the tree
  std::vector<double> p;     // (R) probability that an option passes through the history
  std::vector<double> pi_p;  // (R, A + 1) termination last
  std::vector<int> goals;    // (G) states in which an option can end
  std::vector<double> pi_q;  // (G, R, A + 1) or empty, for algorithms without one
  std::vector<double> b;     // (R, A, G) or empty, for algorithms without one
};

// Throws a UsageError if the world has more than `largest_rows` histories, or the tables would have
// more than 10^8 numbers.
PolicyRows policy_rows(const Agent& agent, long largest_rows, const Step& step);

// The states and actions of a history, in the order of time: s_0, a_0, s_1, …
struct History {
  std::vector<int> states, actions;
};
History history_of(const Histories& histories, int row);

}  // namespace vic
