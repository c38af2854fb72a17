#include "cli/sweep_command.h"

#include <filesystem>

#include "base/file.h"
#include "base/tasks.h"
#include "cli/signals.h"
#include "cli/sweep_monitor.h"

namespace vic {

void SweepOptions::add_to(Arguments& arguments) {
  arguments.option("--jobs N", jobs, Range{1, 1024},
                   "runs at the same time; one per core by default");
  arguments.option("--out FOLDER", out, "the folder of the runs; runs/NAME by default");
  arguments.flag("--quick", quick, "one seed and a few updates of each: shows that all parts work");
}

std::string SweepOptions::folder() const {
  if (!out.empty()) return out;
  const std::string name = std::filesystem::path(file).stem().string();
  return fmt::format("runs/{}{}", name, quick ? "-quick" : "");
}

Experiment load_experiment(const SweepOptions& options, const UserSettings& given) {
  Experiment experiment = read_experiment(read_file(options.file), options.file);
  for (RunPlan& run : experiment.runs) {
    for (const Assignment& set : given.assignments()) run.assignments.push_back(set);
  }
  return options.quick ? quick(std::move(experiment)) : experiment;
}

void sweep_and_watch(const Experiment& experiment, const SweepOptions& options,
                     const Console& console) {
  const std::string folder = options.folder();
  const SweepPlan plan = plan_sweep(experiment, folder);
  const SignalStop signals;
  bool finished = false;
  {
    SweepMonitor monitor(console, plan.runs, experiment);
    finished = sweep(
        experiment, plan, thread_count(options.jobs),
        {.progress = [&](std::size_t run, const Training& work) { monitor.progress(run, work); },
         .done = [&](std::size_t run, const Json& evaluation) { monitor.done(run, evaluation); },
         .warn = warning_to(console),
         .stop = signals.flag()});
  }
  if (finished) return;
  throw StoppedBySignal(
      signals.caught(),
      fmt::format("Stopped; all runs in {} are saved, and the same command goes on.", folder));
}

}  // namespace vic
