// Documentation of the commands: the overview of vic --help, and pages for man(1). Both are made
// from the commands' own declarations.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace vic {

// A command that the program handles itself.
struct OwnCommand {
  const char* name;
  const char* summary;
};
inline constexpr OwnCommand own_commands[] = {
    {"help", "this overview; vic help COMMAND describes one"},
    {"completion", "a script for bash or zsh: source <(vic completion bash)"},
};

// A line for each command, the exit codes.
std::string overview(const std::vector<Command>& commands);

// vic(1): the overview, the files of a run, where to find more.
std::string manual_page(const std::vector<Command>& commands);

// vic-NAME(1): one command with its arguments, options and settings.
std::string manual_page(const Command& command);

}  // namespace vic
