// How states enter the nets. The paper does not say how it did it; see docs/method.md for what each
// way buys.
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

// The codes of all states: look-ups of rows in a table, and plain numbers.
struct Encoding {
  int K = 0;                    // look-ups a state
  int table = 0;                // rows they may name
  std::vector<int> lookup;      // (S, K)
  int D = 0;                    // plain numbers a state
  std::vector<double> numbers;  // (S, D)
  bool relative = false;        // the numbers of s_f are told as those of s_f minus those of s_t
  bool blind = false;           // histories show s_0 and the actions, and no state after
};

// Throws a UsageError where the code needs coordinates that the world does not have.
Encoding encode_states(const TabularWorld& world, StateCode code);

}  // namespace vic
