// What an option did, as a person would tell it: how far it went, how high, how often it turned
// over, and how the body lay in the end. docs/physics.md states the rules.
#pragma once

#include <span>
#include <string>
#include <tuple>

#include "sim/mujoco/physics_body.h"

namespace vic {

// From the start to the end of an option.
struct Way {
  double distance = 0;  // metres forward
  double turns = 0;     // positive is nose down
};

// Two options are told apart by their place, in bins around the start, and by their full turns.
struct BehaviourCell {
  int place = 0;  // distance / world.bin, rounded: place 0 is centred on the start
  int turns = 0;  // full turns, signed; full from the share world.turn of one on

  bool operator==(const BehaviourCell&) const = default;
  bool operator<(const BehaviourCell& other) const {
    return std::tie(place, turns) < std::tie(other.place, other.turns);
  }
};

struct Behaviour {
  double distance = 0;  // metres forward, from the start to the end
  double height = 0;    // metres: the largest of the main body on the way
  double turns = 0;     // pitch from the start to the end; positive is nose down, a forward flip
  int flips = 0;        // full turns: |turns| of at least k - 0.1 are k, with the sign of turns
  Posture end{};
  BehaviourCell cell;
  std::string name;  // "2 backflips", "runs forward", "lies on its back", …
};

// A flip is at least this share of a turn. Rounding would count bodies that lie on their back.
inline constexpr double almost_a_turn = 0.9;

// Full turns in `turns`, signed, where the last of them counts from this share of it on.
int full_turns(double turns, double share = almost_a_turn);

// The cell of an option that went this way.
BehaviourCell cell_of(const PhysicsWorld& world, Way way);

// The cell that the method takes its s_f for: the same, but with turns in bins around the start
// where world.pitch_bin says so.
BehaviourCell rewarded_cell(const PhysicsWorld& world, Way way);

// The behaviour of an option, from its states, (steps, n), the first of them the start. The body is
// used to look at them.
Behaviour behaviour_of(const PhysicsWorld& world, PhysicsBody& body,
                       std::span<const double> states);

// The name of what was measured: everything but `name` and `cell` of the behaviour counts.
std::string behaviour_name(const Behaviour& behaviour);

}  // namespace vic
