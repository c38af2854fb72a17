// p(s_f) on the world's own picture: a panel for each series and for each optimum.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/data/report_data.h"
#include "report/figures/svg.h"

namespace vic {

// Where the states are drawn: squares of a map, or circles of a tree.
struct HeatLayout {
  struct Place {
    std::string state;
    double x = 0, y = 0;  // the centre
  };
  std::vector<Place> places;
  std::vector<std::pair<double, double>> walls;  // centres
  std::vector<std::pair<int, int>> edges;        // of places
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

// How a cell looks: its heat class, -1 for a state without a value, and its number where the cell
// has room for it.
struct CellLook {
  int level = 0;
  std::string text;
};

// Below this a number does not fit into a cell.
inline constexpr double smallest_with_number = 24;

// Draws the states of a layout at (dx, dy); `looks` are those of the places.
void draw_cells(Svg& svg, const HeatLayout& layout, const std::vector<CellLook>& looks, double dx,
                double dy);

// A panel: one distribution, or those of several seeds and their mean, which is the first.
struct HeatPanel {
  std::string title;
  int colour = -1;                                            // of a series
  std::vector<std::pair<std::string, Distribution>> choices;  // "mean", "seed 1", …
  // the likeliest way of each seed, as places of the layout; on maps without numbers
  std::vector<std::pair<std::string, std::vector<int>>> routes = {};
};

struct HeatFigure {
  HeatLayout layout;
  std::vector<HeatPanel> panels;
  double largest = 0;  // p of the darkest colour: the same in all panels
};

// Empty panels where the runs are not finished and the truth is not known.
HeatFigure heat_figure(const WorldReport& world);

// The layout of a picture; of a world without one, its states line by line.
HeatLayout layout_of(const WorldPicture& picture);
HeatLayout layout_of(const std::set<std::string>& states);

// p of each place of the layout.
std::vector<double> on_layout(const HeatLayout& layout, const Distribution& p);  // (places)

std::string draw_heat(const HeatFigure& figure, const HeatPanel& panel, Form form);

// All panels beside each other with the scale, for papers.
std::string draw_heat_sheet(const HeatFigure& figure, Form form);

// The scale from 0 to the largest p.
std::string draw_heat_scale(const HeatFigure& figure, Form form);

}  // namespace vic
