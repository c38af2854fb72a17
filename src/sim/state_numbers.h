// Numbers of a simulated state, chosen by their names in a setting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/simulator.h"

namespace vic {

// The numbers that `words` name, in their order: "all", names with spaces between them, or names
// that begin with a hyphen, for all but these. Throws a UsageError that names the setting.
std::vector<int> numbers_named(const SimulatorSpec& spec, std::string_view setting,
                               const std::string& words);

}  // namespace vic
