// The contents of the files that only runs in simulated worlds have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file_value.h"
#include "eval/measures.h"
#include "sim/survey.h"

namespace vic {

struct CellCount {
  StateCell cell;  // (K)
  long options = 0;
};

// A survey of many options: a survey_json of src/eval.
struct SurveyValues {
  long options = 0;
  PerMeasure<double> measures;
  std::vector<Coordinate> coordinates;     // (K)
  std::vector<BehaviourCount> behaviours;  // in the order of the file
  std::vector<CellCount> cell_list;
};

// truth.json
struct SimulatorTruth {
  long T = 0, actuators = 0, levels = 0;
  double seconds = 0;   // of an option
  SurveyValues random;  // of options of random actions
};

struct FilmedOption {
  Behaviour behaviour;
  std::vector<Posture> path;                // (T + 1) the pitch since the start
  std::vector<std::vector<Capsule>> poses;  // (T + 1, parts)
};

// films.json: the options that a run shows.
struct FilmReel {
  std::string world;
  double seconds = 0;                   // of an action
  FilmView view = FilmView::side;       // y is known unless it is from the side
  std::vector<Coordinate> coordinates;  // (K)
  std::vector<FilmedOption> options;

  bool rotates() const;  // whether a coordinate counts turns

  // Measures z from the lowest part of all if the world has no ground.
  void put_on_ground();
};

// A line of behaviours.jsonl.
struct BehaviourLine {
  long update = 0;
  double H = 0;
  std::vector<BehaviourCount> behaviours;
  std::vector<std::string> cells;  // those that options ended in, by number; may be missing
};

// All of these throw a UsageError that names what is damaged.
PerMeasure<double> read_measures(const FileValue& json);
SurveyValues read_survey(const FileValue& json);
SimulatorTruth read_simulator_truth(const FileValue& json);
BehaviourLine read_behaviour_line(const FileValue& json);
FilmReel read_films(const FileValue& json);

}  // namespace vic
