// H split into D, the agent's own part, and N, the part of chance: a bar for each series.
#pragma once

#include <string>
#include <vector>

#include "report/data/summary.h"
#include "report/figures/svg.h"

namespace vic {

std::string draw_bars(const WorldReport& world, const std::vector<SeriesSummary>& summaries,
                      Form form);

}  // namespace vic
