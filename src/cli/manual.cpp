#include "cli/manual.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/text.h"

namespace vic {
namespace {

constexpr const char* summary = "a workbench for intrinsic control";

constexpr std::pair<int, const char*> exit_codes[] = {
    {0, "done"},     {1, "failed"},    {2, "wrong usage"},
    {130, "Ctrl-C"}, {143, "SIGTERM"}, {129, "SIGHUP"},
};

// text for man(1), with all requests escaped
std::string roff(std::string_view text) {
  std::string escaped;
  bool begin = true;
  for (const char c : text) {
    if (begin && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
    begin = c == '\n';
  }
  return escaped;
}

std::string title(const std::string& name, const std::string& about) {
  return fmt::format(".TH {} 1 \"\" \"vic {}\" \"vic manual\"\n.SH NAME\n{} \\- {}\n", roff(name),
                     VIC_VERSION, roff(name), roff(about));
}

std::string paragraph(const std::string& head, const std::string& text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", head, roff(text));
}

// "-o, --out FILE", the placeholder in italics
std::string head_of(const ArgumentInfo& argument) {
  std::string names = roff(joined(argument.names, ", "));
  if (!argument.is_option() || argument.placeholder.empty()) return names;
  return fmt::format("{}\\fR \\fI{}", names, roff(argument.placeholder));
}

// "vic eval RUN [OPTIONS]"
std::string usage_of(const Command& command, const std::vector<ArgumentInfo>& arguments) {
  std::string usage = fmt::format(".B vic {}\n", roff(command.name));
  for (const ArgumentInfo& argument : arguments) {
    if (argument.is_option()) continue;
    const std::string name =
        fmt::format("\\fI{}\\fR{}", roff(argument.placeholder), argument.list ? " ..." : "");
    usage += argument.need == Need::required ? name + "\n" : "[" + name + "]\n";
  }
  return usage + "[\\fIOPTIONS\\fR]\n";
}

std::string paragraphs(const std::vector<ArgumentInfo>& arguments, bool options) {
  std::string text;
  for (const ArgumentInfo& argument : arguments) {
    if (argument.is_option() != options) continue;
    text += paragraph(head_of(argument), argument.allowed.empty()
                                             ? argument.help
                                             : argument.help + " (" + argument.allowed + ")");
  }
  return text;
}

}  // namespace

std::string overview(const std::vector<Command>& commands) {
  std::string text = fmt::format("vic: {}\n\nUsage: vic COMMAND [OPTIONS]\n\nCommands:\n", summary);
  const auto row = [&](std::string_view name, std::string_view about) {
    text += fmt::format("  {:<10} {}\n", name, about);
  };
  for (const Command& command : commands) row(command.name, command.summary);
  for (const OwnCommand& own : own_commands) row(own.name, own.summary);
  std::vector<std::string> codes;
  for (const auto& [code, when] : exit_codes) codes.push_back(fmt::format("{} {}", code, when));
  return text +
         fmt::format(
             "\nvic COMMAND --help describes a command. vic --version, -V\n\nExit codes:\n  {}\n",
             joined(codes, ", "));
}

std::string manual_page(const std::vector<Command>& commands) {
  std::string page = title("vic", summary) +
                     ".SH SYNOPSIS\n.B vic\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH COMMANDS\n";
  std::string pages;
  for (const Command& command : commands) {
    page += paragraph(roff(command.name), command.summary);
    pages += fmt::format("{}.BR vic\\-{} (1)", pages.empty() ? "" : ",\n", roff(command.name));
  }
  for (const OwnCommand& own : own_commands) page += paragraph(own.name, own.summary);
  page += ".SH EXIT STATUS\n";
  for (const auto& [code, when] : exit_codes) page += paragraph(std::to_string(code), when);
  page += ".SH FILES\n" + paragraph("share/vic/experiments", "the figures of the paper") +
          paragraph("share/vic/examples", "worlds to copy") +
          paragraph("share/doc/vic", "README.md and all pages that it names") +
          "All are beside the folder of the program.\n";
  return page + ".SH SEE ALSO\n" + pages + "\n";
}

std::string manual_page(const Command& command) {
  const DeclaredCommand declared(command);
  const std::vector<ArgumentInfo> arguments = declared.arguments.list();
  std::string page = title("vic-" + command.name, command.summary) + ".SH SYNOPSIS\n" +
                     usage_of(command, arguments);
  if (const std::string text = paragraphs(arguments, false); !text.empty()) {
    page += ".SH ARGUMENTS\n" + text;
  }
  page += ".SH OPTIONS\n" + paragraphs(arguments, true);
  if (const std::string text = declared.arguments.footer(); !text.empty()) {
    page += ".SH NOTES\n.nf\n" + roff(text) + ".fi\n";
  }
  return page + ".SH SEE ALSO\n.BR vic (1)\n";
}

}  // namespace vic
