// Trains the runs of an experiment, several at once, each in its folder below the sweep's. What was
// interrupted goes on, and what is done is not repeated.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "run/training.h"

namespace vic {

// What a caller follows. `run` is a number in experiment.runs; called on the threads that train.
struct SweepWatch {
  std::function<void(std::size_t run, const Training& training)> progress = {};  // at every update
  // now and then while a run is not training: "solving the world: H_max", "evaluating: reach"
  std::function<void(std::size_t run, const std::string& what)> busy = {};
  std::function<void(std::size_t run, const Json& evaluation)> done = {};
  Warn warn = no_warning;
  Stop stop = {};  // once wanted, every run is saved and ends
};

// A run of the sweep before it starts.
struct SweepRun {
  std::string folder;
  std::string world;  // the same for runs whose worlds are the same
  long updates = 0;   // of the whole run
  bool done = false;
};

// What a sweep has to do in its folder.
struct SweepPlan {
  std::string folder;
  std::vector<SweepRun> runs;  // those of the experiment
};

// Makes every run, so that wrong settings are found before anything is trained, and compares those
// that there are already. Throws a UsageError with the setting that differs, and Interrupted.
SweepPlan plan_sweep(const Experiment& experiment, const std::string& folder, Stop stop = {});

// Trains all runs that are not done, on `jobs` threads. Returns whether it came to the end. Where
// runs fail the others are trained all the same, and then the first error is thrown.
bool sweep(const Experiment& experiment, const SweepPlan& plan, int jobs, const SweepWatch& watch);

// The evaluations of the runs, null where a run is not done.
std::vector<Json> read_evaluations(const Experiment& experiment, const std::string& folder);

}  // namespace vic
