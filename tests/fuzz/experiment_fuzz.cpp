// Any text is either an experiment whose runs have distinct folders, or one clean line.
#include <cstdint>
#include <set>
#include <string_view>

#include "experiment/verdict.h"
#include "require.h"

namespace {

void check(const vic::Experiment& experiment) {
  std::set<std::string> names;
  for (const vic::RunPlan& run : experiment.runs) {
    vic::require(names.insert(run.name).second && !run.name.empty() && run.name.size() <= 200);
    vic::require(run.name.find_first_of("/\\") == std::string::npos);
    vic::require(!vic::has_control(run.name));
  }
  // claims about missing runs are tested too, and their texts written
  const std::vector<vic::RunResult> none(experiment.runs.size());
  for (const vic::Verdict& verdict : vic::test_claims(experiment, none))
    vic::require(verdict.finding != vic::Finding::holds);
  // the quick form has the first seed of each series, whichever it is
  const std::vector<vic::RunPlan> few = vic::quick(experiment).runs;
  vic::require(few.empty() == experiment.runs.empty());
  for (const vic::RunPlan& run : few) vic::require(names.contains(run.name));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    check(vic::read_experiment(text, "e.toml"));
  } catch (const vic::UsageError& error) {
    vic::require_sentence(error.what(), "e.toml");
  }
  return 0;
}
