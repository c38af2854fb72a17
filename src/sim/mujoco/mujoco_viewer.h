// Where the parts of a model are in a given state.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sim/mujoco/mujoco_model.h"
#include "sim/simulator.h"

struct mjData_;

namespace vic {

class MujocoViewer : public Viewer {
 public:
  // In the start state. The model must outlive it.
  explicit MujocoViewer(const MujocoModel& model);

  void put(std::span<const double> state) override;  // (n), or its positions alone

  void displacement(std::span<double> out) override;  // metres forward, turns forward
  void observe(std::span<double> out) override;       // sine and cosine of the pitch
  Posture posture() override;
  std::vector<Capsule> parts() override;  // planes are left out: they are the ground

 private:
  void find_positions();
  double pitch() const;

  const MujocoModel* model_;
  std::unique_ptr<mjData_, void (*)(mjData_*)> data_;
  bool found_ = false;  // data_ has the positions of the parts in this state
  Posture start_;
};

}  // namespace vic
