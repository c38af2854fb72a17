#include "base/file_value.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/text.h"

namespace vic {
namespace {

// a value as shown in a message
std::string value_text(const Json& value) {
  if (value.is_string()) return fmt::format("\"{}\"", shown(value.get<std::string>()));
  if (value.is_array()) return value.empty() ? "[]" : "[...]";
  if (value.is_object()) return value.empty() ? "{}" : "{...}";
  if (value.is_null()) return "(a date or time)";
  // always with a point: 4.0 must not be shown as the 4 that was required
  if (!value.is_integer() && value.is_number()) return fmt::format("{:#}", value.get<double>());
  return value.dump();
}

bool contains(const std::vector<std::string>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool is_list_of(const Json& value, bool (Json::*is_kind)() const) {
  return value.is_array() && std::all_of(value.begin(), value.end(), std::mem_fn(is_kind));
}

// flattens a table of tables into dotted keys
void flatten(const Json& table, const std::string& prefix, const std::string& path,
             std::vector<Assignment>& list) {
  for (const auto& [key, value] : table.items()) {
    const std::string name = prefix + key;
    const std::string origin = fmt::format("{}:{}", path, value.first_line);
    if (value.is_object()) {
      flatten(value, name + ".", path, list);
    } else if (value.is_string()) {
      list.push_back({name, value.get<std::string>(), origin});
    } else if (value.is_integer()) {
      list.push_back({name, fmt::format("{}", value.get<long>()), origin});
    } else if (value.is_number()) {
      list.push_back({name, fmt::format("{}", value.get<double>()), origin});
    } else {
      fail_usage("{}: {} is neither a number nor text; write {} = VALUE.", origin, shown(name),
                 shown(name));
    }
  }
}

}  // namespace

FileValue FileValue::parse(std::string_view text, std::string path) {
  auto json = Json::try_parse(text);
  if (!json || !json->is_object()) {
    fail_usage("{} is damaged: it is no JSON object; measure the run again with vic eval.", path);
  }
  const auto file =
      std::make_shared<const File>(File{std::move(path), std::move(*json), false, {}});
  return {file, &file->json, "", 0};
}

FileValue FileValue::parse_toml(std::string_view text, std::string path,
                                std::vector<std::string> keys) {
  Json json = vic::parse_toml(text, path);
  const auto file =
      std::make_shared<const File>(File{std::move(path), std::move(json), true, std::move(keys)});
  const FileValue root(file, &file->json, "", 1);
  return file->keys.empty() ? root : root.table(file->keys);
}

const Json& FileValue::json() const {
  static const Json missing;
  return json_ != nullptr ? *json_ : missing;
}

FileValue FileValue::child(std::string key, const Json* json) const {
  const int line = json != nullptr ? json->first_line : line_;
  return {file_, json, key_.empty() ? std::move(key) : key_ + "." + key, line};
}

std::vector<FileValue> FileValue::elements() const {
  std::vector<FileValue> list;
  list.reserve(json().size());
  for (const Json& element : json()) list.push_back({file_, &element, key_, element.first_line});
  return list;
}

int FileValue::whole(Range range) const {
  if (!json().is_integer() || !range.contains(json().get<double>())) {
    reject(describe_range(range, "a whole number"));
  }
  return json().get<int>();
}

double FileValue::number(Range range) const {
  if (!json().is_number() || !range.contains(json().get<double>())) {
    reject(describe_range(range, "a number"));
  }
  return json().get<double>();
}

bool FileValue::flag() const {
  if (!json().is_boolean()) reject("true or false");
  return json().get<bool>();
}

std::string FileValue::text() const {
  if (!json().is_string()) reject(file_->toml ? "text in quotes" : "text");
  std::string text = json().get<std::string>();
  // text that a program wrote is shown as it is; a user's text may have many lines, as maps do
  if (!file_->toml && has_control(text)) reject("text without control characters");
  return text;
}

std::string FileValue::name() const {
  std::string name = json().is_string() ? json().get<std::string>() : "";
  if (name.empty() || name.size() > longest_shown || has_control(name)) {
    reject(fmt::format("text of 1 to {} bytes without control characters", longest_shown));
  }
  return name;
}

std::vector<FileValue> FileValue::list(std::string_view allowed) const {
  if (!json().is_array() || json().empty()) reject(allowed);
  return elements();
}

const FileValue& FileValue::table(const std::vector<std::string>& keys) const {
  if (!json().is_object()) reject(fmt::format("a table with the keys {}", joined(keys, ", ")));
  for (const auto& [key, value] : json().items()) {
    if (contains(keys, key)) continue;
    // keys after a [table] belong to it, which is easily forgotten
    const bool misplaced = contains(file_->keys, key);
    const FileValue unknown = child(shown(key), &value);
    unknown.fail("there is no key {}{}", unknown.key(),
                 misplaced ? fmt::format("; write {} above the first [table] of the file.", key)
                           : suggestion(key, keys));
  }
  return *this;
}

std::vector<std::pair<std::string, FileValue>> FileValue::entries() const {
  if (!json().is_object()) reject("a table");
  std::vector<std::pair<std::string, FileValue>> list;
  for (const auto& [key, value] : json().items()) list.emplace_back(key, child(shown(key), &value));
  return list;
}

std::vector<Assignment> FileValue::assignments() const {
  if (!json().is_object()) reject("a table of settings");
  std::vector<Assignment> list;
  flatten(json(), "", path(), list);
  return list;
}

FileValue FileValue::operator[](std::string_view key) const {
  return child(std::string(key), json().find(key));
}

std::optional<double> FileValue::maybe_number(std::string_view key) const {
  return has(key) ? std::optional(number(key)) : std::nullopt;
}

long FileValue::whole(std::string_view key) const {
  const FileValue value = (*this)[key];
  const Json& json = value.json();
  // no count is higher, and sums of such numbers stay whole numbers too
  if (!json.is_integer() || std::abs(json.get<double>()) > 1e12) value.reject("a whole number");
  return json.get<long>();
}

FileValue FileValue::object(std::string_view key) const {
  FileValue value = (*this)[key];
  if (!value.json().is_object()) value.reject("an object");
  return value;
}

std::vector<FileValue> FileValue::objects(std::string_view key) const {
  const FileValue value = (*this)[key];
  if (!is_list_of(value.json(), &Json::is_object)) value.reject("a list of objects");
  return value.elements();
}

std::vector<std::string> FileValue::texts(std::string_view key) const {
  const FileValue value = (*this)[key];
  if (!is_list_of(value.json(), &Json::is_string)) value.reject("a list of texts");
  std::vector<std::string> list;
  for (const Json& element : value.json()) {
    if (has_control(list.emplace_back(element.get<std::string>()))) value.reject("a list of texts");
  }
  return list;
}

void FileValue::reject(std::string_view allowed) const {
  if (!file_->toml) {
    const std::string fault = json_ == nullptr ? fmt::format("it lacks \"{}\"", key_)
                                               : fmt::format("\"{}\" is not {}", key_, allowed);
    fail_usage("{} is damaged: {}.", path(), fault);
  }
  if (json_ == nullptr) fail("{} is missing; it must be {}.", key_, allowed);
  fail("{} = {} is not allowed; it must be {}.", key_, value_text(*json_), allowed);
}

}  // namespace vic
