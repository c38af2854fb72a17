// The report as one page of HTML that needs no network, and as a table for terminals and scripts.
#pragma once

#include <string>
#include <vector>

#include "report/data/report_data.h"

namespace vic {

struct PageOptions {
  std::string title = "Intrinsic control";
  std::string version;  // of the program that writes the page
  std::string command;  // that wrote it, or empty
  std::vector<ClaimRow> claims;
};

std::string page_html(const ReportData& data, const PageOptions& options);

// Writes the page, completely or not at all.
void write_page(const std::string& path, const ReportData& data, const PageOptions& options);

// The page's figures as separate files, for papers: WORLD-empowerment.svg, WORLD-split.svg,
// WORLD-states.svg; if the world pays, WORLD-reward.svg; if the truth has the frontier,
// WORLD-frontier.svg and WORLD-reaching.svg. In a simulated world WORLD-cells.svg is the curve, and
// WORLD-states.svg the map of the cells. Returns their names.
std::vector<std::string> write_svgs(const std::string& folder, const ReportData& data);

// ---- the table of final values

enum class Ink { plain, colour };

// A table per world, one row per series: means over seeds with 95 % intervals.
std::string terminal_table(const ReportData& data, Ink ink, std::size_t columns = 116);

// The same as JSON: worlds, in them series with {mean, half, n} for each value.
std::string table_json(const ReportData& data);

// One row per run: folder, world, algorithm, seed, final values, empty for an unfinished run, and
// every setting in which the runs differ.
std::string run_csv(const ReportData& data);

}  // namespace vic
