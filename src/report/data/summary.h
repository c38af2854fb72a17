// The final values of a series, as the terminal, the page and --json show them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/data/report_data.h"

namespace vic {

struct SeriesSummary {
  std::string label;
  int colour = 0;
  int finished = 0, unfinished = 0;  // runs
  bool exact = true;                 // all of them were evaluated exactly
  double sampling = 0;               // the largest ci95 of a single run
  // over the finished runs, with intervals over seeds; none where the files do not say it
  std::optional<Estimate> H, D, N, I_hat, external, states, rooms;
  std::optional<Estimate> H_share, D_share;  // of H_max and of D_max, in percent
  std::optional<Estimate> I, success, greedy_success;
  std::optional<Estimate> bias, deviation, correlation;
  // of simulated worlds; the spread of the first coordinate, flips and turns in percent of the
  // options
  std::optional<Estimate> cells, spread, forward_flips, backflips, two_turns;
};

SeriesSummary summarise(const WorldReport& world, const Series& series);

// What options of random actions do, in the same words.
SeriesSummary summarise_random(const SimulatorTruth& truth);

// "2.1912 ± 0.0021": with as many digits as the interval bears, at most four.
std::string estimate_text(const std::optional<Estimate>& value, int digits = 4);

// A column of the table of final values.
struct Column {
  std::string name, meaning;
  int digits = 4;
  std::optional<Estimate> SeriesSummary::*value;
};

// The columns that have something to say about this world.
std::vector<Column> columns_of(const WorldReport& world,
                               const std::vector<SeriesSummary>& summaries);

}  // namespace vic
