// Whatever evaluation.json and truth.json have become, they are shown in tables and pages that no
// text of theirs breaks out of, or one clean sentence says what is damaged.
#include <cstdint>
#include <string_view>

#include "report/page/page.h"
#include "report/page/table.h"
#include "require.h"

namespace {

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++n;
  return n;
}

void show(const vic::ReportData& data) {
  // what a run says is on the lines of its table, and in no other form
  const std::string table = vic::terminal_table(data, vic::Ink::plain) + vic::run_csv(data);
  for (const char c : table) vic::require(c == '\n' || !vic::has_control({&c, 1}));
  vic::Json::parse(vic::table_json(data));
  static const std::size_t scripts = count(vic::page_html({}, {}), "<script");
  const std::string page = vic::page_html(data, {});
  vic::require(count(page, "<script") == scripts && count(page, "<img") == 0);
}

}  // namespace

// the evaluation, and behind an empty line the truth
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = text.find("\n\n");
  vic::RunFiles run;
  run.folder = "run", run.world = run.algorithm = "x";
  run.curve = {{1, 2}, {0.5, 1}, {0, 0}};
  try {
    const auto evaluation = vic::FileValue::parse(text.substr(0, cut), "x.json");
    run.result = vic::read_evaluation(evaluation);
    run.world = evaluation.text("world");
    if (run.result->survey) run.simulated.emplace();
    if (cut != text.npos) {
      const auto truth = vic::FileValue::parse(text.substr(cut), "x.json");
      if (run.simulated) {
        run.simulated->truth = vic::read_simulator_truth(truth);
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
