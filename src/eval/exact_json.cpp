#include "eval/exact_json.h"

namespace vic {
namespace {

Json points_json(const Frontier& frontier) {
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

}  // namespace

Json start_map_json(const TabularWorld& world, const StartMap& map, double gap) {
  Json json = {{"world", world.name}, {"T_max", world.T_max}, {"gap", gap}};
  Json& from = json["from"] = Json::array();
  for (const StartOptima& start : map.starts) {
    from.push_back({{"state", world.state_names[start.s_0]},
                    {"states_reachable", start.states_reachable},
                    {"H_max", start.H_max},
                    {"H_max_gap", start.H_max_gap},
                    {"D_max", maybe(start.D_max)},
                    {"D_max_gap", maybe(start.D_max_gap)},
                    {"H_at_D_max", maybe(start.H_at_D_max)},
                    {"C_open", maybe(start.C_open)},
                    {"C_open_gap", maybe(start.C_open_gap)}});
  }
  Json& summary = json["summary"] = Json::object();
  for (const StartField& field : start_fields()) {
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
          {"points", points_json(frontier)},
          {"notes", frontier.notes}};
}

void add_frontier(Json& truth, const World& world, const std::vector<double>& lambdas) {
  const TabularWorld* table = table_in(world);
  if (table == nullptr) return;
  const ExactSettings settings{.gap = 3e-4, .budget = 6e7, .histories = 300000};
  const auto frontier = find_frontier(*table, lambdas, settings, /*threads=*/1);
  truth["frontier"] = nullptr;
  if (!frontier) return;
  truth["frontier"] = {{"best_success", frontier->best_success},
                       {"points", points_json(*frontier)}};
}

}  // namespace vic
