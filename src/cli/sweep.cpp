// vic sweep: the runs of an experiment.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <memory>

#include "cli/sweep_command.h"

namespace vic {
namespace {

void run_sweep(const SweepOptions& options, const Console& console) {
  const Experiment experiment = load_experiment(options);
  sweep_and_watch(experiment, options, console);
  const std::string folder = options.folder();
  if (options.common.json) {
    fmt::print(console.out, "{}\n", Json(read_evaluations(experiment, folder)).dump(2));
  } else {
    fmt::print(console.out, "{} runs are done in {}; vic report {} shows them.\n",
               experiment.runs.size(), folder, folder);
  }
}

}  // namespace

Action declare_sweep(CLI::App& app) {
  auto options = std::make_shared<SweepOptions>();
  app.add_option("file", options->file, "an experiment (.toml), see docs/experiments.md")
      ->type_name("FILE")
      ->required();
  options->add_to(app);
  return [options](const Console& console) { run_sweep(*options, console); };
}

}  // namespace vic
