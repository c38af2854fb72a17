// What many options did, as run folders and vic worlds --options have it.
#pragma once

#include "eval/record.h"
#include "sim/survey.h"

namespace vic {

// The coordinates that cells are made of: name, unit, what cells call it, the width of a bin, the
// share from which a bin is full (null: bins are to the nearest), and whether it counts turns.
Json coordinates_json(const SimulatorSpec& spec);

// options, failures, H of the cells with ci95, cells; mean, spread, min and max of each coordinate,
// as in distance_mean; the height where there is ground, flips as shares of the options where
// something turns; the coordinates, and the lists of behaviours, the most frequent first, and of
// cells.
Json survey_json(const SimulatorSpec& spec, const Survey& survey);

}  // namespace vic
