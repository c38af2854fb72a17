// The arguments of a command, bound to variables. The parser is CLI11; it takes longer to compile
// than all commands together, so only arguments.cpp includes it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/settings.h"

namespace CLI {
class App;
}

namespace vic {

enum class Need { optional, required };

// An argument as it was declared, for completion and the manual.
struct ArgumentInfo {
  std::vector<std::string> names;  // "-o", "--out"; of a positional argument its placeholder alone
  std::string placeholder;         // the value of an option: "FILE"; "" for a flag
  std::string allowed;             // the range of a number, "" if any value is allowed
  std::string help;
  Need need = Need::optional;
  bool list = false;  // positional, and takes all remaining arguments

  bool is_option() const { return names.front().starts_with("-"); }
};

// Names are as in the help: "--goal GOAL", "-o,--out FILE", for a flag "--all". The variable of an
// argument that is not given keeps its value. Variables must outlive the parse.
class Arguments {
 public:
  // `program` is what the user types before the arguments: "vic eval".
  Arguments(const std::string& program, const std::string& summary);
  ~Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  // Positional arguments, in the order of declaration: a text, or a list of the remaining ones.
  template <class Value>
  void positional(const std::string& name, Value& value, Need need, const std::string& help);

  void flag(const std::string& name, bool& value, const std::string& help);

  // Numbers must be in the range. Lists of numbers are separated by commas; lists of texts repeat
  // the option.
  void option(const std::string& name, std::string& value, const std::string& help);
  void option(const std::string& name, int& value, Range range, const std::string& help);
  void option(const std::string& name, double& value, Range range, const std::string& help);
  void option(const std::string& name, std::vector<double>& values, Range range,
              const std::string& help);
  void option(const std::string& name, std::vector<std::string>& values, const std::string& help);

  // The end of the help.
  void footer(const std::string& text);
  std::string footer() const;

  // What was declared: positional arguments in their order, then options in theirs.
  std::vector<ArgumentInfo> list() const;

  // Sets the variables. If the user asked for the help, returns it and ignores everything else.
  // Throws a UsageError for an argument that is unknown, missing or out of range.
  std::optional<std::string> parse(const std::vector<std::string>& arguments);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace vic
