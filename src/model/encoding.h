// How states and actions enter the nets. The paper does not say how it did it; see docs/method.md
// for what each way buys.
#pragma once

#include <string>
#include <vector>

#include "world/tabular.h"

namespace vic {

enum class StateCode {
  onehot,    // a row of the table for every state
  coords,    // the coordinates, scaled to [-1, 1], and nothing else
  axes,      // the state and, if it has them, a row for each value on each axis, and coordinates
  relative,  // axes, with coordinates counted in steps, and s_f as it is seen from s_t
};

// Throws a UsageError with the known names.
StateCode parse_state_code(const std::string& name);

// The codes of all actions: a choice among L classes for each of F motors. In a tabular world an
// action is a single choice.
struct ActionCode {
  int F = 1;               // choices an action is made of
  int L = 0;               // classes of each
  std::vector<int> level;  // (actions, F); empty where an action is its own number

  int choice(int a, int f) const { return level.empty() ? a : level[std::size_t(a) * F + f]; }

  // The row of a table that stands for the choice.
  int lookup(int a, int f) const { return f * L + choice(a, f); }

  // Appends the choices that an action is made of.
  void append_choices(std::vector<int>& list, int a) const {
    for (int f = 0; f < F; ++f) list.push_back(choice(a, f));
  }
};

// The codes of all states: look-ups of rows in a table, and plain numbers. Those of a world with a
// table stay; a world that is met on the way has the states and actions of its last batch.
struct Encoding {
  int K = 0;                    // look-ups a state
  int table = 0;                // rows they may name
  std::vector<int> lookup;      // (S, K)
  int D = 0;                    // plain numbers a state
  std::vector<double> numbers;  // (S, D)
  bool relative = false;        // the numbers of s_f are told as those of s_f minus those of s_t
  bool rates = false;           // with them, how fast that is: the first number is the time
  bool blind = false;           // histories show s_0 and the actions, and no state after
  int d = 0;                    // coordinates a state, in which steps are predicted
  std::vector<double> coordinates;  // (S, d)
  ActionCode actions;

  // Numbers that a model is told of a goal.
  int goal_numbers() const { return rates ? 3 * D - 2 : D; }
};

// Throws a UsageError where the code needs coordinates that the world does not have.
Encoding encode_states(const TabularWorld& world, StateCode code);

}  // namespace vic
