// A JSON object from a file: what is missing or of the wrong kind is a UsageError that names the
// file and the key.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace vic {

class JsonObject {
 public:
  // The object that the text is; `path` is what errors call it.
  static JsonObject parse(std::string_view text, std::string path);

  double number(const char* key) const;
  long whole(const char* key) const;
  bool truth(const char* key) const;
  std::string text(const char* key) const;
  JsonObject object(const char* key) const;
  // Elements of an array of objects.
  std::vector<JsonObject> objects(const char* key) const;
  std::vector<std::string> texts(const char* key) const;

  // Whether the key is there and not null.
  bool has(const char* key) const;
  std::optional<double> maybe_number(const char* key) const;

  const Json& json() const { return json_; }
  const std::string& path() const { return path_; }

 private:
  JsonObject(Json json, std::string path) : json_(std::move(json)), path_(std::move(path)) {}
  const Json& at(const char* key) const;
  [[noreturn]] void reject(const char* key, const char* kind) const;

  Json json_;
  std::string path_;
};

// Reads a log, an object with a rising "update" a line. The last line of a run that is not
// finished may be half written. Throws a UsageError that names the line.
void parse_log(std::string_view text, const std::string& path, bool finished,
               const std::function<void(long update, const JsonObject& line)>& visit);

}  // namespace vic
