// Printing an evaluation, compared with the exact optima.
#pragma once

#include "cli/console.h"
#include "eval/reference.h"
#include "run/run_folder.h"

namespace vic {

// The reference of the run, with the progress of the solvers. Throws Interrupted.
Reference solve(const Run& run, const Console& console);

// Writes an evaluation in the format that the user chose, from the text of its document, which
// errors call `path`. Throws a UsageError if it is damaged.
void show_evaluation(const Run& run, const std::string& text, const std::string& path,
                     const Console& console);

// vic eval RUN --from all: what the run controls from each start; also drawn in the file `svg`
// unless that is empty.
void show_starts(const Run& run, const EvalSettings& settings, const std::string& svg,
                 const Console& console);

}  // namespace vic
