// The one list of the numbers of an evaluation: evaluation.json is written and read by it, claims
// name its measures, and it defines the columns of tables, pages and CSV. A new number is a new row
// here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "eval/reference.h"

namespace vic {

struct Evaluation;

// The inputs of a measure. A run in a table has evaluation and reference, a set of options in a
// simulated world has survey and spec, a run in a simulated world has all of them.
struct Measured {
  const Evaluation* evaluation = nullptr;
  const Reference* reference = nullptr;
  const Survey* survey = nullptr;
  const SimulatorSpec* spec = nullptr;
  double lambda = 0;
};

struct Measure {
  // What has the measure, as bits: a run in a table, a run in a simulated world, any options in a
  // simulated world. 0: where it is shown, it is computed from other measures.
  enum Of : unsigned { table = 1, simulated = 2, survey = 4 };

  const char* name;  // in claims and CSV, and the path to it in evaluation.json: "reach.mean"
  unsigned of;
  Json (*value)(const Measured& from);  // null if it is not known
  const char* column = "";              // the head of its column in tables; empty: none
  int digits = 4;                       // after the point in tables
  const char* meaning = "";
  double shown_times = 1;  // 100: a share, which tables show in per cent
};

const std::vector<Measure>& measures();

// Adds all measures of one kind to an object.
void add_measures(Json& json, Measure::Of of, const Measured& from);

// The number at a path; nothing if it is missing or null. Throws a JsonError if it is not a number.
std::optional<double> number_at(const Json& evaluation, std::string_view path);

// Names that claims may use.
std::vector<std::string> measure_names();

// The index of a measure in the list, which must have it.
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
