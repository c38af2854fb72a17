#include "report/data/physics_files.h"

namespace vic {
namespace {

BehaviourCounts read_behaviours(const JsonObject& json) {
  BehaviourCounts counts;
  for (const JsonObject& entry : json.objects("behaviours")) {
    counts.emplace_back(entry.text("behaviour"), entry.whole("options"));
  }
  return counts;
}

}  // namespace

SurveyValues read_survey(const JsonObject& json) {
  SurveyValues values{.options = json.whole("options"),
                      .failures = json.whole("failures"),
                      .cells = json.whole("cells"),
                      .H = json.number("H"),
                      .ci95 = json.number("ci95"),
                      .distance_spread = json.number("distance_spread"),
                      .distance_min = json.number("distance_min"),
                      .distance_max = json.number("distance_max"),
                      .height_max = json.number("height_max"),
                      .forward_flips = json.number("forward_flips"),
                      .backflips = json.number("backflips"),
                      .two_turns = json.number("two_turns"),
                      .most_forward_flips = json.whole("most_forward_flips"),
                      .most_backflips = json.whole("most_backflips"),
                      .behaviours = read_behaviours(json),
                      .cell_list = {}};
  for (const JsonObject& cell : json.objects("cell_list")) {
    values.cell_list.push_back({static_cast<int>(cell.whole("place")),
                                static_cast<int>(cell.whole("turns")), cell.whole("options")});
  }
  return values;
}

PhysicsTruth read_physics_truth(const JsonObject& json) {
  return {.T = json.whole("T"),
          .motors = json.whole("motors"),
          .levels = json.whole("levels"),
          .seconds = json.number("seconds"),
          .bin = json.number("bin"),
          .turn = json.number("turn"),
          .random = read_survey(json.object("random"))};
}

std::vector<BehaviourLine> parse_behaviours(std::string_view text, const std::string& path,
                                            bool finished) {
  std::vector<BehaviourLine> lines;
  parse_log(text, path, finished, [&](long update, const JsonObject& json) {
    lines.push_back({update, json.number("H"), read_behaviours(json)});
  });
  return lines;
}

}  // namespace vic
