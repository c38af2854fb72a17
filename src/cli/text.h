// What the commands' texts for people have in common: the head of a run, values, numbers, names.
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

// How far a training is, of its warm-up or of the updates after it: "[===   ] warm-up 500/1000",
// with a bar of so many characters.
std::string phase_text(const Learner& learner, int width);

// A line for each value, with its name and what it means.
struct ValueTable {
  std::ostream& out;
  int width;  // characters of the longest name

  void row(std::string_view name, const std::string& value, const std::string& meaning) const;
};

// The number with so many digits after the point, "-" where it is not known.
std::string number_text(const std::optional<double>& number, int digits = 6);

// The names of these states or moves.
std::vector<std::string> list_names(const std::vector<int>& numbers,
                                    const std::vector<std::string>& names);

// A warning for each state that absorbs, and that no option can end in: an option has T_max - 1
// moves.
void warn_of_distant_goals(const TabularWorld& world, const Warn& warn);

// What many options of a simulated world did, from a survey_json of src/eval. Throws a UsageError
// where that is damaged.
void print_survey(const SimulatorSpec& spec, const FileValue& survey, std::ostream& out);

}  // namespace vic
