#include "base/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/file.h"
#include "base/file_value.h"
#include "base/text.h"

namespace vic {
namespace {

[[noreturn]] void reject(const Assignment& from, const std::string& allowed) {
  fail_usage("{}: {} = {} is not allowed; it must be {}.", from.origin, from.key,
             from.value.empty() ? "''" : shown(from.value), allowed);
}

// the whole text as one finite number in the range, nothing left over
template <class T>
void parse_number(const Assignment& from, Range range, std::string_view kind, T& value) {
  T parsed = 0;
  const char* end = from.value.data() + from.value.size();
  const auto [stop, status] = std::from_chars(from.value.data(), end, parsed);
  const auto number = static_cast<double>(parsed);
  if (status != std::errc() || stop != end || !std::isfinite(number) || !range.contains(number)) {
    reject(from, describe_range(range, kind));
  }
  value = parsed;
}

bool is_int(double number) {
  return number >= std::numeric_limits<int>::min() && number <= std::numeric_limits<int>::max();
}

// Whether the value can be written as a TOML number that reads back as the same text.
bool is_number_text(const std::string& value) {
  const char* end = value.data() + value.size();
  long whole = 0;
  const auto [stop, status] = std::from_chars(value.data(), end, whole);
  if (status == std::errc() && stop == end) return fmt::format("{}", whole) == value;
  double number = 0;
  const auto [real_stop, real_status] = std::from_chars(value.data(), end, number);
  // "1e-05" is a number in TOML; "1." and "inf" are not accepted as settings
  return real_status == std::errc() && real_stop == end && std::isfinite(number) &&
         fmt::format("{}", number) == value;
}

// the text as written between the quotes of a TOML string
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

std::string describe_range(Range range, std::string_view kind) {
  const bool has_min = std::isfinite(range.min), has_max = std::isfinite(range.max);
  if (has_min && has_max) return fmt::format("{} from {} to {}", kind, range.min, range.max);
  if (has_min) return fmt::format("{} of at least {}", kind, range.min);
  if (has_max) return fmt::format("{} of at most {}", kind, range.max);
  return std::string(kind);
}

void parse_setting(const Assignment& from, Range range, double& value) {
  parse_number(from, range, "a number", value);
}

void parse_setting(const Assignment& from, Range range, int& value) {
  // 1e6 is a whole number too
  double number = 0;
  parse_number(from, Range{}, describe_range(range, "a whole number"), number);
  if (number != std::floor(number) || !range.contains(number) || !is_int(number)) {
    reject(from, describe_range(range, "a whole number"));
  }
  value = static_cast<int>(number);
}

void parse_setting(const Assignment& from, Range range, std::string& value) {
  if (from.value.empty()) reject(from, describe_range(range, "text"));
  value = from.value;
}

std::size_t parse_name(const Assignment& from, std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), from.value);
  if (found == names.end()) reject(from, list_names(names));
  return static_cast<std::size_t>(found - names.begin());
}

std::string list_names(std::span<const std::string_view> names) {
  return alternatives(std::vector<std::string>(names.begin(), names.end()));
}

const Assignment* Overrides::last(const std::string& key) const {
  const Assignment* found = nullptr;
  for (const Assignment& said : assignments_) {
    if (said.key == key) found = &said;
  }
  return found;
}

void Overrides::refuse(const Assignment& assignment, const std::string& why) {
  fail_usage("{}: {} = {} would be ignored: {}. Leave it out.", assignment.origin, assignment.key,
             shown(assignment.value), why);
}

void Overrides::finish() const {
  for (const auto& [key, value, origin] : assignments_) {
    if (std::ranges::find(known_, key) != known_.end()) continue;
    fail_usage("{}: there is no setting {}{}", origin, shown(key), suggestion(key, known_));
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
  const FileValue file = FileValue::parse_toml(read_file(path), path);
  for (const auto& [key, value] : file.entries()) {
    if (value.json().is_object()) continue;
    value.fail(
        "{} stands outside of all sections, and settings are in one, as [train]. A file of a world "
        "or an experiment is given by itself, without --settings.",
        shown(key));
  }
  return file.assignments();
}

std::string settings_text(std::span<const Assignment> assignments) {
  std::string text, section;
  for (const Assignment& assignment : assignments) {
    const std::size_t dot = assignment.key.find('.');
    if (assignment.key.substr(0, dot) != section) {
      section = assignment.key.substr(0, dot);
      text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section);
    }
    const bool number = is_number_text(assignment.value);
    text +=
        fmt::format("{} = {}\n", assignment.key.substr(dot + 1),
                    number ? assignment.value : fmt::format("\"{}\"", escaped(assignment.value)));
  }
  return text;
}

}  // namespace vic
