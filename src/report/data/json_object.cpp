#include "report/data/json_object.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"

namespace vic {

JsonObject JsonObject::parse(std::string_view text, std::string path) {
  auto json = Json::try_parse(text);
  if (!json || !json->is_object()) {
    fail_usage("{} is damaged: it is no JSON object; measure the run again with vic eval.", path);
  }
  return {std::move(*json), std::move(path)};
}

const Json& JsonObject::at(const char* key) const {
  const Json* found = json_.find(key);
  if (found == nullptr) fail_usage("{} is damaged: it lacks \"{}\".", path_, key);
  return *found;
}

void JsonObject::reject(const char* key, const char* kind) const {
  fail_usage("{} is damaged: \"{}\" is not {}.", path_, key, kind);
}

double JsonObject::number(const char* key) const {
  const Json& value = at(key);
  if (!value.is_number()) reject(key, "a number");
  return value.get<double>();
}

long JsonObject::whole(const char* key) const {
  const Json& value = at(key);
  if (!value.is_integer() || std::abs(value.get<double>()) >= 0x1p63) reject(key, "a whole number");
  return value.get<long>();
}

bool JsonObject::truth(const char* key) const {
  const Json& value = at(key);
  if (!value.is_boolean()) reject(key, "true or false");
  return value.get<bool>();
}

std::string JsonObject::text(const char* key) const {
  const Json& value = at(key);
  if (!value.is_string() || has_control(value.get<std::string>())) reject(key, "text");
  return value.get<std::string>();
}

JsonObject JsonObject::object(const char* key) const {
  const Json& value = at(key);
  if (!value.is_object()) reject(key, "an object");
  return {value, path_};
}

std::vector<JsonObject> JsonObject::objects(const char* key) const {
  const Json& value = at(key);
  if (!value.is_array()) reject(key, "a list");
  std::vector<JsonObject> list;
  for (const Json& element : value) {
    if (!element.is_object()) reject(key, "a list of objects");
    list.push_back({element, path_});
  }
  return list;
}

std::vector<std::string> JsonObject::texts(const char* key) const {
  const Json& value = at(key);
  if (!value.is_array()) reject(key, "a list");
  std::vector<std::string> list;
  for (const Json& element : value) {
    if (!element.is_string()) reject(key, "a list of texts");
    if (has_control(list.emplace_back(element.get<std::string>()))) reject(key, "a list of texts");
  }
  return list;
}

bool JsonObject::has(const char* key) const {
  const Json* found = json_.find(key);
  return found != nullptr && !found->is_null();
}

std::optional<double> JsonObject::maybe_number(const char* key) const {
  return has(key) ? std::optional(number(key)) : std::nullopt;
}

void parse_log(std::string_view text, const std::string& path, bool finished,
               const std::function<void(long update, const JsonObject& line)>& visit) {
  std::optional<long> last;
  std::size_t begin = 0;
  for (long number = 1; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    // a run that goes on, or was killed, may have written half of its last line
    if (end == std::string_view::npos && !finished) break;
    const JsonObject line = JsonObject::parse(
        text.substr(begin, std::min(end, text.size()) - begin), fmt::format("{}:{}", path, number));
    const long update = line.whole("update");
    if (last && update <= *last) {
      fail_usage("{} is damaged: update {} does not come after {}.", line.path(), update, *last);
    }
    visit(update, line);
    last = update;
    begin = end == std::string_view::npos ? text.size() : end + 1;
  }
}

}  // namespace vic
