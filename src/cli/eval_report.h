// An evaluation beside the exact optima.
#pragma once

#include "cli/console.h"
#include "eval/reference.h"
#include "run/run_folder.h"

namespace vic {

// What the run is measured against, with the progress of the solvers. Throws Interrupted.
Reference solve(const Run& run, const Console& console);

// Writes an evaluation in the form that the user wants, from the text of its document; `path` is
// what errors call that. Throws a UsageError where it is damaged.
void show_evaluation(const Run& run, const std::string& text, const std::string& path,
                     const Console& console);

// vic eval RUN --from all: what the run controls from each start, drawn in the file `svg` too where
// that is not empty.
void show_starts(const Run& run, const EvalSettings& settings, const std::string& svg,
                 const Console& console);

}  // namespace vic
