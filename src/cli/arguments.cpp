#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace vic {
namespace {

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

Arguments::Arguments(const std::string& program, const std::string& summary)
    : app_(std::make_unique<CLI::App>(summary, program)) {
  // they are rejected in words of our own
  app_->allow_extras();
}

Arguments::~Arguments() = default;

template <class Value>
void Arguments::positional(const std::string& name, Value& value, Need need,
                           const std::string& help) {
  std::string placeholder = name;
  std::transform(name.begin(), name.end(), placeholder.begin(), ::toupper);
  app_->add_option(name, value, help)->type_name(placeholder)->required(need == Need::required);
}
template void Arguments::positional(const std::string&, std::string&, Need, const std::string&);
template void Arguments::positional(const std::string&, std::vector<std::string>&, Need,
                                    const std::string&);

void Arguments::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value, help);
}

void Arguments::option(const std::string& name, std::string& value, const std::string& help) {
  add_option(*app_, name, value, help);
}

void Arguments::option(const std::string& name, int& value, Range range, const std::string& help) {
  add_option(*app_, name, value, help)
      ->check(CLI::Range(static_cast<int>(range.min), static_cast<int>(range.max)));
}

void Arguments::option(const std::string& name, double& value, Range range,
                       const std::string& help) {
  add_option(*app_, name, value, help)->check(CLI::Range(range.min, range.max));
}

void Arguments::option(const std::string& name, std::vector<double>& values, Range range,
                       const std::string& help) {
  add_option(*app_, name, values, help)->delimiter(',')->check(CLI::Range(range.min, range.max));
}

void Arguments::option(const std::string& name, std::vector<std::string>& values,
                       const std::string& help) {
  add_option(*app_, name, values, help)->allow_extra_args(false);
}

void Arguments::footer(const std::string& text) {
  app_->footer(text);
}

std::optional<std::string> Arguments::parse(const std::vector<std::string>& arguments) {
  CLI::App& app = *app_;
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
