// Completion for shells. The shell's script is a few lines that call the program: it answers from
// the commands' own declarations, the registry of worlds and the settings.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace vic {

// What may stand for the last of `words`, the arguments so far (the last may be empty or begun): a
// line for each. Nothing where it is the name of a file, which the shell completes itself.
std::string completions(const std::vector<Command>& commands,
                        const std::vector<std::string>& words);

// The script of "bash" or "zsh". Throws a UsageError for another shell.
std::string completion_script(const std::string& shell);

}  // namespace vic
