#include "base/settings.h"

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
void flatten(const toml::table& table, const std::string& prefix, const std::string& path,
             std::vector<Assignment>& list) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    const std::string origin = fmt::format("{}:{}", path, node.source().begin.line);
    if (const toml::table* inner = node.as_table()) {
      flatten(*inner, name + ".", path, list);
    } else if (const auto* text = node.as_string()) {
      list.push_back({name, text->get(), origin});
    } else if (const auto* whole = node.as_integer()) {
      list.push_back({name, fmt::format("{}", whole->get()), origin});
    } else if (const auto* real = node.as_floating_point()) {
      list.push_back({name, fmt::format("{}", real->get()), origin});
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

Overrides::Overrides(std::vector<Assignment> assignments)
    : assignments_(std::move(assignments)), taken_(assignments_.size(), false) {}

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

std::vector<Assignment> settings_in(const toml::table& table, const std::string& path) {
  std::vector<Assignment> list;
  flatten(table, "", path, list);
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
