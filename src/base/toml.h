// TOML text from a file of the user's, as a tree of values. toml++ is compiled in toml.cpp alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/settings.h"

namespace vic {

struct TomlMember;

// A value and where it stands in the text.
struct TomlNode {
  using List = std::vector<TomlNode>;
  using Table = std::vector<TomlMember>;  // by rising key
  struct Time {};                         // a date or a time: none of our files has one

  std::variant<Time, std::string, std::int64_t, double, bool, List, Table> value;
  int first_line = 0, last_line = 0;  // 0 of a table that was never written out, as a of [a.b]

  const std::string* text() const { return std::get_if<std::string>(&value); }
  const std::int64_t* whole() const { return std::get_if<std::int64_t>(&value); }
  const double* real() const { return std::get_if<double>(&value); }
  const bool* flag() const { return std::get_if<bool>(&value); }
  const List* list() const { return std::get_if<List>(&value); }
  const Table* table() const { return std::get_if<Table>(&value); }

  // The member of a table; nullptr where there is none or this is no table.
  const TomlNode* find(std::string_view key) const;
};

struct TomlMember {
  std::string key;
  int key_line = 0;
  TomlNode node;
};

// The table that the text describes; `path` is what errors call it. Throws a UsageError of one line
// with the file and the line where the text is not TOML.
TomlNode parse_toml(std::string_view text, const std::string& path);

// The numbers and texts of a table of tables, under dotted keys. Throws a UsageError for anything
// else.
std::vector<Assignment> settings_in(const TomlNode& table, const std::string& path);

}  // namespace vic
