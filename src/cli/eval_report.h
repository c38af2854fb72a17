// An evaluation beside the truth, for people.
#pragma once

#include "cli/console.h"
#include "run/record.h"

namespace vic {

// `truth` is a truth_json.
void print_evaluation(const Run& run, const Evaluation& evaluation, const Json& truth,
                      const Console& console);

// vic eval RUN --from all: what the run controls from each start.
void print_starts(const Run& run, const EvalSettings& settings, bool json, const Console& console);

}  // namespace vic
