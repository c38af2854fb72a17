// What the runs in a world are measured against: the exact truth about a table; in a simulated
// world the survey of random actions, which every policy must beat.
#pragma once

#include <optional>
#include <span>

#include "base/json.h"
#include "oracle/frontier.h"
#include "sim/survey.h"
#include "sim/world.h"

namespace vic {

struct Reference {
  World world;
  std::optional<Truth> exact;        // of a table; its policies are left out
  std::optional<Frontier> frontier;  // of a table, where lambdas are named and the tree is small
  std::optional<Survey> random;      // of a simulated world: options of random actions
  TablePtr options = {};             // of a small one: the table that `exact` is about
};

// Solved to the precision that learners are measured with, in no more time than training takes. In
// a simulated world at most `random` options of random actions are played. Throws Interrupted.
Reference find_reference(const World& world, std::span<const double> lambdas = {},
                         const SolveProgress& progress = {}, Stop stop = {}, int random = 1024);

// States and their probabilities: those above 0.
Json final_states_json(const TabularWorld& world, const std::vector<double>& p_f);

// The truth about a table, with its picture. What is not known is null, and `notes` say why.
Json truth_json(const Truth& truth);

// truth.json of a run.
Json truth_json(const Reference& reference);

}  // namespace vic
