// The exact frontier as a curve, and the runs as points: control D and reaching against coverage H.
#pragma once

#include <string>
#include <vector>

#include "report/data/report_data.h"
#include "report/figures/svg.h"

namespace vic {

struct FrontierFigure {
  // A point of the curve: the maximiser of D + lambda N.
  struct Exact {
    double lambda = 0, x = 0, y = 0;
  };
  // A run.
  struct Learned {
    int series = 0;
    double x = 0, y = 0;
  };
  struct Name {
    std::string label;
    int colour = 0;
    double lambda = 0;
  };

  std::string id, title, words, y_label;
  std::vector<Exact> exact;      // by rising lambda
  std::vector<Learned> learned;  // runs that are finished
  std::vector<Name> series;
  double best = 0;  // a line at the most that there can be; 0: none
};

// D against H, and the success of pi_q against H where runs have it. None where the truth has no
// frontier.
std::vector<FrontierFigure> frontier_figures(const WorldReport& world);

std::string draw_frontier(const FrontierFigure& figure, Form form);

}  // namespace vic
