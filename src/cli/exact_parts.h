// The forms of vic exact beyond the truth of one start.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/command.h"
#include "oracle/truth.h"

namespace vic {

struct ExactOptions {
  CommonOptions common;
  std::string world;
  std::string from;      // a state, or "all"; empty: the world's own start
  std::string svg;       // a file for the maps of --from all
  int eigenoptions = 0;  // how many; 0: not asked for
  bool frontier = false;
  std::vector<double> lambdas;  // of the frontier; empty: frontier_lambdas()
  int threads = 0;              // 0: one for each core
  bool timing = false;
};

// vic exact WORLD --from all: every start by itself. The settings are those that hold where the
// user says nothing: a map need not be known to as many digits as a single start.
ExactSettings start_map_settings();
void run_start_map(const TabularWorld& world, const ExactSettings& settings,
                   const ExactOptions& options, const Console& console);

// vic exact WORLD --frontier: the maximisers of D + lambda N.
ExactSettings frontier_settings();
void run_frontier(const TabularWorld& world, const ExactSettings& settings,
                  const ExactOptions& options, const Console& console);

// vic exact WORLD --eigenoptions N: what options from the map alone are worth.
void run_eigenoptions(const TabularWorld& world, const ExactOptions& options,
                      const Console& console);

// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// The threads that the user asks for, or one for each core.
int thread_count(const ExactOptions& options);

// Shows how much of a list is solved, and the seconds that are left.
void show_progress(ProgressLine& line, int done, int all, const char* what, double seconds);

}  // namespace vic
