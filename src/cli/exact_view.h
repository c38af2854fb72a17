// The parts of vic exact: its output for one start, for all of them, and for the frontier.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "cli/console.h"
#include "oracle/truth.h"

namespace vic {

// The unit in which information is shown. The library computes in nats.
struct Unit {
  const char* name = "nats";
  double per_nat = 1;

  double of(double nats) const { return per_nat * nats; }
};

struct ExactOptions {
  std::string world;
  std::string from;      // a state, or "all"; empty: the world's start
  std::string svg;       // a file for the maps of --from all
  int eigenoptions = 0;  // how many; 0: none
  bool frontier = false;
  std::vector<double> lambdas;  // of the frontier; empty: frontier_lambdas()
  std::string only;             // quantities, with commas between them; empty: all
  double seconds = 0;           // 0: no limit
  int threads = 0;              // 0: one for each core
  bool timing = false, bits = false;

  Unit unit() const;
};

// A document with its information in this unit, which it names.
Json in_unit(Json document, const Unit& unit);

void print_notes(const std::vector<std::string>& notes, std::ostream& out);

// One start.
void print_truth(const Truth& truth, const Unit& unit, const Console& console);

// --from all: the empowerment map, with each start solved separately.
void run_start_map(const TabularWorld& world, const ExactSettings& settings,
                   const Quantities& wanted, const ExactOptions& options, const Console& console);

// --frontier: coverage against control, and the success of reaching goals.
void run_frontier(const TabularWorld& world, const ExactSettings& settings,
                  const ExactOptions& options, const Console& console);

// --eigenoptions: the control of options that are derived from the map alone.
void run_eigenoptions(const TabularWorld& world, const ExactOptions& options,
                      const Console& console);

}  // namespace vic
