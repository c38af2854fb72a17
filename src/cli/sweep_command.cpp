#include "cli/sweep_command.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/file.h"
#include "cli/signals.h"
#include "cli/sweep_monitor.h"

namespace vic {

void SweepOptions::add_to(CLI::App& app) {
  app.add_option("--jobs", jobs, "runs at the same time; one for each core by default")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app.add_option("--out", out, "the folder of the runs; runs/NAME by default")->type_name("FOLDER");
  app.add_flag("--quick", quick, "one seed and a few updates of each: shows that all parts work");
  common.add_to(app);
}

std::string SweepOptions::folder() const {
  if (!out.empty()) return out;
  const std::string name = std::filesystem::path(file).stem().string();
  return fmt::format("runs/{}{}", name, quick ? "-quick" : "");
}

Experiment load_experiment(const SweepOptions& options) {
  Experiment experiment = read_experiment(read_file(options.file), options.file);
  for (RunPlan& run : experiment.runs) {
    for (const Assignment& said : options.common.assignments()) run.assignments.push_back(said);
  }
  return options.quick ? quick(std::move(experiment)) : experiment;
}

void sweep_and_watch(const Experiment& experiment, const SweepOptions& options,
                     const Console& console) {
  const std::string folder = options.folder();
  const SweepPlan plan = plan_sweep(experiment, folder);
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const SignalStop signals;
  bool finished = false;
  {
    SweepMonitor monitor(console, plan.runs, experiment);
    finished = sweep(
        experiment, plan, options.jobs > 0 ? options.jobs : cores,
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
