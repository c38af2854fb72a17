// Maps by start as a picture: those of the truth, and those of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "world/tabular.h"

namespace vic {

struct StartPanel {
  std::string title;
  std::vector<std::optional<double>> values;  // (S) empty for what is no start, or is not known
};

// An SVG file with a panel for each quantity, on the world's own picture or, where it has none, a
// cell a state.
std::string start_sheet(const TabularWorld& world, const std::vector<StartPanel>& panels,
                        const std::string& label);

}  // namespace vic
