// What the files of a run folder say. Nothing is computed here.
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

// metrics.jsonl, as far as it is drawn
struct RunCurve {
  std::vector<long> update;      // (L) rising
  std::vector<double> I_hat;     // (L) nats
  std::vector<double> external;  // (L) mean external reward

  // of a simulated world: how many some survey has met by then
  std::vector<double> cells_seen, behaviours_seen;  // (L)
};

// control.jsonl
struct ControlCurve {
  std::vector<long> update;     // (L) rising
  std::vector<double> H, D, N;  // (L) nats; D and N are empty where a line does not know them
};

// evaluation.json
struct FinalValues {
  long updates = 0;
  bool exact = false;
  PerMeasure<double> measures;
  std::vector<std::string> route;  // states on the likeliest way
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

// A maximiser of D + lambda N.
struct FrontierValues {
  double lambda = 0, H = 0, D = 0, success = 0;
};

// truth.json
struct WorldTruth {
  int T_max = 0;
  PerMeasure<double> optima;  // states_reachable, H_max, D_max, C_open, …, where they are known
  double uniform_H = 0;
  std::optional<double> uniform_D, uniform_N;
  Distribution p_f;                          // of the maximiser of H
  std::optional<Distribution> p_f_at_D_max;  // of the maximiser of D
  std::string start;
  Picture picture;                          // '#' is wall, ' ' a gap, the rest are states
  std::vector<std::string> picture_states;  // those of its cells
  StateGraph graph;                         // in its place, of a table with coordinates
  std::vector<FrontierValues> frontier;     // by rising lambda; empty where it was not solved
  double best_success = 0;                  // with it: the most that any policy can reach
  std::vector<std::string> notes;
};

// settings.toml, and what it says of every run.
struct RunHead {
  std::string folder;
  std::vector<Assignment> settings;
  std::string world;  // its name
  std::string algorithm;
  long seed = 0, warm_up = 0, updates = 0;

  // The setting with this key, empty where there is none.
  std::string setting(const std::string& key) const;
};

struct RunFiles : RunHead {
  std::string world_file;  // world.toml, empty for a registered world
  RunCurve curve;
  ControlCurve control;               // of a table
  std::vector<std::string> alarms;    // what the training warned of
  std::optional<FinalValues> result;  // none: the run is not finished
  std::optional<long> so_far;         // the update of a result that is not the last, of a live page
  std::optional<WorldTruth> truth;
  std::vector<std::pair<std::string, std::string>> build;  // build.json, where there is one

  // In place of the truth, of a simulated world.
  bool simulated = false;
  std::optional<SimulatorTruth> baseline;
  std::vector<BehaviourLine> behaviours;
  std::optional<FilmReel> films;
};

// The text of a metrics.jsonl; `path` is what errors call it. The last line of a run that is not
// finished may be half written. Throws a UsageError that names the line.
RunCurve parse_metrics(std::string_view text, const std::string& path, bool finished);

// What alarms.jsonl warns of, a sentence each. Throws likewise.
std::vector<std::string> parse_alarms(std::string_view text, const std::string& path,
                                      bool finished);

// evaluation.json and truth.json. Throw a UsageError that names what is damaged.
FinalValues read_evaluation(const FileValue& json);
WorldTruth read_truth(const FileValue& json);

// Reads the settings of a run. Throws a UsageError where they are damaged or of another format.
RunHead read_run_head(const std::string& folder);

// What is amiss where an evaluation.json is not of the run's settings and world; "" where it is.
std::string wrong_evaluation(const RunHead& run, const Json& evaluation, Json more_marks = {});

// Reads the folder. Throws a UsageError that names the file that is missing or damaged.
RunFiles read_run_files(const std::string& folder);

}  // namespace vic
