// The numbers of an evaluation: one list. evaluation.json is written by it, reports read it back by
// it, claims measure what is in it, and tables, pages and CSV have their columns from it. A new
// number is a row here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "eval/reference.h"

namespace vic {

struct Evaluation;

// All that a measure may be computed from; of a table evaluation and reference are there, of many
// options in a simulated world survey and spec, of a run in one everything.
struct Measured {
  const Evaluation* evaluation = nullptr;
  const Reference* reference = nullptr;
  const Survey* survey = nullptr;
  const SimulatorSpec* spec = nullptr;
  double lambda = 0;
};

struct Measure {
  // Whose evaluation has it, as bits: of a run in a table, of a run in a simulated world, of any
  // options in a simulated world. 0: it is computed from others by those who show it.
  enum Of : unsigned { table = 1, simulated = 2, survey = 4 };

  const char* name;  // in claims and CSV, and the path to it in evaluation.json: "reach.mean"
  unsigned of;
  Json (*value)(const Measured& from);  // null where it is not known
  const char* column = "";              // the head of its column in tables; empty: none
  int digits = 4;                       // after the point in tables
  const char* meaning = "";
  double shown_times = 1;  // 100: a share, which tables show in per cent
};

const std::vector<Measure>& measures();

// Adds all measures of one kind to an object.
void add_measures(Json& json, Measure::Of of, const Measured& from);

// The number that a path leads to; nothing where there is none or it is null. Throws a JsonError
// where it is no number.
std::optional<double> number_at(const Json& evaluation, std::string_view path);

// Names that claims may use.
std::vector<std::string> measure_names();

// The place of a measure in the list; the name must be there.
std::size_t measure_index(std::string_view name);

// One value for each measure, where it is known.
template <class Value>
struct PerMeasure {
  std::vector<std::optional<Value>> list = std::vector<std::optional<Value>>(measures().size());

  std::optional<Value>& operator[](std::string_view name) { return list[measure_index(name)]; }
  const std::optional<Value>& operator[](std::string_view name) const {
    return list[measure_index(name)];
  }
};

}  // namespace vic
