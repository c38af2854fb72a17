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
  // over the finished runs, with intervals over seeds; none if a file lacks the value
  PerMeasure<Estimate> values;
};

SeriesSummary summarise(const WorldReport& world, const Series& series);

// The same summary for options of random actions.
SeriesSummary summarise_random(const SimulatorTruth& truth);

// A measure of a series minus that of another, seed by seed.
struct PairedDifference {
  std::string label, other;  // of the series
  const char* measure;
  Estimate value;
};

// H and D of each series minus those of the first one, over the seeds that both have finished, if
// there are at least two.
std::vector<PairedDifference> paired_differences(const WorldReport& world);

// "transition - implicit, 5 pairs: H 0.3512 ± 0.0021 (IQM 0.3510)", a line for each.
std::vector<std::string> difference_lines(const WorldReport& world);

// "2.1912 ± 0.0021": with as many digits as the interval supports, at most four.
std::string estimate_text(const std::optional<Estimate>& value, int digits = 4);

// The measures that have a column in the table of this world: those that are informative there.
std::vector<const Measure*> columns_of(const WorldReport& world,
                                       const std::vector<SeriesSummary>& summaries);

}  // namespace vic
