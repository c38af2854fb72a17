// The learned empowerment map: how much a run that was trained from all starts controls from each
// of them.
#pragma once

#include <functional>
#include <vector>

#include "eval/evaluate.h"
#include "method/agent.h"

namespace vic {

struct StartControl {
  int start = 0;
  bool exact = false;
  double H = 0;
  double ci95 = 0;             // half of the 95 % interval of H; 0 if exact
  std::optional<double> D, N;  // exact, or without chance
};

// All states that are not absorbing, in increasing order; `step` is called after each. H is sampled
// with `options` options if a start has more than `settings.histories` histories. Throws a
// UsageError if the run was trained from one start.
std::vector<StartControl> evaluate_starts(const Agent& agent, const EvalSettings& settings,
                                          int options, const Step& step = {});

}  // namespace vic
