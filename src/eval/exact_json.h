// What vic exact prints with --json beyond the truth of one start.
#pragma once

#include "eval/record.h"
#include "oracle/frontier.h"
#include "oracle/start_map.h"
#include "sim/world.h"

namespace vic {

// vic exact --from all.
Json start_map_json(const TabularWorld& world, const StartMap& map, double gap);

// A point of the exact frontier: lambda, value, gap, certified, H, D, N, success.
Json frontier_point_json(const FrontierPoint& point);

// vic exact --frontier.
Json frontier_json(const TabularWorld& world, const Frontier& frontier);

// Puts the frontier into a truth_json, as its field `frontier`: {best_success, points}; null where
// the tree of histories is too large. Solved as far as a figure shows it.
void add_frontier(Json& truth, const TabularWorld& world, const std::vector<double>& lambdas);

// The same of a world of either kind: nothing is added of a simulated one.
void add_frontier(Json& truth, const World& world, const std::vector<double>& lambdas);

}  // namespace vic
