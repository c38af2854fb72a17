#include "oracle/reward.h"

#include "oracle/sweep.h"

namespace vic {

BestReward best_reward(const Unrolled& unrolled) {
  const TabularWorld& world = *unrolled.world;
  const int actions = world.A + 1;
  BestReward best;
  for (const Level& level : unrolled.levels) best.policy.emplace_back(level.rows() * actions, 0.0);
  const auto gain = [&](int s, int s_next) { return world.reward(s, s_next); };
  best.value = backward(unrolled, gain, [&](int t, int i, std::span<const double> q) {
    // termination pays nothing; a move must promise more
    int chosen = world.A;
    double value = 0;
    for (std::size_t a = 0; a < q.size(); ++a) {
      if (q[a] <= value) continue;
      value = q[a];
      chosen = static_cast<int>(a);
    }
    best.policy[t][i * actions + chosen] = 1;
    return value;
  });
  return best;
}

}  // namespace vic
