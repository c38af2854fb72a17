// Parts of the page, in the order in which it shows them.
#pragma once

#include <string>
#include <vector>

#include "report/data/summary.h"
#include "report/figures/curve_figure.h"
#include "report/figures/frontier_figure.h"
#include "report/figures/heat_figure.h"
#include "report/page/page.h"

namespace vic {

// What is drawn of a world.
struct WorldFigures {
  std::string id;  // "w0"
  // the section of the page that shows it
  std::string (*section)(const WorldReport& world, const WorldFigures& figures) = nullptr;
  std::vector<SeriesSummary> summaries;
  std::vector<CurveFigure> curves;
  HeatFigure heat;
  bool split = false;                    // whether H is shown as control and chance
  std::vector<FrontierFigure> frontier;  // where the truth has it
};

WorldFigures figures_of(const WorldReport& world, int number);

// "H_max" as HTML with its subscript, all else escaped.
std::string typeset(std::string_view text);

// A dot in the colour of a series.
std::string colour_dot(int colour);

// "1.5 ± 0.1" as a cell of a table.
std::string value_cell(const std::optional<Estimate>& value, int digits);

// Curves with their legend, and heat maps with their scale, as figures of the page.
std::string curve_html(const CurveFigure& figure, const std::string& id);
std::string heat_html(const HeatFigure& heat, const std::string& id, const std::string& words);

std::string claims_section(const std::vector<ClaimRow>& claims);
std::string overview_section(const ReportData& data, const std::vector<WorldFigures>& figures);
std::string table_section(const WorldReport& world, const WorldFigures& figures);
std::string simulator_section(const WorldReport& world, const WorldFigures& figures);
std::string settings_section(const ReportData& data);

// What the page's script draws and shows, as JSON fit for a <script> element.
std::string script_data(const std::vector<WorldFigures>& figures);

// The films that the page plays, the same way; empty where there are none.
std::string film_data(const ReportData& data);

// A JSON text in which no name can end the element.
std::string script_text(const std::string& json);

}  // namespace vic
