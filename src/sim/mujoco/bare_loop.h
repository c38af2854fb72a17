// Options in a loop of nothing but mj_step, to measure what episodes add to it.
#pragma once

#include <span>
#include <vector>

#include "sim/mujoco/mujoco_model.h"

namespace vic {

class BareLoop {
 public:
  // The model must outlive it.
  BareLoop(const MujocoModel& model, int threads);

  // Runs B options one after the other, each by the thread that is free, and returns their final
  // states, (B, n). `levels` are those of all actions, (T, B, F).
  std::vector<double> run(std::span<const int> levels, int B);

 private:
  const MujocoModel* model_;
  std::vector<MujocoData> data_;  // (threads)
};

}  // namespace vic
