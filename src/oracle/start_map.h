// The empowerment map: what any agent can have, as a function of the state it starts in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oracle/truth.h"

namespace vic {

// The optima of options that start in s_0.
struct StartOptima {
  int s_0 = 0;
  int states_reachable = 0;
  double H_max = 0, H_max_gap = 0;
  std::optional<double> D_max, D_max_gap, H_at_D_max;
  std::optional<double> C_open, C_open_gap;
};

struct StartMap {
  std::vector<StartOptima> starts;  // every state that does not absorb, in rising order
  // Why a field is not known and where a budget ended a solver: once, with how many starts it
  // holds for.
  std::vector<std::string> notes;
};

// A number of a start, for tables and maps; empty where it is not known.
struct StartField {
  const char* name;
  std::optional<double> (*value)(const StartOptima& start);
};
// H_max, D_max, H_at_D_max and C_open.
const std::vector<StartField>& start_fields();

// Solves every start by itself, on `threads` threads, which do not change the result; `step` is
// called by one of them at a time.
StartMap map_starts(const TabularWorld& world, const ExactSettings& settings, int threads,
                    const Step& step = {});

// Mean, least and largest of a field, and where; empty where no start has it.
struct StartSummary {
  double mean = 0, least = 0, largest = 0;
  int least_at = 0, largest_at = 0;  // states
  int starts = 0;                    // that have the field
};
std::optional<StartSummary> summarise(const StartMap& map, const StartField& field);

}  // namespace vic
