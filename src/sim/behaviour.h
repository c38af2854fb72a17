// What an option did, as a person would tell it: how far it went, how high, how often it turned
// over. docs/physics.md states the rules.
#pragma once

#include <span>
#include <string>

#include "sim/simulator.h"

namespace vic {

struct Behaviour {
  Displacement displacement = {};  // (K) from the start to the end
  double height = 0;               // metres: the largest z of the posture on the way
  int flips = 0;                   // full turns, signed: at least k - 0.1 turns are k
  StateCell cell = {};             // (K)

  // what Simulator::describe makes of these
  std::string name = {};       // "2 backflips", "runs forward", "stays", …
  int kind = 0;                // behaviours of a kind have a colour in common
  std::string kind_name = {};  // "2 or more backflips"
  std::string caption = {};    // "−3.20 m forward, −2.03 turns, up to 1.34 m high"
};

// The behaviour of an option, from its states, (steps, n), the first of them the start. The viewer
// is used to look at them.
Behaviour behaviour_of(const Simulator& simulator, Viewer& viewer, std::span<const double> states);

}  // namespace vic
