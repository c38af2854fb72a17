// Reads typed values from a TOML document. Every error is one line that gives the file, the line,
// the key with its value, and what is allowed:
//
//   const TomlDocument document(text, "a.toml", {"T_max", "goal"});
//   const TomlTable file = document.root();
//   const int T_max = file["T_max"].whole(Range{2, 100});        // throws where it is missing
//   if (const TomlValue goal = file["goal"]) name = goal.name();  // may be missing
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/settings.h"
#include "base/toml.h"

namespace vic {

class TomlTable;

// A parsed file and the keys that it may have outside of all [tables].
class TomlDocument {
 public:
  // Throws a UsageError where the text is not TOML or has a key that is not in `keys`.
  TomlDocument(std::string_view text, std::string path, std::vector<std::string> keys);

  TomlTable root() const;
  const std::string& path() const { return path_; }
  const std::vector<std::string>& keys() const { return keys_; }

 private:
  std::string path_;
  std::vector<std::string> keys_;
  TomlNode table_;
};

// One value, or the place where one is missing. Points into the document, which must outlive it.
class TomlValue {
 public:
  TomlValue(const TomlDocument& document, const TomlNode* node, std::string key, int line)
      : document_(&document), node_(node), key_(std::move(key)), line_(line) {}

  explicit operator bool() const { return node_ != nullptr; }
  const std::string& key() const { return key_; }
  int line() const { return line_; }
  // The last line of the value.
  int last_line() const { return node_->last_line; }

  // The value as a type; throws where it is another type, out of range, or missing.
  int whole(Range range) const;
  double number(Range range) const;
  bool flag() const;
  std::string text(std::string_view allowed = "text in quotes") const;
  // Text that is fit to be printed and to be looked up: short, and without control characters.
  std::string name() const;
  // A list, with at least one element.
  std::vector<TomlValue> list(std::string_view allowed) const;
  // A table that may have these keys.
  TomlTable table(std::initializer_list<std::string_view> keys) const;
  // A table whose keys the user chooses, as (key, value) in the order of the keys.
  std::vector<std::pair<std::string, TomlValue>> entries() const;

  // A table of settings, however deep, as assignments; the keys are what stands below this one.
  std::vector<Assignment> assignments() const;

  // The same value, called otherwise in errors.
  TomlValue called(std::string key) const;

  // Throws "file:line: key = value is not allowed; it must be <allowed>."
  [[noreturn]] void reject(std::string_view allowed) const;

  // Throws "file:line: <message>".
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(line_, fmt::format(format, std::forward<Args>(args)...));
  }
  [[noreturn]] void fail_at(int line, std::string_view message) const;

 private:
  const TomlDocument* document_;
  const TomlNode* node_;  // null where the value is missing
  std::string key_;       // dotted, as errors give it
  int line_;
};

// A table of the document. Points into the document, which must outlive it.
class TomlTable {
 public:
  TomlTable(const TomlDocument& document, const TomlNode& table, std::string prefix, int line)
      : document_(&document), table_(&table), prefix_(std::move(prefix)), line_(line) {}

  TomlValue operator[](std::string_view key) const;
  const TomlDocument& document() const { return *document_; }

 private:
  const TomlDocument* document_;
  const TomlNode* table_;
  std::string prefix_;  // of the keys: "cells.G."
  int line_;
};

// The end of a message about a name that is not among `known`: the closest one, and where they are
// few, all of them.
std::string hint(std::string_view name, const std::vector<std::string>& known);

}  // namespace vic
