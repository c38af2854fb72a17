// Shared by the commands' text output: the head of a run, values, numbers, names.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_value.h"
#include "base/json.h"
#include "run/run_folder.h"

namespace vic {

// "line-noisy, implicit, seed 1".
std::string run_title(const Run& run);

// The same as a document: world, algorithm, seed.
Json run_json(const Run& run);

// The progress of a training, in its warm-up or in the updates after it: "[===   ] warm-up
// 500/1000", with a bar of `width` characters.
std::string phase_text(const Learner& learner, int width);

// A line for each value, with its name and what it means.
struct ValueTable {
  std::ostream& out;
  int width;  // characters of the longest name

  void row(std::string_view name, const std::string& value, const std::string& meaning) const;
};

// The number with `digits` digits after the point, "-" if it is not known.
std::string number_text(const std::optional<double>& number, int digits = 6);

// The names of these states or moves.
std::vector<std::string> list_names(const std::vector<int>& numbers,
                                    const std::vector<std::string>& names);

// Warns of each absorbing state in which no option can end: an option has T_max - 1 moves.
void warn_of_distant_goals(const TabularWorld& world, const Warn& warn);

// Prints a survey of options of a simulated world, from a survey_json of src/eval. Throws a
// UsageError if that is damaged.
void print_survey(const SimulatorSpec& spec, const FileValue& survey, std::ostream& out);

}  // namespace vic
