// Numbers of a simulated state, selected by name in a setting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/simulator.h"

namespace vic {

// The indices of the numbers named in `words`, in order: "all", names with spaces between them, or
// names with a hyphen in front, for all but these. Throws a UsageError that names the setting.
std::vector<int> numbers_named(const SimulatorSpec& spec, std::string_view setting,
                               const std::string& words);

}  // namespace vic
