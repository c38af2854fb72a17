#include "sim/behaviour.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace vic {
namespace {

constexpr double turn = 2 * std::numbers::pi;

// less than this is no way at all, more than that was run
constexpr double still = 0.5, run = 2;

// a body about to explode may be anywhere
int whole(double number) {
  constexpr double far = 1e9;
  return static_cast<int>(std::clamp(number, -far, far));
}

}  // namespace

int full_turns(double turns, double share) {
  // what a sum of roundings takes from 0.9 does not count
  const double full = std::floor(std::abs(turns) + (1 - share) + 1e-12);
  return whole(turns < 0 ? -full : full);
}

BehaviourCell cell_of(const PhysicsWorld& world, Way way) {
  return {whole(std::round(way.distance / world.bin)), full_turns(way.turns, world.turn)};
}

BehaviourCell rewarded_cell(const PhysicsWorld& world, Way way) {
  BehaviourCell cell = cell_of(world, way);
  if (world.pitch_bin > 0) cell.turns = whole(std::round(way.turns / world.pitch_bin));
  return cell;
}

Behaviour behaviour_of(const PhysicsWorld& world, PhysicsBody& body,
                       std::span<const double> states) {
  const auto n = static_cast<std::size_t>(world.n);
  Behaviour behaviour;
  Posture start;
  for (std::size_t at = 0; at + n <= states.size(); at += n) {
    body.put(states.subspan(at, n));
    behaviour.end = body.posture();
    if (at == 0) start = behaviour.end;
    behaviour.height = at == 0 ? start.z : std::max(behaviour.height, behaviour.end.z);
  }
  behaviour.distance = behaviour.end.x - start.x;
  behaviour.turns = turns_between(start, behaviour.end);
  behaviour.flips = full_turns(behaviour.turns);
  behaviour.cell = cell_of(world, {behaviour.distance, behaviour.turns});
  behaviour.name = behaviour_name(behaviour);
  return behaviour;
}

std::string behaviour_name(const Behaviour& behaviour) {
  // turning over says more than all the rest
  if (const int flips = behaviour.flips; flips != 0) {
    return fmt::format("{} {}{}", std::abs(flips), flips > 0 ? "forward flip" : "backflip",
                       std::abs(flips) > 1 ? "s" : "");
  }
  // then how it ended, from upright over nose or tail to its back
  const double pitch = behaviour.turns * turn;
  if (std::cos(pitch) < -0.5) return "lies on its back";
  if (std::cos(pitch) < 0.5) return std::sin(pitch) > 0 ? "stands on its nose" : "rears up";
  // then where it went
  if (std::abs(behaviour.distance) < still) return "stays";
  return fmt::format("{} {}", std::abs(behaviour.distance) < run ? "crawls" : "runs",
                     behaviour.distance > 0 ? "forward" : "backward");
}

}  // namespace vic
