#include "world/episode.h"

#include "base/error.h"

namespace vic {

void Episode::step(int action, double u) {
  const TabularWorld& world = *world_;
  if (done_) fail_usage("The episode in {} has ended; begin a new one.", world.name);
  if (action < 0 || action > world.A) {
    fail_usage("{} has no action {}; its actions are 0 to {}.", world.name, action, world.A);
  }
  if (action < world.A && forced()) {
    fail_usage("In state {} of {} only termination, action {}, is left.", world.state_names[state_],
               world.name, world.A);
  }
  ++actions_taken_;
  if (action == world.A) {
    done_ = true;
    return;
  }
  const int e = world.draw(state_, action, u);
  external_reward_ += world.reward(state_, world.next[e]);
  state_ = world.next[e];
}

}  // namespace vic
