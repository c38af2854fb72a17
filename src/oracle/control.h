// The split of coverage H(s_f) into control D and chance N.
#pragma once

#include <optional>
#include <vector>

#include "base/stop.h"
#include "oracle/unrolled.h"

namespace vic {

// I(Omega; s_f) = H(s_f) = D + N, in nats.
struct Control {
  double H = 0;             // entropy of s_f
  double D = 0;             // sum_t I(a_t; s_f | tau_t): the agent's part
  double N = 0;             // sum_t I(s_t+1; s_f | tau_t, a_t): the world's part
  std::vector<double> p_f;  // (S) p(s_f)
};

// Exact for any policy on any unrolled world: where rows are states, the policy and its beliefs
// about s_f do not depend on the rest of the history. H comes from the visits, forward, D and N
// from beliefs about s_f, backward. Throws Interrupted.
Control measure(const Unrolled& unrolled, const Policy& policy, Stop stop = {});

// The same; empty where `enough` is set before it is done.
std::optional<Control> measure_until(const Unrolled& unrolled, const Policy& policy, Stop enough,
                                     Stop stop = {});

// The number of values that `measure` computes, to check a budget in advance.
double measure_work(const Unrolled& unrolled);

}  // namespace vic
