// vic sweep: the runs of an experiment.

#include <memory>

#include "base/print.h"
#include "cli/sweep_command.h"

namespace vic {
namespace {

void run_sweep(const SweepOptions& options, const UserSettings& given, const Console& console) {
  const Experiment experiment = load_experiment(options, given);
  sweep_and_watch(experiment, options, console);
  const std::string folder = options.folder();
  console.show([&] { return Json(read_evaluations(experiment, folder)); },
               [&] {
                 print(console.out, "{} runs are done in {}; vic report {} shows them.\n",
                       experiment.runs.size(), folder, folder);
               });
}

}  // namespace

Action declare_sweep(Arguments& arguments) {
  auto options = std::make_shared<SweepOptions>();
  arguments.positional("file", options->file, Need::required,
                       "an experiment (.toml), see docs/experiments.md");
  options->add_to(arguments);
  return [options](const UserSettings& settings, const Console& console) {
    run_sweep(*options, settings, console);
  };
}

}  // namespace vic
