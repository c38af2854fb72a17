#include "base/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/closest.h"
#include "base/file.h"
#include "base/text.h"
#include "base/toml.h"

namespace vic {
namespace {

[[noreturn]] void reject(const Assignment& from, Range range, std::string_view kind) {
  fail_usage("{}: {} = {} is not allowed; it must be {}.", from.origin, from.key,
             from.value.empty() ? "''" : shown(from.value), describe_range(range, kind));
}

// the whole text as one number of type T, nothing left over
template <class T>
bool parse_whole(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  return status == std::errc() && stop == end;
}

// flattens a table of tables into dotted keys
void flatten(const TomlNode::Table& table, const std::string& prefix, const std::string& path,
             std::vector<Assignment>& list) {
  for (const auto& [key, key_line, node] : table) {
    const std::string name = prefix + key;
    const std::string origin = fmt::format("{}:{}", path, node.first_line);
    if (const auto* inner = node.table()) {
      flatten(*inner, name + ".", path, list);
    } else if (const auto* text = node.text()) {
      list.push_back({name, *text, origin});
    } else if (const auto* whole = node.whole()) {
      list.push_back({name, fmt::format("{}", *whole), origin});
    } else if (const auto* real = node.real()) {
      list.push_back({name, fmt::format("{}", *real), origin});
    } else {
      fail_usage("{}: {} is neither a number nor text; write {} = VALUE.", origin, shown(name),
                 shown(name));
    }
  }
}

}  // namespace

std::string describe_range(Range range, std::string_view kind) {
  const bool has_min = std::isfinite(range.min), has_max = std::isfinite(range.max);
  if (has_min && has_max) return fmt::format("{} from {} to {}", kind, range.min, range.max);
  if (has_min) return fmt::format("{} of at least {}", kind, range.min);
  if (has_max) return fmt::format("{} of at most {}", kind, range.max);
  return std::string(kind);
}

void parse_setting(const Assignment& from, Range range, double& value) {
  double parsed = 0;
  const bool number = parse_whole(from.value, parsed) && std::isfinite(parsed);
  if (!number || parsed < range.min || parsed > range.max) reject(from, range, "a number");
  value = parsed;
}

void parse_setting(const Assignment& from, Range range, int& value) {
  int parsed = 0;
  const bool number = parse_whole(from.value, parsed);
  if (!number || parsed < range.min || parsed > range.max) reject(from, range, "a whole number");
  value = parsed;
}

void parse_setting(const Assignment& from, Range range, std::string& value) {
  if (from.value.empty()) reject(from, range, "text");
  value = from.value;
}

std::size_t parse_name(const Assignment& from, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == from.value) return i;
  }
  fail_usage("{}: {} = {} is not allowed; it must be {}.", from.origin, from.key,
             from.value.empty() ? "''" : shown(from.value), list_names(names));
}

std::string list_names(std::span<const std::string_view> names) {
  return alternatives(std::vector<std::string>(names.begin(), names.end()));
}

const Assignment* Overrides::find_last(const std::string& key) const {
  const auto last = std::find_if(assignments_.rbegin(), assignments_.rend(),
                                 [&](const Assignment& each) { return each.key == key; });
  return last == assignments_.rend() ? nullptr : &*last;
}

void Overrides::refuse(const Assignment& assignment, const std::string& why) {
  fail_usage("{}: {} = {} would be ignored: {}. Leave it out.", assignment.origin, assignment.key,
             shown(assignment.value), why);
}

std::string setting_text(double value) {
  return fmt::format("{}", value);
}

std::string setting_text(int value) {
  return fmt::format("{}", value);
}

std::string setting_text(const std::string& value) {
  return value;
}

std::string setting_key(std::string_view section, std::string_view name) {
  return fmt::format("{}.{}", section, name);
}

Overrides::Overrides(std::vector<Assignment> assignments)
    : assignments_(std::move(assignments)), taken_(assignments_.size(), false) {}

std::vector<Assignment> Overrides::take(const std::string& key) {
  known_.push_back(key);
  std::vector<Assignment> found;
  for (std::size_t i = 0; i < assignments_.size(); ++i) {
    if (assignments_[i].key != key) continue;
    found.push_back(assignments_[i]);
    taken_[i] = true;
  }
  return found;
}

void Overrides::resolve(const std::string& key, const std::string& value) {
  // empty text stands for "not said", which cannot be said
  if (!value.empty()) resolved_.push_back({key, value, "resolved"});
}

void Overrides::finish() const {
  for (std::size_t i = 0; i < assignments_.size(); ++i) {
    if (taken_[i]) continue;
    fail_usage("{}: there is no setting {}{}", assignments_[i].origin, shown(assignments_[i].key),
               suggestion(assignments_[i].key, known_));
  }
}

Assignment parse_assignment(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    fail_usage("--set: '{}' is not of the form key=value, as in --set world.noise=0.2.", text);
  }
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)), "--set"};
}

std::vector<Assignment> read_settings_file(const std::string& path) {
  return settings_in(parse_toml(read_file(path), path), path);
}

std::vector<Assignment> settings_in(const TomlNode& table, const std::string& path) {
  std::vector<Assignment> list;
  flatten(std::get<TomlNode::Table>(table.value), "", path, list);
  return list;
}

namespace {

// the text as it stands between the quotes of a TOML string
std::string escaped(const std::string& value) {
  std::string text;
  for (char c : value) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') text += '\\';
    text += code < 0x20 || code == 0x7F ? fmt::format("\\u{:04X}", code) : std::string(1, c);
  }
  return text;
}

}  // namespace

std::string settings_text(std::span<const Assignment> assignments) {
  std::string text, section;
  for (const Assignment& assignment : assignments) {
    const std::size_t dot = assignment.key.find('.');
    if (assignment.key.substr(0, dot) != section) {
      section = assignment.key.substr(0, dot);
      text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section);
    }
    // numbers are read from text too
    text += fmt::format("{} = \"{}\"\n", assignment.key.substr(dot + 1), escaped(assignment.value));
  }
  return text;
}

}  // namespace vic
