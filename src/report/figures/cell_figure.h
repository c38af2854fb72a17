// Where the options of a physics world end: place along the ground x full turns, as heat maps.
#pragma once

#include "report/figures/heat_figure.h"

namespace vic {

// A panel for each series that has finished runs, and one for random actions; no panels where there
// is neither. Places go from left to right, forward turns are above.
HeatFigure cell_figure(const WorldReport& world);

}  // namespace vic
