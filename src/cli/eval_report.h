// An evaluation beside the truth, for people.
#pragma once

#include "cli/console.h"
#include "run/record.h"

namespace vic {

// `truth` is a truth_json.
void print_evaluation(const Run& run, const Evaluation& evaluation, const Json& truth,
                      const Console& console);

}  // namespace vic
