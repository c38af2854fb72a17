// A model that takes the actions of one option, and many of them side by side.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/mujoco/mujoco_model.h"
#include "sim/simulator.h"

struct mjData_;

namespace vic {

// The numbers that decide all that follows, bit by bit: actions taken, time, the state, and the
// accelerations from which MuJoCo's solver starts its next search.
struct SnapshotLayout {
  explicit SnapshotLayout(const MujocoModel& model)
      : n(model.n), warm_start(2 + model.n), size(warm_start + model.nv) {}

  static constexpr int actions = 0, time = 1, state = 2;
  int n, warm_start, size;
};

class MujocoEpisode {
 public:
  // Begins at the start. The model must outlive the episode.
  explicit MujocoEpisode(const MujocoModel& model);

  // Back to the start.
  void reset();

  int actions_taken() const { return actions_; }
  bool done() const { return actions_ == model_->T; }

  // Takes an action: each actuator's level, (F) numbers from 0 to L - 1. Throws a UsageError for a
  // level that does not exist and after the T-th action, a SimulationError where MuJoCo warns; then
  // only reset and restore are of use.
  void step(std::span<const int> levels);

  // Writes the state, (n).
  void state(std::span<double> out) const;

  // Writes or takes a snapshot, (SnapshotLayout::size). Any episode of the model goes on from it
  // with the same bits.
  void save(std::span<double> out) const;
  void restore(std::span<const double> snapshot);

 private:
  void simulate();
  [[noreturn]] void fail(const std::string& reason);

  const MujocoModel* model_;
  SnapshotLayout layout_;
  std::unique_ptr<mjData_, void (*)(mjData_*)> data_;
  int actions_ = 0;
  bool failed_ = false;
  std::vector<double> controls_;  // (F) of the last action
  std::vector<double> before_;    // (n) the state before the last simulation step
};

// B episodes that take their steps together, on a few threads. The same bytes for any number of
// threads: an episode's step depends on nothing but its snapshot and its levels.
class MujocoEpisodes : public Episodes {
 public:
  // All at the start. The model must outlive them.
  MujocoEpisodes(const MujocoModel& model, int B, int threads);

  void reset(const EpisodeSeed& seed) override;  // nothing is random
  using Episodes::reset;
  void step(std::span<const int> levels) override;
  std::span<const double> state(int b) const override;
  int actions_taken(int b) const;

  int snapshot_size() const override { return layout_.size; }
  void save(int b, std::span<double> snapshot) const override;
  void restore(int b, std::span<const double> snapshot) override;

 private:
  void step_one(MujocoEpisode& worker, int b, std::span<const int> levels);

  const MujocoModel* model_;
  SnapshotLayout layout_;
  // an mjData per thread and not per episode: 3 MB each, and what is worked on stays in the cache
  std::vector<MujocoEpisode> workers_;      // (threads)
  std::vector<double> snapshots_;           // (B, size)
  std::vector<std::exception_ptr> errors_;  // (B)
};

}  // namespace vic
