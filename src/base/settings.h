// Settings: every number a user may change is a field of a plain struct, listed once in its `visit`
// with its allowed range and one line of help. Flags, files, help and docs all come from that list:
//
//   struct LineSettings {
//     double noise = 0.3;
//     template <class Visitor>
//     void visit(Visitor&& field) {
//       field("noise", noise, Range{0, 1}, "probability that a move goes the other way");
//     }
//   };
#pragma once

#include <concepts>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace vic {

// The closed interval of values that a number may take.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

// One `key = value` from the command line or a file, as text, with where it was said.
struct Assignment {
  std::string key;     // dotted: "world.noise"
  std::string value;   // unquoted
  std::string origin;  // "--set" or "file.toml:3"
};

// What the help and the docs say of one setting.
struct SettingInfo {
  std::string key, value, allowed, help;
};

// Reads `text` as a value of the field's type. Throws a UsageError that names key, value and range.
void parse_setting(const Assignment& from, Range range, double& value);
void parse_setting(const Assignment& from, Range range, int& value);
void parse_setting(const Assignment& from, Range range, std::string& value);

// The value as parse_setting reads it.
std::string setting_text(double value);
std::string setting_text(int value);
std::string setting_text(const std::string& value);

// "section.name"
std::string setting_key(std::string_view section, std::string_view name);

// The range as words: "a number from 0 to 1", "a whole number of at least 2".
std::string describe_range(Range range, std::string_view kind);

// The assignments of one command, handed to the settings structs that understand them. A key that
// no struct has taken by the time of `finish` is an error.
class Overrides {
 public:
  Overrides() = default;
  explicit Overrides(std::vector<Assignment> assignments);

  // Sets those fields of `settings` that are named "section.field"; the last assignment wins.
  template <class Settings>
  void apply(std::string_view section, Settings& settings) {
    settings.visit([&](std::string_view name, auto& value, Range range, std::string_view) {
      const std::string key = setting_key(section, name);
      for (const Assignment& assignment : take(key)) parse_setting(assignment, range, value);
      resolve(key, setting_text(value));
    });
  }

  // Throws a UsageError for the first assignment that nobody took, with the closest known key.
  void finish() const;

  // Every setting that was applied, with the value it got, in the order of the structs.
  const std::vector<Assignment>& resolved() const { return resolved_; }

 private:
  // The assignments to the key, which becomes a known one.
  std::vector<Assignment> take(const std::string& key);
  void resolve(const std::string& key, const std::string& value);

  std::vector<Assignment> assignments_;
  std::vector<bool> taken_;
  std::vector<std::string> known_;
  std::vector<Assignment> resolved_;
};

// Parses "key=value" as given to --set.
Assignment parse_assignment(std::string_view text);

// The assignments as TOML text, a [section] for each first part of a key. Read back they are the
// same.
std::string settings_text(std::span<const Assignment> assignments);

// Reads a TOML file of [section] tables with plain values into assignments.
std::vector<Assignment> read_settings_file(const std::string& path);

// The list of a settings struct's fields, with their present values, for help and docs.
template <class Settings>
std::vector<SettingInfo> describe(std::string_view section, Settings settings) {
  std::vector<SettingInfo> list;
  settings.visit([&](std::string_view name, auto& value, Range range, std::string_view help) {
    using Value = std::remove_cvref_t<decltype(value)>;
    const std::string_view kind = std::same_as<Value, std::string> ? "text"
                                  : std::same_as<Value, int>       ? "a whole number"
                                                                   : "a number";
    list.push_back({setting_key(section, name), setting_text(value), describe_range(range, kind),
                    std::string(help)});
  });
  return list;
}

}  // namespace vic
