// An evaluation beside the truth, for people and for scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/console.h"
#include "run/evaluate.h"
#include "run/run_folder.h"

namespace vic {

// What a learner is measured against. D_max only where it is quickly known.
struct EvalTruth {
  double H_max = 0;
  double H_max_gap = 0;  // H_max may be larger by this
  std::optional<double> D_max, H_at_D_max;
};

EvalTruth find_eval_truth(const TabularWorld& world);

nlohmann::ordered_json evaluation_json(const Run& run, const Evaluation& evaluation,
                                       const EvalTruth& truth);

void print_evaluation(const Run& run, const Evaluation& evaluation, const EvalTruth& truth,
                      const Console& console);

}  // namespace vic
