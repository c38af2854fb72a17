// The frontier between coverage and control: the policies that maximise D + lambda N.
//
// D + lambda N = (1 - lambda) D + lambda H. For lambda from 0 to 1 its maximisers are the policies
// that no other beats in control D and coverage H at once. It is concave there, so the optimum
// comes with a certificate. Beyond 1 control is penalised: H + (lambda - 1) N is a concave function
// plus a convex one. The result is then the best of several ascents, a lower bound; the upper bound
// is lambda H_max, because D is never negative.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/ranks.h"
#include "oracle/truth.h"

namespace vic {

struct FrontierPoint {
  double lambda = 0;
  double value = 0;  // D + lambda N
  double gap = 0;    // no policy is better by more than this
  Control control;
  double success = 0;  // mean over goals of the posterior's success, see oracle/reach.h
};

struct Frontier {
  std::vector<FrontierPoint> points;  // in the order of the lambdas
  double best_success = 0;            // mean over goals of the best success of any policy
  std::vector<std::string> notes;
};

// The default lambdas: dense below 1, where the curve bends.
std::vector<double> frontier_lambdas();

// Empty where there are more histories than settings.histories, or too many for the memory. Points
// are solved independently, on `threads` threads of each rank, which do not change the result.
// `progress` is called with the number solved.
std::optional<Frontier> find_frontier(const TabularWorld& world, std::span<const double> lambdas,
                                      const ExactSettings& settings, int threads,
                                      const TaskProgress& progress = {}, Ranks& ranks = alone());

}  // namespace vic
