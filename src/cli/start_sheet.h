// Maps by start as a picture: of the exact optima, and of what a run controls.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "world/tabular.h"

namespace vic {

struct StartPanel {
  std::string title;
  std::vector<std::optional<double>>
      values;  // (S) empty where a state is no start, or the value is not known
};

// An SVG file with a panel for each quantity, on the world's own picture or, where it has none,
// with one cell per state.
std::string start_sheet(const TabularWorld& world, const std::vector<StartPanel>& panels,
                        const std::string& label);

}  // namespace vic
