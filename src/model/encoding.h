// How states, actions and goals enter the nets. The paper does not specify it; docs/method.md
// compares the encodings.
//
// An Encoding holds sizes: a model is built for one, and it never changes. The Codes are those of a
// table's states, which never change either, or those of the states in a batch of simulated
// options, which belong to that batch.
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
  relative,  // axes, with coordinates counted in steps, and s_f relative to s_t
};

template <>
inline constexpr auto names_of<StateCode> = std::to_array<std::string_view>({"onehot", "coords",
                                                                             "axes", "relative"});

// How one kind of item enters the nets: look-ups of rows in a table, and plain numbers.
struct CodeShape {
  int K = 0;      // look-ups per item
  int table = 0;  // rows of the table
  int D = 0;      // plain numbers per item
};

struct Encoding {
  CodeShape states, goals;
  bool relative = false;  // a goal's numbers enter as their difference to those of s_t
  bool rates = false;     // and over the time left, too: the first number is the time
  bool blind = false;     // histories show s_0 and the actions, but no later state
  // numbers of a state's code that histories do not show, but that goals are relative to: only of
  // simulated states, which have the numbers of their rows
  std::vector<int> unseen = {};
  int d = 0;        // coordinates of a state, in which steps are predicted
  int F = 1;        // factors of an action: 1 in a table, else one per actuator
  int L = 0;        // classes of a factor
  int A = 0;        // rows of a table that encode the choices of an action
  int choices = 0;  // classes of a policy's choices, those of all factors together
  // numbers of a continuous action, one per actuator: then F, L, A and choices are 0, and the last
  // action is among the numbers of a state; 0 where actions are classes
  int continuous = 0;

  // Numbers of a goal that a model conditioned on it reads.
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
  std::vector<float> place;          // (S, K) its place on the axes of cells, the start at 0
  std::vector<float> left;           // (S) the share of the option's time that is left

  // The class of factor f of an action.
  int choice(const Encoding& encoding, int a, int f) const {
    return levels.empty() ? a : levels[std::size_t(a) * encoding.F + f];
  }

  // The row of a table that encodes that choice.
  int action_lookup(const Encoding& encoding, int a, int f) const {
    return f * encoding.L + choice(encoding, a, f);
  }

  // Appends the choices of an action's factors; for a continuous action, its number.
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

// The states as the classes of a prediction. They share an output for each value on each axis; in
// the relative encoding, for each difference to the last state of the history, where absorbing
// states share other outputs than the rest.
SharedClasses state_classes(const TabularWorld& world, StateCode code);

}  // namespace vic
