// A body living through one option, and many of them side by side.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/mujoco/physics.h"

struct mjData_;

namespace vic {

// An option that MuJoCo could not simulate to its end: it counted a warning or met an error. The
// sentence names the world, the action, the warning, and the state and controls that led to it.
class SimulationError : public Error {
 public:
  using Error::Error;
};

// The numbers that decide all that follows, bit by bit: actions taken, time, the state, and the
// accelerations from which MuJoCo's solver starts its next search.
struct SnapshotLayout {
  explicit SnapshotLayout(const PhysicsWorld& world)
      : n(world.n), warm_start(2 + world.n), size(warm_start + world.nv) {}

  static constexpr int actions = 0, time = 1, state = 2;
  int n, warm_start, size;
};

class PhysicsEpisode {
 public:
  // Begins at the start. The world must outlive the episode.
  explicit PhysicsEpisode(const PhysicsWorld& world);

  // Back to the start.
  void reset();

  int actions_taken() const { return actions_; }
  bool done() const { return actions_ == world_->T; }

  // Takes an action: each motor's level, (M) numbers from 0 to L - 1. Throws a UsageError for a
  // level that does not exist and after the T-th action, a SimulationError where MuJoCo warns; then
  // only reset and restore are of use.
  void step(std::span<const int> levels);

  // Writes the state, (n).
  void state(std::span<double> out) const;

  // Writes or takes a snapshot, (SnapshotLayout::size). Any episode of the world goes on from it
  // with the same bits.
  void save(std::span<double> out) const;
  void restore(std::span<const double> snapshot);

 private:
  void simulate();
  [[noreturn]] void fail(const std::string& reason);

  const PhysicsWorld* world_;
  SnapshotLayout layout_;
  std::unique_ptr<mjData_, void (*)(mjData_*)> data_;
  int actions_ = 0;
  bool failed_ = false;
  std::vector<double> controls_;  // (M) of the last action
  std::vector<double> before_;    // (n) the state before the last simulation step
};

// B episodes that take their steps together, on a few threads. The same bytes for any number of
// threads: an episode's step depends on nothing but its snapshot and its levels.
class PhysicsEpisodes {
 public:
  // All at the start. The world must outlive them.
  PhysicsEpisodes(const PhysicsWorld& world, int B, int threads);

  void reset();

  // An action for each, (B, M). Where some throw, the error of the first of them is thrown once all
  // have stepped; those that threw are as they were before.
  void step(std::span<const int> levels);

  int B() const { return B_; }
  int actions_taken(int b) const;
  std::span<const double> state(int b) const;  // (n)

 private:
  void step_one(PhysicsEpisode& worker, int b, std::span<const int> levels);

  const PhysicsWorld* world_;
  SnapshotLayout layout_;
  int B_;
  // an mjData a thread and not an episode: 3 MB each, and what is worked on stays in the cache
  std::vector<PhysicsEpisode> workers_;     // (threads)
  std::vector<double> snapshots_;           // (B, size)
  std::vector<std::exception_ptr> errors_;  // (B)
};

}  // namespace vic
