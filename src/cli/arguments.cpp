#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace vic {
namespace {

template <class Value>
void add_positional(CLI::App& app, const std::string& name, Value& value, Need need,
                    const std::string& help) {
  std::string placeholder = name;
  std::transform(name.begin(), name.end(), placeholder.begin(), ::toupper);
  app.add_option(name, value, help)->type_name(placeholder)->required(need == Need::required);
}

// named as in "--goal GOAL"
template <class Value>
CLI::Option* add_option(CLI::App& app, const std::string& name, Value& value,
                        const std::string& help) {
  const std::size_t space = name.find(' ');
  return app.add_option(name.substr(0, space), value, help)->type_name(name.substr(space + 1));
}

// what the parser could not place: an unknown option, or one argument too many
[[noreturn]] void reject_extra(const CLI::App& app, const std::string& extra) {
  if (!extra.starts_with("-")) {
    fail_usage("{} has no use for the argument '{}'; see {} --help.", app.get_name(), extra,
               app.get_name());
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  }
  fail_usage("{} has no option {}{}", app.get_name(), extra, suggestion(extra, names));
}

}  // namespace

struct Arguments::Parser {
  CLI::App app;
};

Arguments::Arguments(const std::string& program, const std::string& summary)
    : parser_(new Parser{CLI::App(summary, program)}) {
  // they are rejected in words of our own
  parser_->app.allow_extras();
}

Arguments::~Arguments() = default;

void Arguments::positional(const std::string& name, std::string& value, Need need,
                           const std::string& help) {
  add_positional(parser_->app, name, value, need, help);
}

void Arguments::positional(const std::string& name, std::vector<std::string>& values, Need need,
                           const std::string& help) {
  add_positional(parser_->app, name, values, need, help);
}

void Arguments::flag(const std::string& name, bool& value, const std::string& help) {
  parser_->app.add_flag(name, value, help);
}

void Arguments::option(const std::string& name, std::string& value, const std::string& help) {
  add_option(parser_->app, name, value, help);
}

void Arguments::option(const std::string& name, int& value, Range range, const std::string& help) {
  add_option(parser_->app, name, value, help)
      ->check(CLI::Range(static_cast<int>(range.min), static_cast<int>(range.max)));
}

void Arguments::option(const std::string& name, std::vector<double>& values, Range range,
                       const std::string& help) {
  add_option(parser_->app, name, values, help)
      ->delimiter(',')
      ->check(CLI::Range(range.min, range.max));
}

void Arguments::option(const std::string& name, std::vector<std::string>& values,
                       const std::string& help) {
  add_option(parser_->app, name, values, help)->allow_extra_args(false);
}

void Arguments::footer(const std::string& text) {
  parser_->app.footer(text);
}

std::optional<std::string> Arguments::parse(const std::vector<std::string>& arguments) {
  CLI::App& app = parser_->app;
  // CLI11 wants the arguments last first
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::ParseError& error) {
    fail_usage("{}: {}; see {} --help.", app.get_name(), error.what(), app.get_name());
  }
  if (const auto extras = app.remaining(); !extras.empty()) reject_extra(app, extras.front());
  return std::nullopt;
}

}  // namespace vic
