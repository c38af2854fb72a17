// For the tests: the half-cheetah, as a simulator and as MuJoCo's model.
#pragma once

#include <utility>
#include <vector>

#include "sim/mujoco/mujoco_world.h"
#include "sim/world.h"

namespace vic {

inline SimulatorPtr cheetah(std::vector<Assignment> settings = {}) {
  Overrides overrides(std::move(settings));
  return load_simulator("half-cheetah", overrides);
}

inline MujocoModel cheetah_model(std::vector<Assignment> settings = {}) {
  Overrides overrides(std::move(settings));
  return load_mujoco_world("half-cheetah", overrides)->model();
}

}  // namespace vic
