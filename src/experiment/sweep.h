// Trains the runs of an experiment, several at once, each in its own folder below the sweep's.
// Interrupted runs continue, and finished ones are not repeated. Other processes may work in the
// same folder, on this host and on others: a run belongs to the process that holds the lock of its
// folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/shard.h"
#include "run/training.h"

namespace vic {

// Callbacks of a sweep, called on the threads that train. `run` is an index into experiment.runs.
struct SweepWatch {
  std::function<void(std::size_t run, const Training& training)> progress = {};  // at every update
  // now and then while a run is not training: "solving the world: H_max", "evaluating: reach"
  std::function<void(std::size_t run, const std::string& what)> busy = {};
  std::function<void(std::size_t run, const Json& evaluation)> done = {};
  std::function<void(std::size_t run)> done_elsewhere = {};  // another process has done it
  std::function<void(std::size_t runs)> waiting = {};  // now and then; `runs` are held by others
  Warn warn = no_warning;
  Stop stop = {};  // once wanted, every run is saved and stopped
};

// A run of the sweep before it starts.
struct SweepRun {
  std::string folder;
  std::string world;  // the same for runs that share a reference
  long updates = 0;   // of the whole run
  int threads = 1;
  double work = 0;                     // its cost, in a unit that is the same for all runs
  std::optional<double> seconds = {};  // taken by finished runs that differ in the seed alone
  std::optional<double> megabytes = {};
  bool done = false;
};

// What a sweep has to do in its folder.
struct SweepPlan {
  std::string folder;
  std::vector<SweepRun> runs;  // those of the experiment

  // The expected duration of each, (runs): that of finished runs like it, or in proportion to its
  // work. In seconds if any run is finished, else in the unit of work.
  std::vector<double> durations() const;
  std::size_t left() const;  // runs that are not done
};

// Makes a run of every kind, so that wrong settings are found before any training, and checks the
// runs that exist already. Throws a UsageError with the setting that differs, and Interrupted.
SweepPlan plan_sweep(const Experiment& experiment, const std::string& folder, Stop stop = {});

// The part of a sweep that this process does.
struct SweepShare {
  int jobs = 1;                          // runs at a time
  std::optional<SweepShard> shard = {};  // nothing: the whole sweep, whoever else takes part
  int most_runs = 0;                     // the number it trains before it ends; 0: no limit
  std::string holder = host_name();      // the name of this process in locks
};

// Trains runs that are not done and that no other process holds. A shard ends when there is none
// left for it to take; the whole sweep waits for runs that others hold, and takes them over if
// their process ends before they are done. Returns the number of runs that are left: 0 for the
// whole sweep, unless it was stopped. If runs fail, the others are trained all the same, and then
// the first error is thrown. A shard throws an Error if locks do not keep other processes out.
std::size_t sweep(const Experiment& experiment, const SweepPlan& plan, const SweepShare& share,
                  const SweepWatch& watch);

// The evaluations of the runs, null if a run is not done.
std::vector<Json> read_evaluations(const Experiment& experiment, const std::string& folder);

}  // namespace vic
