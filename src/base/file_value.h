// Typed values from a file, TOML that the user wrote or JSON that the program wrote. Every error is
// one line that gives the file, the key, and what the value must be; for TOML the line and the
// value too:
//
//   const FileValue file = FileValue::parse_toml(text, "a.toml", {"T_max", "goal"});
//   const int T_max = file["T_max"].whole(Range{2, 100});         // throws where it is missing
//   if (const FileValue goal = file["goal"]) name = goal.name();  // may be missing
//   const double H = FileValue::parse(text, "truth.json").number("H");
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/settings.h"

namespace vic {

// One value of a file, or the place where one is missing. Keeps the whole file alive.
class FileValue {
 public:
  // The object in a JSON text; `path` is its name in errors.
  static FileValue parse(std::string_view text, std::string path);
  // The table in a TOML text; `keys` are those allowed outside of all [tables], any if empty.
  // Throws a UsageError where the text is not TOML or has another key.
  static FileValue parse_toml(std::string_view text, std::string path,
                              std::vector<std::string> keys = {});

  explicit operator bool() const { return json_ != nullptr; }
  const Json& json() const;  // null where the value is missing
  const std::string& path() const { return file_->path; }
  const std::string& key() const { return key_; }  // dotted, as in errors
  int line() const { return line_; }               // of TOML

  // The value as a type; throws where it is another type, out of range, or missing.
  int whole(Range range) const;
  double number(Range range) const;
  bool flag() const;
  std::string text() const;
  // Text that can be printed and looked up: short, and without control characters.
  std::string name() const;
  // A list with at least one element; `allowed` describes it in errors.
  std::vector<FileValue> list(std::string_view allowed) const;
  // This value, which must be a table without other keys than these.
  const FileValue& table(const std::vector<std::string>& keys) const;
  // A table whose keys the user chooses, as (key, value) in the order of the keys.
  std::vector<std::pair<std::string, FileValue>> entries() const;
  // A table of settings, however deep, as assignments; their keys are relative to this one.
  std::vector<Assignment> assignments() const;

  // A member of a table, by its key.
  FileValue operator[](std::string_view key) const;
  bool has(std::string_view key) const { return !(*this)[key].json().is_null(); }
  double number(std::string_view key) const { return (*this)[key].number(Range{}); }
  std::optional<double> maybe_number(std::string_view key) const;  // empty for null
  long whole(std::string_view key) const;
  bool truth(std::string_view key) const { return (*this)[key].flag(); }
  std::string text(std::string_view key) const { return (*this)[key].text(); }
  FileValue object(std::string_view key) const;
  // The elements of a list, which may be empty.
  std::vector<FileValue> objects(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;

  // The same value under another name in errors.
  FileValue called(std::string key) const { return {file_, json_, std::move(key), line_}; }

  // Throws "file:line: key = value is not allowed; it must be <allowed>." for TOML, and for JSON
  // "file is damaged: "key" is not <allowed>.".
  [[noreturn]] void reject(std::string_view allowed) const;

  // Throws "file:line: <message>", at the line of this value or another.
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(line_, format, std::forward<Args>(args)...);
  }
  template <class... Args>
  [[noreturn]] void fail_at(int line, fmt::format_string<Args...> format, Args&&... args) const {
    fail_usage("{}:{}: {}", path(), line, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  struct File {
    std::string path;
    Json json;
    bool toml = false;
    std::vector<std::string> keys;  // that may stand outside of all [tables]
  };

  FileValue(std::shared_ptr<const File> file, const Json* json, std::string key, int line)
      : file_(std::move(file)), json_(json), key_(std::move(key)), line_(line) {}
  FileValue child(std::string key, const Json* json) const;
  std::vector<FileValue> elements() const;

  std::shared_ptr<const File> file_;
  const Json* json_;  // inside of the file; nullptr where the value is missing
  std::string key_;
  int line_;
};

}  // namespace vic
