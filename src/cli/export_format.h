// Rows and arrays as files: JSON lines, comma-separated values, or NumPy's npz.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/npz.h"
#include "base/settings.h"
#include "base/stop.h"

namespace vic {

enum class ExportFormat { jsonl, csv, npz };
template <>
inline constexpr auto names_of<ExportFormat> = std::to_array<std::string_view>({"jsonl", "csv",
                                                                                "npz"});

// An export: as rows, each an object, and as arrays of numbers.
struct Export {
  std::size_t rows = 0;
  std::function<Json(std::size_t row)> row;
  std::function<std::vector<NpzArray>()> arrays;
};

// The text or bytes of the file. In comma-separated values the members of an object in a row have a
// column each, "pi_p.left", and the elements of a list share one field, separated by spaces.
std::string export_bytes(const Export& data, ExportFormat format, Stop stop);

// The rows of a log: scalars of its lines, with NaN in the arrays for those that a line lacks.
Export export_lines(std::vector<Json> lines);

}  // namespace vic
