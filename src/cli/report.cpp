// vic report: runs as a table in the terminal, a page, figures for papers, or a table of values.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <memory>

#include "base/file.h"
#include "cli/command.h"
#include "report/page/page.h"
#include "report/page/table.h"

namespace vic {
namespace {

struct ReportOptions {
  CommonOptions common;
  std::vector<std::string> runs;
  std::string page, svg, csv, title;
};

void run_report(const ReportOptions& options, const Console& console) {
  options.common.overrides().finish();
  const ReportData data = read_report(options.runs);
  const auto said = [&](const std::string& path) {
    if (!options.common.json) fmt::print(console.out, "{}\n", path);
  };
  if (!options.page.empty()) {
    PageOptions page;
    if (!options.title.empty()) page.title = options.title;
    page.version = VIC_VERSION;
    page.command = fmt::format("vic report {} -o {}", fmt::join(options.runs, " "), options.page);
    write_page(options.page, data, page);
    said(options.page);
  }
  if (!options.svg.empty()) {
    for (const std::string& name : write_svgs(options.svg, data)) said(options.svg + "/" + name);
  }
  if (!options.csv.empty()) {
    write_file(options.csv, run_csv(data));
    said(options.csv);
  }
  if (options.common.json) {
    fmt::print(console.out, "{}", table_json(data));
  } else if (options.page.empty() && options.svg.empty() && options.csv.empty()) {
    fmt::print(console.out, "{}", terminal_table(data, console.colour ? Ink::colour : Ink::plain));
  }
}

}  // namespace

Action declare_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  app.add_option("runs", options->runs, "folders of runs, or folders that hold some")
      ->type_name("RUNS")
      ->required();
  app.add_option("-o,--out", options->page, "write a page of HTML with all figures")
      ->type_name("FILE");
  app.add_option("--title", options->title, "the title of the page")->type_name("TEXT");
  app.add_option("--svg", options->svg, "write the figures as SVG files, for papers")
      ->type_name("FOLDER");
  app.add_option("--csv", options->csv, "write the final values, one row a run")->type_name("FILE");
  options->common.add_to(app);
  app.footer("Without -o, --svg and --csv it prints the final values as a table.\n");
  return [options](const Console& console) { run_report(*options, console); };
}

}  // namespace vic
