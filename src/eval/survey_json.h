// A survey of many options, as in run folders and vic worlds --options.
#pragma once

#include "base/json.h"
#include "sim/survey.h"

namespace vic {

// The coordinates that cells are made of: name, unit, name in cells, the width of a bin, the share
// from which a bin is full (null: rounded to the nearest bin), and whether it counts turns.
Json coordinates_json(const SimulatorSpec& spec);

// options, failures; the measures (eval/measures.h) of a survey, flips null where nothing turns;
// mean, spread, min and max of each coordinate, as in distance_mean; the height where there is
// ground; the coordinates, and the lists of behaviours, the most frequent first, and of cells.
Json survey_json(const SimulatorSpec& spec, const Survey& survey);

}  // namespace vic
