// A claim about the runs of an experiment. Whatever its subject, it reduces to one number per seed,
// which must lie between two bounds:
//
//   measure                      a number of the run's evaluation, or the ratio of two
//   measure = "updates", until   updates until a curve of the run has reached a level
//   versus                       how it compares with another series, seed by seed
//   against                      its slope over a setting in which the groups differ
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"

namespace vic {

class FileValue;
struct RunPlan;

// A setting, and its value or the list of values over which the runs of an experiment vary it.
struct Axis {
  std::string key;                  // "train.lambda"
  std::vector<Assignment> choices;  // at least one; their keys are all the same
  bool varies = false;              // it is a list
};

// The settings of a table in a file, at any depth.
std::vector<Axis> read_settings(const FileValue& table);

// How the numbers of the seeds are combined.
enum class Over { mean, every };
template <>
inline constexpr auto names_of<Over> = std::to_array<std::string_view>({"mean", "every"});

// How two series are compared.
enum class Comparison { difference, ratio };
template <>
inline constexpr auto names_of<Comparison> = std::to_array<std::string_view>({"difference",
                                                                              "ratio"});

struct Claim {
  std::string text;
  std::string source = "ours";  // or where the paper has it: "paper, Section 6.2"
  std::string see = {};         // a page that explains a refutation

  // The runs that it is about; an empty list selects all.
  std::vector<std::string> groups = {}, algorithms = {};
  std::vector<Axis> settings = {};  // selects runs that vary all of these, with one of the values

  std::string measure = {};       // "H" or "H / H_max": see eval/measures.h
  std::string until = {};         // "I_hat / H_max", if the measure is "updates"
  double level = 0;               // what `until` must reach
  std::string versus = {};        // an algorithm, or a method: "transition, lambda 0.5"
  std::string versus_group = {};  // empty: in the same group
  Comparison compare = Comparison::difference;
  std::string against = {};  // a setting: "world.T_max"

  double at_least = -std::numeric_limits<double>::infinity();
  double at_most = std::numeric_limits<double>::infinity();
  Over over = Over::mean;

  bool ours() const { return source == "ours"; }
  bool selects(const RunPlan& run) const;

  // The measured quantity and the wanted bounds, in words: "H / H_max", "at least 0.99".
  std::string quantity() const;
  std::string wanted() const;
};

// Reads a [[claims]] table. Throws a UsageError with file and line.
Claim read_claim(const FileValue& value, const std::vector<RunPlan>& runs);

// A list of names.
std::vector<std::string> read_names(const FileValue& value);

// The number that a run gives to a setting, if it gives one.
std::optional<double> setting_of(const RunPlan& run, const std::string& key);

}  // namespace vic
