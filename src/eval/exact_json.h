// The output of vic exact --json other than the truth about one start.
#pragma once

#include "base/json.h"
#include "oracle/frontier.h"
#include "oracle/start_map.h"

namespace vic {

// vic exact --from all.
Json start_map_json(const TabularWorld& world, const StartMap& map, double gap);

// The points of the exact frontier: lambda, value, gap, certified, H, D, N, success.
Json frontier_points_json(const Frontier& frontier);

// vic exact --frontier.
Json frontier_json(const TabularWorld& world, const Frontier& frontier);

}  // namespace vic
