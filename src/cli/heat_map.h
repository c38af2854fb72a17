// Numbers of states drawn on the world's picture: in the terminal, or as an SVG file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/console.h"
#include "report/figures/heat_figure.h"
#include "world/tabular.h"

namespace vic {

// The picture with each state's cell shaded by p relative to the largest p, and a legend; two
// characters per cell. In plain text a cell shows p in tenths of the largest p, '.' for none. A
// world without a picture gets a bar per state, the most likely first.
std::string heat_map(const TabularWorld& world, std::span<const double> p, Palette palette);

// The picture with the path through these states: the cell of a state shows how many moves led to
// it, the last time; 'G' marks a goal that was not reached. Empty for a world without a picture.
std::string route_map(const TabularWorld& world, std::span<const int> states, int goal);

// The same for any number, shaded from the smallest to the largest; in plain text 0 to 9. States
// without a number show '.'. Empty for a world without a picture.
std::string value_map(const TabularWorld& world, std::span<const std::optional<double>> values,
                      Palette palette);

// An SVG file with a panel for each quantity, on the world's picture or, if it has none, with one
// cell per state. The values of a panel are given by state (S).
std::string value_sheet(const TabularWorld& world, const std::vector<ValuePanel>& panels,
                        const std::string& label);

}  // namespace vic
