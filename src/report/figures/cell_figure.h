// Where the options of a simulated world end: its cells, as heat maps.
#pragma once

#include "report/figures/heat_figure.h"

namespace vic {

// A panel for each series that has finished runs, and one for random actions; no panels where there
// is neither. The first coordinate goes from left to right, the second upwards; cells that differ
// in further ones are added up.
HeatFigure cell_figure(const WorldReport& world);

}  // namespace vic
