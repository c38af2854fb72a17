// What the files of a physics run say beyond those of every run.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/data/json_object.h"

namespace vic {

// Options by the name of what they did, in the order of the file.
using BehaviourCounts = std::vector<std::pair<std::string, long>>;

struct CellCount {
  int place = 0, turns = 0;
  long options = 0;
};

// What many options did: a survey_json of src/run.
struct SurveyValues {
  long options = 0, failures = 0, cells = 0;
  double H = 0, ci95 = 0;                                          // of the cells, nats
  double distance_spread = 0, distance_min = 0, distance_max = 0;  // metres
  double height_max = 0;
  double forward_flips = 0, backflips = 0, two_turns = 0;  // shares of the options
  long most_forward_flips = 0, most_backflips = 0;
  BehaviourCounts behaviours;
  std::vector<CellCount> cell_list;
};

// truth.json
struct PhysicsTruth {
  long T = 0, motors = 0, levels = 0;
  double seconds = 0;  // of an option
  double bin = 0, turn = 0;
  SurveyValues random;  // of options of random actions
};

// A line of behaviours.jsonl.
struct BehaviourLine {
  long update = 0;
  double H = 0;
  BehaviourCounts behaviours;
};

SurveyValues read_survey(const JsonObject& json);
PhysicsTruth read_physics_truth(const JsonObject& json);

// The text of a behaviours.jsonl; what is said of parse_metrics holds here too.
std::vector<BehaviourLine> parse_behaviours(std::string_view text, const std::string& path,
                                            bool finished);

}  // namespace vic
