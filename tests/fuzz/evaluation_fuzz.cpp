// Whatever evaluation.json and truth.json contain, they are shown in tables and pages that none of
// their texts can break out of, or one clean sentence says what is damaged.
#include <cstdint>
#include <string_view>

#include "report/page/page.h"
#include "report/page/page_parts.h"
#include "require.h"

namespace {

void show(const vic::ReportData& data) {
  // the texts of a run stay on the lines of its table, and in no other form
  const std::string table = vic::terminal_table(data, vic::Ink::plain) + vic::run_csv(data);
  for (const char c : table) vic::require(c == '\n' || !vic::has_control({&c, 1}));
  vic::Json::parse(vic::table_json(data));
  // the parts of the page, without the scripts that are the same on every page
  std::vector<vic::WorldFigures> figures;
  std::string html;
  for (const vic::WorldReport& world : data.worlds) {
    figures.push_back(vic::figures_of(world, figures.size()));
    html += (world.simulated ? vic::simulator_section : vic::table_section)(world, figures.back());
  }
  html += vic::settings_section(data) + vic::script_data(figures);
  vic::require(html.find("<script") == html.npos && html.find("<img") == html.npos);
}

}  // namespace

// the evaluation, and after an empty line the truth
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = text.find("\n\n");
  vic::RunFiles run;
  run.folder = "run", run.world = run.algorithm = "x";
  run.curve = {{1, 2}, {0.5, 1}, {0, 0}, {3, 4}, {1, 1}};
  try {
    const auto evaluation = vic::FileValue::parse(text.substr(0, cut), "x.json");
    run.result = vic::read_evaluation(evaluation);
    run.world = evaluation.text("world");
    run.simulated = run.result->survey.has_value();
    if (cut != text.npos) {
      const auto truth = vic::FileValue::parse(text.substr(cut), "x.json");
      if (run.simulated) {
        run.baseline = vic::read_simulator_truth(truth);
      } else {
        run.truth = vic::read_truth(truth);
      }
    }
  } catch (const vic::UsageError& error) {
    vic::require_sentence(error.what(), "x.json is damaged: ");
    return 0;
  }
  vic::RunFiles other = run;
  other.seed = 1;
  show(vic::arrange_runs({run, other}));
  return 0;
}
