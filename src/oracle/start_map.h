// The empowerment map: the optima of a world as functions of the start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/ranks.h"
#include "oracle/truth.h"

namespace vic {

// The optima of options that start in s_0.
struct StartOptima {
  int s_0 = 0;
  int states_reachable = 0;
  std::optional<double> H_max, H_max_gap, D_max, D_max_gap, H_at_D_max, H_at_D_max_low,
      H_at_D_max_high, C_open, C_open_gap;
};

struct StartMap {
  std::vector<StartOptima> starts;  // every state that is not absorbing, in rising order
  // Why a field is unknown, or where a budget ended a solver: each once, with its number of starts.
  std::vector<std::string> notes;
};

// The numbers of a start that tables and maps show; empty where they are not known.
struct StartField {
  const char* name;
  std::optional<double> StartOptima::*value;
};
inline constexpr StartField start_fields[] = {{"H_max", &StartOptima::H_max},
                                              {"D_max", &StartOptima::D_max},
                                              {"H_at_D_max", &StartOptima::H_at_D_max},
                                              {"C_open", &StartOptima::C_open}};

// Solves every start independently, on `threads` threads of each rank, which do not change the
// result.
StartMap map_starts(const TabularWorld& world, const ExactSettings& settings, int threads,
                    const TaskProgress& progress = {}, const Quantities& wanted = optima,
                    Ranks& ranks = alone());

// Mean, least and largest value of a field, with their starts; empty where no start has the field.
struct StartSummary {
  double mean = 0, least = 0, largest = 0;
  int least_at = 0, largest_at = 0;  // states
  int starts = 0;                    // that have the field
};
std::optional<StartSummary> summarise(const StartMap& map, const StartField& field);

}  // namespace vic
