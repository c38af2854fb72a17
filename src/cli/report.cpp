// vic report: runs as a table in the terminal, a page, figures for papers, or a table of values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "base/file.h"
#include "base/print.h"
#include "base/text.h"
#include "cli/command.h"
#include "report/page/page.h"

namespace vic {
namespace {

struct ReportOptions {
  std::vector<std::string> runs;
  std::string page, svg, csv, claims, title;
};

// writes the files that the user asked for, and lists them; returns whether there are any
bool write_files(const ReportData& data, const ReportOptions& options, const Console& console) {
  console.stop.check();
  if (!options.page.empty()) {
    PageOptions page;
    if (!options.title.empty()) page.title = options.title;
    page.version = VIC_VERSION;
    page.claims = read_claims(options.runs);
    page.command = "vic report";
    for (const std::string& run : options.runs) page.command += " " + shell_word(run);
    page.command += " -o " + shell_word(options.page);
    write_page(options.page, data, page);
    console.note(options.page);
  }
  console.stop.check();
  if (!options.svg.empty()) {
    for (const std::string& name : write_svgs(options.svg, data))
      console.note(options.svg + "/" + name);
  }
  console.stop.check();
  if (!options.csv.empty()) {
    write_file(options.csv, run_csv(data));
    console.note(options.csv);
  }
  return !options.page.empty() || !options.svg.empty() || !options.csv.empty();
}

void run_report(const ReportOptions& options, const UserSettings& given, const Console& console) {
  given.overrides().finish();
  if (!options.claims.empty()) {
    const std::string page = path_exists(options.claims) ? read_file(options.claims) : "";
    write_file(options.claims, with_tables(page, claims_markdown(read_claims(options.runs))));
    return console.note(options.claims);
  }
  const ReportData data = read_report(options.runs, console.stop);
  const bool written = write_files(data, options, console);
  if (console.format == Format::json) {
    console.out << table_json(data);
  } else if (!written) {
    console.out << terminal_table(data,
                                  console.palette == Palette::colour ? Ink::colour : Ink::plain,
                                  console.table_columns());
    for (const ClaimRow& row : read_claims(options.runs)) {
      print(console.out, "{:<9}  {} ({}); {}, must be {}\n", row.verdict, row.claim, row.source,
            row.measured, row.threshold);
    }
  }
}

}  // namespace

Action declare_report(Arguments& arguments) {
  auto options = std::make_shared<ReportOptions>();
  arguments.positional("runs", options->runs, Need::required,
                       "folders of runs, or folders that hold some");
  arguments.option("-o,--out FILE", options->page, "write a page of HTML with all figures");
  arguments.option("--title TEXT", options->title, "the title of the page");
  arguments.option("--svg FOLDER", options->svg, "write the figures as SVG files, for papers");
  arguments.option("--csv FILE", options->csv, "write the final values, one row per run");
  arguments.option("--claims FILE", options->claims,
                   "write only the verdicts of experiments, as tables in Markdown; what stands "
                   "before the first table of FILE is kept");
  arguments.footer("Without -o, --svg and --csv it prints the final values as a table.\n");
  return action(options, run_report);
}

}  // namespace vic
