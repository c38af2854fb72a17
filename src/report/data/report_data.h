// Runs in order: worlds, in them series (runs that differ in the seed alone), in them runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/stop.h"
#include "info/statistics.h"
#include "report/data/claims.h"
#include "report/data/run_files.h"

namespace vic {

// Runs with the same settings except for the seed.
struct Series {
  std::string label;  // the algorithm, and how it differs from others of the same one
  std::string algorithm;
  int colour = 0;              // index of its colour, the same in every world
  std::vector<RunFiles> runs;  // by increasing seed

  std::vector<const RunFiles*> finished() const;
  std::vector<const RunFiles*> drawn() const;  // finished(), or all runs if none is finished
};

struct WorldReport {
  std::string label;  // its group or the world, and the settings in which it differs
  std::optional<WorldTruth> truth;
  bool simulated = false;
  std::optional<SimulatorTruth> baseline;  // random actions, in a simulated world
  std::vector<Series> series;

  std::vector<const RunFiles*> runs() const;

  // H_max, D_max or H_at_D_max, from the truth or, if there is no truth.json, an evaluation.
  std::optional<double> optimum(const char* measure) const;
  // C_open, reward_max and others that only the truth has.
  std::optional<double> in_truth(const char* measure) const {
    return truth ? truth->optima[measure] : std::nullopt;
  }
  // The known optima, as tables list them; reward_max if a run was paid.
  std::vector<std::pair<const char*, double>> optima() const;

  // The warnings of the evaluations of its runs, and of the trainings of unfinished ones, with the
  // name of the run.
  std::vector<std::string> warnings() const;

  // Whether any of its runs was ever paid.
  bool has_reward() const;
};

struct ReportData {
  std::vector<WorldReport> worlds;
  // The settings in which runs differ, in the order of settings.toml, with the values they take.
  std::vector<std::pair<std::string, std::vector<std::string>>> differences;
  std::vector<Assignment> common;  // the settings that are the same in all runs
  // Sentences about runs that are left out: copies of others do not count as seeds.
  std::vector<std::string> notes;

  std::vector<const RunFiles*> runs() const;
};

// Reads the runs in `paths`, which are run folders or folders that contain some, and puts them in
// order. Throws a UsageError, and Interrupted.
ReportData read_report(const std::vector<std::string>& paths, Stop stop = {});

// The same for runs that have been read.
ReportData arrange_runs(std::vector<RunFiles> runs);

// Whether a setting has no effect on results: two runs of a series are the same to the bit whatever
// its value.
bool is_indifferent(const std::string& key);

// The last item and every n-th before it, with the smallest n that leaves at most `most`.
template <class T>
std::vector<T> thinned(const std::vector<T>& all, std::size_t most) {
  std::vector<T> few;
  const std::size_t stride = (all.size() + most - 1) / most;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if ((all.size() - 1 - i) % stride == 0) few.push_back(all[i]);
  }
  return few;
}

// The mean of a field over the runs of a series with its bootstrap band, at the updates that all of
// its finished runs have (or all runs, if none is finished), thinned to about 1,200 points.
struct SeriesCurve {
  std::vector<long> update;  // (L)
  Band band;                 // (L)
  int n = 0;                 // runs
};
SeriesCurve mean_curve(const Series& series, std::vector<double> RunCurve::*field);

// The means of H, D and N over the same runs; D and N are empty if one of the runs lacks them.
ControlCurve mean_control(const Series& series);

}  // namespace vic
