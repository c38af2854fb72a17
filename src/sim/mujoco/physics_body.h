// Where the parts of a body are in a given state: what people see of it.
#pragma once

#include <memory>
#include <numbers>
#include <span>
#include <vector>

#include "sim/mujoco/physics.h"

struct mjData_;

namespace vic {

// A part of the body as seen from its side: all points within r of the line between two points.
struct Capsule {
  double x1 = 0, z1 = 0, x2 = 0, z2 = 0, r = 0;  // metres
  int limb = 0;  // 0 for what all hangs on, then 1, 2, … for each part that hangs on it; -1: fixed
};

// How the whole body is: where it is, and how far it has turned nose down, without wrapping.
struct Posture {
  double x = 0, z = 0;  // metres
  double pitch = 0;     // radians
};

// Turns from one posture to another; positive is forward.
inline double turns_between(const Posture& from, const Posture& to) {
  return (to.pitch - from.pitch) / (2 * std::numbers::pi);
}

// A body that can be put into any state.
class PhysicsBody {
 public:
  // In the start state. The world must outlive it.
  explicit PhysicsBody(const PhysicsWorld& world);

  void put(std::span<const double> state);  // (n), or its positions alone

  Posture posture() const;
  std::vector<Capsule> capsules() const;  // planes are left out: they are the ground

 private:
  const PhysicsWorld* world_;
  std::unique_ptr<mjData_, void (*)(mjData_*)> data_;
};

}  // namespace vic
