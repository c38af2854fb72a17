// For the tests: one episode of a MuJoCo model.
#pragma once

#include <mujoco/mujoco.h>

#include <algorithm>
#include <span>

#include "sim/mujoco/mujoco_world.h"

namespace vic {

// where the parts of a snapshot begin
inline constexpr int state_at = 1;
inline int warm_start_at(const MujocoModel& model) {
  return 2 + model.spec.n();
}
inline int snapshot_size(const MujocoModel& model) {
  return warm_start_at(model) + model.model->nv;
}

class OneEpisode {
 public:
  explicit OneEpisode(const MujocoModel& model)
      : world_(model), episodes_(world_.make_episodes(/*B=*/1, /*threads=*/1)) {}

  void reset() { episodes_->reset(); }
  void step(std::span<const int> levels) { episodes_->step(levels); }
  int actions_taken() const { return episodes_->actions_taken(0); }
  bool done() const { return actions_taken() == world_.spec().T; }

  void state(std::span<double> out) const { std::ranges::copy(episodes_->state(0), out.begin()); }
  void save(std::span<double> out) const { std::ranges::copy(episodes_->snapshot(0), out.begin()); }
  void restore(std::span<const double> snapshot) {
    std::ranges::copy(snapshot, episodes_->snapshot(0).begin());
  }

 private:
  MujocoWorld world_;
  std::unique_ptr<Episodes> episodes_;
};

}  // namespace vic
