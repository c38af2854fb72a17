// Completion for shells. The shell's script is a few lines that call the program, which answers
// from the commands' own declarations, the registry of worlds and the settings.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace vic {

// The possible completions of the last of `words`, the arguments so far (the last may be empty or
// partial), one per line. Nothing if it is the name of a file, which the shell completes itself.
std::string completions(const std::vector<Command>& commands,
                        const std::vector<std::string>& words);

// The script of "bash" or "zsh". Throws a UsageError for another shell.
std::string completion_script(const std::string& shell);

}  // namespace vic
