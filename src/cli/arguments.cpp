#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "base/file.h"
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

// the same with numbers in a range, as in settings
template <class Value>
void add_number(CLI::App& app, const std::string& name, Value& value, Range range,
                std::string_view kind, const std::string& help) {
  const bool whole = std::same_as<Value, int>;
  add_option(app, name, value, help)
      ->check(
          [range, whole, kind = std::string(kind)](const std::string& text) {
            try {
              int whole_value = 0;
              double number = 0;
              if (whole) {
                parse_setting({"", text, ""}, range, whole_value);
              } else {
                parse_setting({"", text, ""}, range, number);
              }
              return std::string();
            } catch (const UsageError&) {
              return fmt::format("{} is not allowed; it must be {}",
                                 text.empty() ? "''" : shown(text), describe_range(range, kind));
            }
          },
          "");
}

// rejects an argument that is a setting, if none is expected: "--set a=1 b=2"
void reject_bare_settings(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& text = arguments[i];
    const std::size_t equals = text.find('=');
    const auto letter = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    };
    if (equals == std::string::npos || equals == 0 ||
        (i > 0 && arguments[i - 1].starts_with("--")) ||
        !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(equals), letter) ||
        path_may_exist(text)) {
      continue;
    }
    fail_usage("'{}' is a setting: write --set {}, with a --set of its own.", shown(text),
               shown(text));
  }
}

// rejects what the parser could not place: an unknown option, or one argument too many
[[noreturn]] void reject_extra(const CLI::App& app, const std::string& extra) {
  if (!extra.starts_with("-")) {
    fail_usage("{} does not take the argument '{}'; see {} --help.", app.get_name(), extra,
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
  // rejected below, with our own messages
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
  add_number(*app_, name, value, range, "a whole number", help);
}

void Arguments::option(const std::string& name, double& value, Range range,
                       const std::string& help) {
  add_option(*app_, name, value, help)->check(CLI::Range(range.min, range.max));
}

void Arguments::option(const std::string& name, std::vector<double>& values, Range range,
                       const std::string& help) {
  add_number(*app_, name, values, range, "a number", help);
  app_->get_option(name.substr(0, name.find(' ')))->delimiter(',');
}

void Arguments::option(const std::string& name, std::vector<std::string>& values,
                       const std::string& help) {
  add_option(*app_, name, values, help)->allow_extra_args(false);
}

void Arguments::footer(const std::string& text) {
  app_->footer(text);
}

std::string Arguments::footer() const {
  return app_->get_footer();
}

std::vector<ArgumentInfo> Arguments::list() const {
  std::vector<ArgumentInfo> positional, options;
  for (const CLI::Option* option : app_->get_options()) {
    // CLI11 appends the range of a number to the placeholder: "N:INT in [1 - 1024]"
    const std::string type = option->get_type_size() == 0 ? "" : option->get_type_name();
    const std::size_t colon = type.find(':');
    ArgumentInfo info{.names = {},
                      .placeholder = type.substr(0, colon),
                      .allowed = colon == std::string::npos ? "" : type.substr(colon + 1),
                      .help = option->get_description(),
                      .need = option->get_required() ? Need::required : Need::optional,
                      .list = option->get_positional() && option->get_items_expected_max() > 1};
    if (option->get_positional()) {
      info.names = {info.placeholder};
      positional.push_back(std::move(info));
      continue;
    }
    for (const std::string& name : option->get_snames()) info.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) info.names.push_back("--" + name);
    options.push_back(std::move(info));
  }
  positional.insert(positional.end(), options.begin(), options.end());
  return positional;
}

std::optional<std::string> Arguments::parse(const std::vector<std::string>& arguments) {
  CLI::App& app = *app_;
  reject_bare_settings(arguments);
  // CLI11 expects the arguments in reverse order
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::ArgumentMismatch&) {
    // the last argument is an option without its value
    const CLI::Option* option = app.get_option_no_throw(arguments.back());
    if (option == nullptr)
      fail_usage("{}: an option lacks its value; see {} --help.", app.get_name(), app.get_name());
    fail_usage("{}: {} needs a value, as in {} {}.", app.get_name(), arguments.back(),
               arguments.back(), option->get_type_name());
  } catch (const CLI::ParseError& error) {
    fail_usage("{}: {}; see {} --help.", app.get_name(), error.what(), app.get_name());
  }
  if (const auto extras = app.remaining(); !extras.empty()) reject_extra(app, extras.front());
  return std::nullopt;
}

}  // namespace vic
