// What vic exact prints with --json beyond the truth of one start.
#pragma once

#include "eval/record.h"
#include "oracle/frontier.h"
#include "oracle/start_map.h"
#include "sim/world.h"

namespace vic {

// vic exact --from all.
Json start_map_json(const TabularWorld& world, const StartMap& map, double gap);

// vic exact --frontier; a point is lambda, value, gap, certified, H, D, N, success.
Json frontier_json(const TabularWorld& world, const Frontier& frontier);

// Puts the frontier into a truth_json, as its field `frontier`: {best_success, points}; null where
// the tree of histories is too large. Solved as far as a figure shows it. Nothing is added of a
// simulated world.
void add_frontier(Json& truth, const World& world, const std::vector<double>& lambdas);

}  // namespace vic
