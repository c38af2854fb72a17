// Parts of the page, in the order in which it shows them.
#pragma once

#include <string>
#include <vector>

#include "report/curve_figure.h"
#include "report/frontier_figure.h"
#include "report/heat_figure.h"
#include "report/page.h"
#include "report/summary.h"

namespace vic {

// What is drawn of a world.
struct WorldFigures {
  std::string id;  // "w0"
  std::vector<SeriesSummary> summaries;
  std::vector<CurveFigure> curves;
  HeatFigure heat;
  std::vector<FrontierFigure> frontier;  // where the truth has it
};

WorldFigures figures_of(const WorldReport& world, int number);

// "H_max" as HTML with its subscript, all else escaped.
std::string typeset(std::string_view text);

// A dot in the colour of a series.
std::string colour_dot(int colour);

std::string claims_section(const std::vector<ClaimRow>& claims);
std::string overview_section(const ReportData& data, const std::vector<WorldFigures>& figures);
std::string world_section(const WorldReport& world, const WorldFigures& figures);
std::string settings_section(const ReportData& data);

// What the page's script draws and shows, as JSON fit for a <script> element.
std::string script_data(const std::vector<WorldFigures>& figures);

}  // namespace vic
