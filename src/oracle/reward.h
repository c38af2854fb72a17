// The external reward that the best policy earns.
#pragma once

#include "oracle/unrolled.h"

namespace vic {

struct BestReward {
  double value = 0;  // expected undiscounted return
  Policy policy;     // deterministic; terminates where nothing is left to gain
};

// By dynamic programming over time and state.
BestReward best_reward(const Unrolled& unrolled);

}  // namespace vic
