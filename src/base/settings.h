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

#include <array>
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

  bool contains(double value) const { return value >= min && value <= max; }
};

// One `key = value` from the command line or a file, as text, and its origin.
struct Assignment {
  std::string key;     // dotted: "world.noise"
  std::string value;   // unquoted
  std::string origin;  // "--set" or "file.toml:3"
};

// One setting, for help and docs.
struct SettingInfo {
  std::string key, value, allowed, help;
};

// The names of an enum's values, in order. Every enum that is a setting defines them once:
//   template <>
//   inline constexpr auto names_of<Starts> = std::to_array<std::string_view>({"one", "all"});
template <class Enum>
inline constexpr auto names_of = std::array<std::string_view, 0>{};

template <class Enum>
concept NamedEnum = std::is_enum_v<Enum> && !names_of<Enum>.empty();

// Whether an enum lists the value: the compiler writes others as "(Enum)7".
template <auto value>
consteval bool is_listed() {
  constexpr std::string_view text = __PRETTY_FUNCTION__;
  return text.rfind(':') > text.rfind(')');
}

template <NamedEnum Enum>
std::string_view name_of(Enum value) {
  constexpr std::size_t count = names_of<Enum>.size();
  static_assert(is_listed<Enum(count - 1)>() && !is_listed<Enum(count)>(), "a name for each value");
  return names_of<Enum>[static_cast<std::size_t>(value)];
}

// Reads `text` as a value of the field's type. Throws a UsageError that names key, value and range.
void parse_setting(const Assignment& from, Range range, double& value);
void parse_setting(const Assignment& from, Range range, int& value);
void parse_setting(const Assignment& from, Range range, std::string& value);

// The index of the value among the names. Throws a UsageError that lists all names.
std::size_t parse_name(const Assignment& from, std::span<const std::string_view> names);

template <NamedEnum Enum>
void parse_setting(const Assignment& from, Range, Enum& value) {
  value = static_cast<Enum>(parse_name(from, names_of<Enum>));
}

// The value as parse_setting reads it.
template <class Value>
std::string setting_text(const Value& value) {
  if constexpr (NamedEnum<Value>) {
    return std::string(name_of(value));
  } else {
    return fmt::format("{}", value);
  }
}

// "one or all", "onehot, coords, axes or relative".
std::string list_names(std::span<const std::string_view> names);

// The range as words: "a number from 0 to 1", "a whole number of at least 2".
std::string describe_range(Range range, std::string_view kind);

// The assignments of one command, applied to the settings structs that have their keys. A key that
// no struct has had by the time of `finish` is an error.
class Overrides {
 public:
  Overrides() = default;
  explicit Overrides(std::vector<Assignment> assignments) : assignments_(std::move(assignments)) {}

  // Sets those fields of `settings` that are named "section.field"; the last assignment wins.
  template <class Settings>
  void apply(std::string_view section, Settings& settings) {
    settings.visit([&](std::string_view name, auto& value, Range range, std::string_view) {
      const std::string key = fmt::format("{}.{}", section, name);
      known_.push_back(key);
      for (const Assignment& given : assignments_) {
        if (given.key == key) parse_setting(given, range, value);
      }
      // empty text stands for "not set", which cannot be written
      const std::string text = setting_text(value);
      if (!text.empty()) resolved_.push_back({key, text, "resolved"});
    });
  }

  // Gives a setting that was not assigned a value that follows from others, also in resolved().
  template <class Value>
  void follow(const std::string& key, Value& value, const std::type_identity_t<Value>& follows) {
    if (last(key) != nullptr) return;
    value = follows;
    for (Assignment& one : resolved_) {
      if (one.key == key) one.value = setting_text(value);
    }
  }

  // Throws a UsageError for the first assignment to a key that no struct has, with the closest one.
  void finish() const;

  // The last assignment to a key; null where there is none.
  const Assignment* last(const std::string& key) const;

  // Throws a UsageError for the first setting that is ignored although its last assignment differs
  // from the default. `why_ignored(name)` is the reason, "" for a setting that is read.
  template <class Settings, class WhyIgnored>
  void refuse_ignored(std::string_view section, Settings defaults, WhyIgnored&& why_ignored) const {
    defaults.visit([&](std::string_view name, auto& value, Range range, std::string_view) {
      const std::string why = why_ignored(name);
      const Assignment* last = this->last(fmt::format("{}.{}", section, name));
      if (why.empty() || last == nullptr) return;
      // values are compared, not texts: 1e-3 is 0.001
      auto assigned = value;
      parse_setting(*last, range, assigned);
      if (assigned != value) refuse(*last, why);
    });
  }

  // Every setting that was applied, with the value it got, in the order of the structs.
  const std::vector<Assignment>& resolved() const { return resolved_; }

 private:
  [[noreturn]] static void refuse(const Assignment& assignment, const std::string& why);

  std::vector<Assignment> assignments_;
  std::vector<std::string> known_;  // the keys of all structs so far
  std::vector<Assignment> resolved_;
};

// Parses "key=value" as given to --set.
Assignment parse_assignment(std::string_view text);

// The assignments as TOML text that reads back as the same, a [section] per first part of a key.
std::string settings_text(std::span<const Assignment> assignments);

// Reads a TOML file of [section] tables with plain values into assignments.
std::vector<Assignment> read_settings_file(const std::string& path);

// The list of a settings struct's fields, with their present values, for help and docs.
template <class Settings>
std::vector<SettingInfo> describe(std::string_view section, Settings settings) {
  std::vector<SettingInfo> list;
  settings.visit([&](std::string_view name, auto& value, Range range, std::string_view help) {
    using Value = std::remove_cvref_t<decltype(value)>;
    std::string allowed;
    if constexpr (NamedEnum<Value>) {
      allowed = list_names(names_of<Value>);
    } else {
      allowed = describe_range(range, std::same_as<Value, std::string> ? "text"
                                      : std::same_as<Value, int>       ? "a whole number"
                                                                       : "a number");
    }
    list.push_back(
        {fmt::format("{}.{}", section, name), setting_text(value), allowed, std::string(help)});
  });
  return list;
}

}  // namespace vic
