// Curves over updates: what the page draws with uPlot and what --svg writes.
#pragma once

#include <string>
#include <vector>

#include "report/data/report_data.h"
#include "report/figures/svg.h"

namespace vic {

// A value to compare with: a horizontal line.
struct CurveMark {
  std::string label;  // "H_max"
  double value = 0;
  std::string style;  // "", "dash" or "dot"
};

struct CurveFigure {
  std::string id;     // part of names of files and elements
  std::string title;  // what it shows
  std::string y_label;
  long warm_up = 0;  // updates of the warm-up, where all series have the same; else 0
  long last = 0;     // the last update drawn
  double low = 0, high = 1;
  std::vector<CurveMark> beyond;  // marks that would leave no room for the curves
  std::vector<CurveMark> marks;
  struct Line {
    std::string label;
    int colour = 0;
    SeriesCurve curve;
  };
  std::vector<Line> lines;
};

// The empowerment during training, with H_max, H_at_D_max and C_open; of a simulated world the
// entropy of the cells, with that of random actions.
CurveFigure empowerment_figure(const WorldReport& world);

// The external reward during training, with the largest possible; for worlds that pay.
CurveFigure reward_figure(const WorldReport& world);

std::string draw_curves(const CurveFigure& figure, Form form);

// Places for labels at these heights, in their order, no two closer than `distance` and none
// outside of [low, high] as long as there is room.
std::vector<double> spread(std::vector<double> places, double distance, double low, double high);

}  // namespace vic
