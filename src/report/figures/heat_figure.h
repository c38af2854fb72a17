// Numbers on the states of a world's own picture, above all p(s_f).
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/data/report_data.h"
#include "report/figures/svg.h"

namespace vic {

// The places at which states are drawn: squares of a map, or circles of a tree.
struct HeatLayout {
  struct Place {
    std::string state;
    double x = 0, y = 0;  // the centre
  };
  std::vector<Place> places;
  std::vector<std::pair<double, double>> walls;  // centres
  std::vector<std::pair<int, int>> edges;        // pairs of places
  double cell = 0;                               // side of a square, diameter of a circle
  bool round = false;                            // circles
  double width = 0, height = 0;
  int start = -1;  // the place of s_0
  struct Label {
    double x = 0, y = 0;
    std::string text, anchor;
  };
  std::vector<Label> labels;  // beside the cells
};

// Cells smaller than this have no room for a number.
inline constexpr double smallest_with_number = 24;

// A panel: one distribution, or those of several seeds and their mean, which is the first.
struct HeatPanel {
  std::string title;
  int colour = -1;                                            // of a series
  std::vector<std::pair<std::string, Distribution>> choices;  // "mean", "seed 1", …
  // the likeliest route of each seed, as places of the layout; on maps without numbers
  std::vector<std::pair<std::string, std::vector<int>>> routes = {};
};

struct HeatFigure {
  HeatLayout layout;
  std::vector<HeatPanel> panels;

  // The p of the darkest colour: the same in all panels.
  double largest() const;
};

// Panels for the series that have finished runs, and for the optima that are known.
HeatFigure heat_figure(const WorldReport& world);

// The cells of a simulated world: panels for the series that have finished runs and for random
// actions. The first coordinate goes from left to right, the second upward; cells that differ in
// further ones are summed.
HeatFigure cell_figure(const WorldReport& world);

// A panel for each series that has runs with a distribution.
std::vector<HeatPanel> series_panels(
    const WorldReport& world,
    const std::function<std::optional<Distribution>(const FinalValues&)>& distribution_of);

// The layout of a picture whose cells are these states; without one, the states line by line.
HeatLayout layout_of(const Picture& picture, const std::vector<std::string>& states);

// p of each place of the layout.
std::vector<double> on_layout(const HeatLayout& layout, const Distribution& p);  // (places)

std::string draw_heat(const HeatFigure& figure, const HeatPanel& panel, Form form);

// All panels side by side with the scale, for papers.
std::string draw_heat_sheet(const HeatFigure& figure, Form form);

// The scale from 0 to the largest p.
std::string draw_heat_scale(const HeatFigure& figure, Form form);

// Numbers of states, from their least to their largest.
struct ValuePanel {
  std::string title;
  std::vector<std::optional<double>> values;  // of the places of the layout
};
std::string draw_value_sheet(const HeatLayout& layout, const std::vector<ValuePanel>& panels,
                             const std::string& label, Form form);

}  // namespace vic
