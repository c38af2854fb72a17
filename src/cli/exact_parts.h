// The forms of vic exact beyond the optima of one start.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "oracle/truth.h"

namespace vic {

struct ExactOptions {
  std::string world;
  std::string from;      // a state, or "all"; empty: the world's own start
  std::string svg;       // a file for the maps of --from all
  int eigenoptions = 0;  // how many; 0: none
  bool frontier = false;
  std::vector<double> lambdas;  // of the frontier; empty: frontier_lambdas()
  int threads = 0;              // 0: one for each core
  bool timing = false;
};

// vic exact WORLD --from all: every start by itself. The settings are defaults of its own: a map
// need not be known to as many digits as a single start.
ExactSettings start_map_settings();
void run_start_map(const TabularWorld& world, const ExactSettings& settings,
                   const ExactOptions& options, const Console& console);

// vic exact WORLD --frontier: the maximisers of D + lambda N.
ExactSettings frontier_settings();
void run_frontier(const TabularWorld& world, const ExactSettings& settings,
                  const ExactOptions& options, const Console& console);

// vic exact WORLD --eigenoptions N: the control of options that are derived from the map alone.
void run_eigenoptions(const TabularWorld& world, const ExactOptions& options,
                      const Console& console);

}  // namespace vic
