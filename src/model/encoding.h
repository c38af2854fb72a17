// How states, actions and goals enter the nets. The paper does not say how it did it; see
// docs/method.md for what each way buys.
//
// An Encoding is sizes: a model is built for one, and it never changes. The codes themselves are
// those of a table's states, which never change either, or of what a batch of simulated options
// met, which belong to that batch.
#pragma once

#include <vector>

#include "base/settings.h"
#include "nn/shared_classes.h"
#include "world/tabular.h"

namespace vic {

enum class StateCode {
  onehot,    // a row of the table for every state
  coords,    // the coordinates, scaled to [-1, 1], and nothing else
  axes,      // the state and, if it has them, a row for each value on each axis, and coordinates
  relative,  // axes, with coordinates counted in steps, and s_f as it is seen from s_t
};

template <>
inline constexpr auto names_of<StateCode> = std::to_array<std::string_view>({"onehot", "coords",
                                                                             "axes", "relative"});

// How one kind of item enters the nets: look-ups of rows in a table, and plain numbers.
struct CodeShape {
  int K = 0;      // look-ups per item
  int table = 0;  // rows they may name
  int D = 0;      // plain numbers per item
};

struct Encoding {
  CodeShape states, goals;
  bool relative = false;  // a goal's numbers enter as their difference to those of s_t
  bool rates = false;     // and how fast that is, too: the first number is the time
  bool blind = false;     // histories show s_0 and the actions, and no state after
  // numbers of a state's code that histories do not show, though goals are seen from them: only of
  // simulated states, which have the numbers of their rows
  std::vector<int> unseen = {};
  int d = 0;        // coordinates of a state, in which steps are predicted
  int F = 1;        // choices an action is made of: 1 in a table, else one per actuator
  int L = 0;        // classes of each
  int A = 0;        // rows of a table that stand for what was done
  int choices = 0;  // classes that a policy decides among, those of all factors together
  // numbers of a continuous action, one per actuator: then F, L, A and choices are 0, and what was
  // done last is among the numbers of a state; 0 where actions are classes
  int continuous = 0;

  // Numbers that a model conditioned on a goal reads of it.
  int goal_numbers() const { return rates ? 3 * goals.D - 2 : goals.D; }
};

struct Codes {
  std::vector<int> lookup;           // (S, states.K)
  std::vector<double> numbers;       // (S, states.D)
  std::vector<double> coordinates;   // (S, d) in typical steps of the world, as sigma is
  std::vector<int> goal_lookup;      // (G, goals.K)
  std::vector<double> goal_numbers;  // (G, goals.D)
  std::vector<int> goal_cell;        // (G) the cell of a simulated goal, as b numbers cells
  std::vector<int> levels;           // (actions, F); empty where an action is its own number
  std::vector<float> pushes;         // (actions, continuous): the numbers before tanh, or empty
  std::vector<double> observed;      // (S, n) all numbers of a simulated state; empty for tables
  std::vector<float> place;          // (S, K) where it is on the axes of cells, the start at 0
  std::vector<float> left;           // (S) the share of time that is left there

  // Which class an action has for one of its F factors.
  int choice(const Encoding& encoding, int a, int f) const {
    return levels.empty() ? a : levels[std::size_t(a) * encoding.F + f];
  }

  // The row of a table that stands for that choice.
  int action_lookup(const Encoding& encoding, int a, int f) const {
    return f * encoding.L + choice(encoding, a, f);
  }

  // Appends the choices that an action is made of; of a continuous one its number.
  void append_choices(std::vector<int>& list, const Encoding& encoding, int a) const {
    if (encoding.continuous > 0) list.push_back(a);
    for (int f = 0; f < encoding.F; ++f) list.push_back(choice(encoding, a, f));
  }
};

// All states of a world with a table; goals are states.
struct EncodedTable {
  Encoding encoding;
  Codes codes;
};

// Throws a UsageError where the code needs coordinates that the world does not have.
EncodedTable encode_table(const TabularWorld& world, StateCode code);

// The states as what a model predicts. They share an output for each value on each axis; where they
// are relative, for each difference to where the model's history is, and those that absorb share
// others than those that do not.
SharedClasses state_classes(const TabularWorld& world, StateCode code);

}  // namespace vic
