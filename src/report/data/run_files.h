// The contents of a run folder's files. Nothing is computed here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/settings.h"
#include "eval/measures.h"
#include "report/data/simulator_files.h"
#include "world/tabular.h"

namespace vic {

// p(s_f) by the states' names; states that are not listed have 0.
using Distribution = std::vector<std::pair<std::string, double>>;

// The part of metrics.jsonl that is drawn.
struct RunCurve {
  std::vector<long> update;      // (L) increasing
  std::vector<double> I_hat;     // (L) nats
  std::vector<double> external;  // (L) mean external reward

  // in a simulated world: how many the surveys have met so far
  std::vector<double> cells_seen, behaviours_seen;  // (L)
};

// control.jsonl
struct ControlCurve {
  std::vector<long> update;     // (L) increasing
  std::vector<double> H, D, N;  // (L) nats; D and N are empty if a line lacks them
};

// evaluation.json
struct FinalValues {
  long updates = 0;
  bool exact = false;
  PerMeasure<double> measures;
  std::vector<std::string> route;  // states on the likeliest route
  Distribution p_f;
  std::optional<SurveyValues> survey;  // of a simulated world
  std::vector<std::string> warnings;
};

// The states of a table with coordinates, and the moves that join them.
struct StateGraph {
  struct Place {
    std::string state;
    double x = 0, y = 0;
  };
  std::vector<Place> places;
  std::vector<std::pair<std::string, std::string>> moves;
};

// A point of the frontier: a maximiser of D + lambda N.
struct FrontierValues {
  double lambda = 0, H = 0, D = 0, success = 0;
};

// truth.json
struct WorldTruth {
  int T_max = 0;
  PerMeasure<double> optima;  // states_reachable, H_max, D_max, C_open, …, if known
  double uniform_H = 0;
  std::optional<double> uniform_D, uniform_N;
  Distribution p_f;                          // of the maximiser of H
  std::optional<Distribution> p_f_at_D_max;  // of the maximiser of D
  std::string start;
  Picture picture;                          // '#' is wall, ' ' a gap, the rest are states
  std::vector<std::string> picture_states;  // those of its cells
  StateGraph graph;                         // in its place, if a table has coordinates
  std::vector<FrontierValues> frontier;     // by increasing lambda; empty if it was not solved
  double best_success = 0;                  // the largest success of any policy, with the frontier
  std::vector<std::string> notes;
};

// settings.toml, as far as every run has the same keys.
struct RunHead {
  std::string folder;
  std::vector<Assignment> settings;
  std::string world;  // its name
  std::string algorithm;
  long seed = 0, warm_up = 0, updates = 0;

  // The setting with this key, empty if there is none.
  std::string setting(const std::string& key) const;
};

struct RunFiles : RunHead {
  std::string world_file;  // world.toml, empty for a registered world
  RunCurve curve;
  ControlCurve control;               // of a table
  std::vector<std::string> alarms;    // warnings of the training
  std::optional<FinalValues> result;  // none: the run is not finished
  std::optional<long> so_far;         // on a live page: the update of a result before the last
  std::optional<WorldTruth> truth;
  std::vector<std::pair<std::string, std::string>> build;  // build.json, if there is one

  // In a simulated world, instead of the truth.
  bool simulated = false;
  std::optional<SimulatorTruth> baseline;
  std::vector<BehaviourLine> behaviours;
  std::optional<FilmReel> films;
};

// Parses the text of a metrics.jsonl; errors call it `path`. The last line of an unfinished run may
// be half written. Throws a UsageError that names the line.
RunCurve parse_metrics(std::string_view text, const std::string& path, bool finished);

// The warnings in alarms.jsonl, one sentence each. Throws likewise.
std::vector<std::string> parse_alarms(std::string_view text, const std::string& path,
                                      bool finished);

// Read evaluation.json and truth.json. Throw a UsageError that names what is damaged.
FinalValues read_evaluation(const FileValue& json);
WorldTruth read_truth(const FileValue& json);

// Reads the settings of a run. Throws a UsageError if they are damaged or of another format.
RunHead read_run_head(const std::string& folder);

// What is wrong if an evaluation.json does not belong to the run's settings and world; "" if it
// does.
std::string wrong_evaluation(const RunHead& run, const Json& evaluation, Json more_marks = {});

// Reads the folder. Throws a UsageError that names the file that is missing or damaged.
RunFiles read_run_files(const std::string& folder);

}  // namespace vic
