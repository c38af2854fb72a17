// Parts of the page, in the order in which it shows them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/figures/charts.h"
#include "report/figures/heat_figure.h"
#include "report/page/page.h"

namespace vic {

// The figures of a world.
struct WorldFigures {
  std::string id;  // "w0"
  std::vector<SeriesSummary> summaries;
  std::vector<CurveFigure> curves;
  HeatFigure heat;
  std::vector<FrontierFigure> frontier;  // if the truth has it
};

WorldFigures figures_of(const WorldReport& world, std::size_t number);

// The rows of a small table.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

// Replaces each {{name}} by its text, which is not searched again.
std::string fill(std::string_view form, const std::map<std::string, std::string>& values);

// "H_max" as HTML with its subscript; everything else is escaped.
std::string typeset(std::string_view text);

// A dot in the colour of a series.
std::string colour_dot(int colour);

// "1.5 ± 0.1" as a cell of a table, or a dash.
std::string value_cell(const std::optional<Estimate>& value, int digits, const char* unit = "");

std::string note_html(const std::string& words);
std::string facts_html(const NamedTexts& facts);

// A table that scrolls on its own if the page is narrow. `head` has its header cells, `rows` whole
// rows.
std::string table_html(const std::string& label, const char* classes, const std::string& head,
                       const std::string& rows);

// A figure with its title and caption; `attributes` begin with a space.
std::string figure_html(const std::string& title, const std::string& words,
                        const std::string& content, const std::string& attributes = "");

// The warnings of the runs of a world, at the top of its section.
std::string warnings_html(const WorldReport& world);

// Curves with legend, heat maps with scale, and the table of final values, as figures of the page.
std::string curve_html(const CurveFigure& figure, const std::string& id);
std::string heat_html(const HeatFigure& heat, const std::string& id, const std::string& words);
std::string final_html(const WorldReport& world, const WorldFigures& figures);

std::string claims_section(const std::vector<ClaimRow>& claims);
std::string overview_section(const ReportData& data, const std::vector<WorldFigures>& figures);
std::string table_section(const WorldReport& world, const WorldFigures& figures);
std::string simulator_section(const WorldReport& world, const WorldFigures& figures);
std::string settings_section(const ReportData& data);

// A shell command that trains all runs of a series again, with every setting that is not the
// default.
std::string train_command(const WorldReport& world, const Series& series);

// The data that the page's script draws and shows, as JSON fit for a <script> element.
std::string script_data(const std::vector<WorldFigures>& figures);

// The films that the page plays, in the same form; empty if there are none.
std::string film_data(const ReportData& data);

// The scripts that draw and show the data.
std::string figures_script();

// The player of films.
std::string player_script();

// JSON text escaped so that no name can end the <script> element.
std::string script_text(const std::string& json);

}  // namespace vic
