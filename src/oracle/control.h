// How much of where an option ends is the agent's doing, and how much is chance.
#pragma once

#include <optional>
#include <vector>

#include "base/stop.h"
#include "oracle/unrolled.h"

namespace vic {

// I(Omega; s_f) = H(s_f) = D + N, in nats.
struct Control {
  double H = 0;             // entropy of s_f
  double D = 0;             // sum_t I(a_t; s_f | tau_t): the agent's own part
  double N = 0;             // sum_t I(s_t+1; s_f | tau_t, a_t): the part of the world's chance
  std::vector<double> p_f;  // (S) p(s_f)
};

// Exact for any policy on any unrolled world: where rows are states the policy does not look at the
// rest of the history, and neither does what it knows of s_f. H comes from the visits forward, D
// and N from beliefs about s_f backward. Throws Interrupted.
Control measure(const Unrolled& unrolled, const Policy& policy, Stop stop = {});

// The same, or nothing where `enough` is wanted before it is done.
std::optional<Control> measure_until(const Unrolled& unrolled, const Policy& policy, Stop enough,
                                     Stop stop = {});

// How many numbers `measure` computes: a budget can be checked before the work is done.
double measure_work(const Unrolled& unrolled);

}  // namespace vic
