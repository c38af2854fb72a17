// The table of final values in a terminal, for scripts, and as comma-separated values.
#pragma once

#include <string>

#include "report/data/report_data.h"

namespace vic {

enum class Ink { plain, colour };

// A table for each world: a row a series, means over seeds with 95 % intervals.
std::string terminal_table(const ReportData& data, Ink ink);

// The same as JSON: worlds, in them series with {mean, half, n} for each value.
std::string table_json(const ReportData& data);

// One row a run: folder, world, algorithm, seed, final values, and every setting in which the runs
// differ. An unfinished run has empty values.
std::string run_csv(const ReportData& data);

}  // namespace vic
