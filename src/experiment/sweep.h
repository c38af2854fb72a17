// Trains the runs of an experiment, several at once, each in its folder below the sweep's. What was
// interrupted goes on, and what is done is not repeated. Other processes may work in the same
// folder, on this host and on others: a run belongs to who has the lock of its folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/shard.h"
#include "run/training.h"

namespace vic {

// What a caller follows. `run` is a number in experiment.runs; called on the threads that train.
struct SweepWatch {
  std::function<void(std::size_t run, const Training& training)> progress = {};  // at every update
  // now and then while a run is not training: "solving the world: H_max", "evaluating: reach"
  std::function<void(std::size_t run, const std::string& what)> busy = {};
  std::function<void(std::size_t run, const Json& evaluation)> done = {};
  std::function<void(std::size_t run)> done_elsewhere = {};  // another process has done it
  std::function<void(std::size_t runs)> waiting = {};  // now and then, for so many runs of others
  Warn warn = no_warning;
  Stop stop = {};  // once wanted, every run is saved and ends
};

// A run of the sweep before it starts.
struct SweepRun {
  std::string folder;
  std::string world;  // the same for runs that are measured against the same
  long updates = 0;   // of the whole run
  int threads = 1;
  double work = 0;                     // what it costs, in a unit that is the same for all runs
  std::optional<double> seconds = {};  // that finished runs like it took; they differ in the seed
  std::optional<double> megabytes = {};
  bool done = false;
};

// What a sweep has to do in its folder.
struct SweepPlan {
  std::string folder;
  std::vector<SweepRun> runs;  // those of the experiment

  // How long each is expected to take, (runs): as long as those like it that are finished, or in
  // proportion to its work. In seconds where a run is finished, else in the unit of work.
  std::vector<double> durations() const;
  std::size_t left() const;  // runs that are not done
};

// Makes a run of every kind, so that wrong settings are found before anything is trained, and
// compares those that there are already. Throws a UsageError with the setting that differs, and
// Interrupted.
SweepPlan plan_sweep(const Experiment& experiment, const std::string& folder, Stop stop = {});

// Who does how much of it.
struct SweepShare {
  int jobs = 1;                          // runs at a time
  std::optional<SweepShard> shard = {};  // nothing: the whole sweep, whoever else takes part in it
  int most_runs = 0;                     // that are trained before it ends; 0: no bound
  std::string holder = host_name();      // what locks say of this process
};

// Trains runs that are not done and that no other process has. A shard ends where none is left that
// it could take; the whole sweep waits for those of others, and takes them over where their process
// ends before they are done. Returns the number of runs that are left: 0 for the whole sweep,
// unless it was stopped. Where runs fail the others are trained all the same, and then the first
// error is thrown. A shard throws an Error where locks do not hold others off.
std::size_t sweep(const Experiment& experiment, const SweepPlan& plan, const SweepShare& share,
                  const SweepWatch& watch);

// The evaluations of the runs, null where a run is not done.
std::vector<Json> read_evaluations(const Experiment& experiment, const std::string& folder);

}  // namespace vic
