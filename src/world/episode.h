// One option, taken step by step, and a readable record of it, for people and golden tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "world/tabular.h"

namespace vic {

// The world is shared and never changes; the episode does.
class Episode {
 public:
  // Begins in s_0. The world must outlive the episode.
  explicit Episode(const TabularWorld& world) : world_(&world), state_(world.s_0) {}

  int state() const { return state_; }
  int actions_taken() const { return actions_taken_; }
  double external_reward() const { return external_reward_; }

  // Whether the option has ended; no further step may be taken.
  bool done() const { return done_; }

  // Whether termination is the only action left.
  bool forced() const { return world_->forced(actions_taken_, state_); }

  // Takes an action: a move, or world.A to terminate. `u` in [0, 1) chooses among the outcomes.
  // Throws a UsageError for an action that is not available.
  void step(int action, double u);

 private:
  const TabularWorld* world_;
  int state_;
  int actions_taken_ = 0;
  double external_reward_ = 0;
  bool done_ = false;
};

// The picture with the start, the steps until termination is the only action left, and the picture
// with the path. Every action is drawn uniformly from the moves, by the seed.
std::string playthrough(const TabularWorld& world, std::uint64_t seed);

// The picture as lines of text, with '@' on the state and '*' on the states of `path`.
std::string draw(const TabularWorld& world, int state, const std::vector<int>& path);

}  // namespace vic
