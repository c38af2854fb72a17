// Numbers of states on the world's own picture: a panel for each quantity, from its least value to
// its largest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/figures/heat_figure.h"

namespace vic {

struct ValuePanel {
  std::string title;
  std::vector<std::optional<double>> values;  // of the places of the layout
};

std::string draw_value_sheet(const HeatLayout& layout, const std::vector<ValuePanel>& panels,
                             const std::string& label, Form form);

}  // namespace vic
