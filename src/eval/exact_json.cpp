#include "eval/exact_json.h"

namespace vic {

Json frontier_points_json(const Frontier& frontier) {
  Json json = Json::array();
  for (const FrontierPoint& point : frontier.points) {
    json.push_back({{"lambda", point.lambda},
                    {"value", point.value},
                    {"gap", point.gap},
                    {"certified", point.lambda <= 1},
                    {"H", point.control.H},
                    {"D", point.control.D},
                    {"N", point.control.N},
                    {"success", point.success}});
  }
  return json;
}

Json start_map_json(const TabularWorld& world, const StartMap& map, double gap) {
  Json json = {{"world", world.name}, {"T_max", world.T_max}, {"gap", gap}};
  Json& from = json["from"] = Json::array();
  for (const StartOptima& start : map.starts) {
    from.push_back({{"state", world.state_names[start.s_0]},
                    {"states_reachable", start.states_reachable},
                    {"H_max", maybe(start.H_max)},
                    {"H_max_gap", maybe(start.H_max_gap)},
                    {"D_max", maybe(start.D_max)},
                    {"D_max_gap", maybe(start.D_max_gap)},
                    {"H_at_D_max", maybe(start.H_at_D_max)},
                    {"H_at_D_max_low", maybe(start.H_at_D_max_low)},
                    {"H_at_D_max_high", maybe(start.H_at_D_max_high)},
                    {"C_open", maybe(start.C_open)},
                    {"C_open_gap", maybe(start.C_open_gap)}});
  }
  Json& summary = json["summary"] = Json::object();
  for (const StartField& field : start_fields) {
    const std::optional<StartSummary> found = summarise(map, field);
    summary[field.name] = !found ? Json(nullptr)
                                 : Json{{"mean", found->mean},
                                        {"least", found->least},
                                        {"least_at", world.state_names[found->least_at]},
                                        {"largest", found->largest},
                                        {"largest_at", world.state_names[found->largest_at]},
                                        {"starts", found->starts}};
  }
  json["notes"] = map.notes;
  return json;
}

Json frontier_json(const TabularWorld& world, const Frontier& frontier) {
  return {{"world", world.name},
          {"T_max", world.T_max},
          {"states_reachable", world.final_states().size()},
          {"best_success", frontier.best_success},
          {"points", frontier_points_json(frontier)},
          {"notes", frontier.notes}};
}

}  // namespace vic
