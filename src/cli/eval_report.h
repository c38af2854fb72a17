// An evaluation beside the exact optima, for people.
#pragma once

#include "cli/console.h"
#include "eval/record.h"
#include "run/run_folder.h"

namespace vic {

// What the run is measured against, with the progress of the solvers. Throws Interrupted.
Reference solve(const Run& run, const Console& console);

void print_evaluation(const Run& run, const Evaluation& evaluation, const Reference& reference,
                      const Console& console);

// vic eval RUN --from all: what the run controls from each start, drawn in the file `svg` too where
// that is not empty.
void show_starts(const Run& run, const EvalSettings& settings, const std::string& svg,
                 const Console& console);

}  // namespace vic
