// What many options did, as run folders and vic worlds --options tell it.
#pragma once

#include "eval/record.h"
#include "sim/survey.h"

namespace vic {

// options, failures, H of the cells with ci95, cells, distances, flips as shares of the options,
// and the lists of behaviours, the most frequent first, and of cells.
Json survey_json(const Survey& survey);

}  // namespace vic
