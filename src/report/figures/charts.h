// Figures with axes: curves over updates, the frontier, the split of H, and behaviours over time.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "report/data/summary.h"
#include "report/figures/svg.h"

namespace vic {

// A value to compare with: a horizontal line.
struct CurveMark {
  std::string label;  // "H_max"
  double value = 0;
  std::string style;  // "", "dash" or "dot"
};

// What the x axis counts: all updates; or those of the policy, from the end of each series' own
// warm-up, also as their logarithm.
enum class CurveAxis { all, policy, log };
template <>
inline constexpr auto names_of<CurveAxis> = std::to_array<std::string_view>({"all", "policy",
                                                                             "log"});

// Curves over updates: what the page draws with uPlot and what --svg writes.
struct CurveFigure {
  std::string id;  // part of the names of files and elements
  std::string title;
  std::string y_label, y_title;  // the unit, and the name of the axis with it
  std::string x_title = {};      // of the x axis; empty: the updates that it counts
  long warm_up = 0;              // updates of the warm-up, if all series have the same; else 0
  CurveAxis axis = CurveAxis::all;
  Extent range = {0, 1};
  std::vector<CurveMark> beyond;  // marks so far off that the curves would have no room
  std::vector<CurveMark> marks;
  struct Line {
    std::string label;
    int colour = 0;
    long warm_up = 0;
    SeriesCurve curve;
  };
  std::vector<Line> lines;

  // Chooses the axis that gives the curves room: a long warm-up is left out, and the logarithm
  // shows runs of very different lengths together.
  void choose_axis();
};

// The empowerment during training, with H_max, H_at_D_max and C_open; in a simulated world the
// entropy of the cells, with that of random actions.
CurveFigure empowerment_figure(const WorldReport& world);

// The external reward during training, with the largest possible; for worlds that pay.
CurveFigure reward_figure(const WorldReport& world);

// How many cells, and how many behaviours, the surveys of a simulated world have met so far; no
// cells if the logs do not list them.
std::vector<CurveFigure> discovery_figures(const WorldReport& world);

std::string draw_curves(const CurveFigure& figure, Form form);

// The exact frontier as a curve, and the runs as points, against coverage H.
struct FrontierFigure {
  // A point of the curve: the maximiser of D + lambda N.
  struct Exact {
    double lambda = 0, x = 0, y = 0;
  };
  // A run.
  struct Learned {
    int colour = 0;
    double x = 0, y = 0;
  };
  struct Name {
    std::string label;
    int colour = 0;
    double lambda = 0;
  };

  std::string id, title, words, y_label;
  double best = 0;               // a line at the largest possible value; 0: none
  std::vector<Exact> exact;      // by increasing lambda
  std::vector<Learned> learned;  // runs that are finished
  std::vector<Name> series;
};

// D and the success of pi_q, against H. None if the truth has no frontier.
std::vector<FrontierFigure> frontier_figures(const WorldReport& world);

std::string draw_frontier(const FrontierFigure& figure, Form form);

// H split into D, control, and N, chance: a bar for each series.
std::string draw_bars(const WorldReport& world, const std::vector<SeriesSummary>& summaries,
                      Form form);

// H of a series during training, split into D and N where they are known: a column for each line of
// control.jsonl, the mean over its runs. Empty text if there is none yet.
std::string draw_control(const WorldReport& world, const Series& series, Form form);

// Kinds of behaviours by number, which determines their order and colour.
using BehaviourKinds = std::map<int, std::string>;

// The kinds that the runs of a world showed.
BehaviourKinds behaviour_kinds(const WorldReport& world);

// The behaviours of a run during training: stacked bars, a column for each line of
// behaviours.jsonl. Empty text if the run has no line yet.
std::string draw_behaviours(const RunFiles& run, Form form);

// The colours of the kinds.
std::string behaviour_legend_html(const BehaviourKinds& kinds);

}  // namespace vic
