#include "eval/record.h"

#include "eval/films.h"
#include "eval/simulator_eval.h"
#include "eval/survey_json.h"

namespace vic {
namespace {

// the states in which options end, and how often
Json final_states(const TabularWorld& world, const std::vector<double>& p_f) {
  Json list = Json::array();
  for (int s = 0; s < world.S; ++s) {
    if (p_f[s] > 0) list.push_back({{"state", world.state_names[s]}, {"p", p_f[s]}});
  }
  return list;
}

Json picture_json(const TabularWorld& world) {
  if (world.picture.empty()) return nullptr;
  Json cells = Json::array();
  for (int s = 0; s < world.S; ++s) {
    const Cell cell = world.picture.cells[s];
    cells.push_back({{"state", world.state_names[s]}, {"row", cell.row}, {"column", cell.column}});
  }
  return {{"lines", world.picture.lines}, {"cells", std::move(cells)}};
}

// D + lambda N of a run beside the largest that there is, where the truth has the frontier
void add_objective(Json& json, const Evaluation& evaluation, double lambda, const Json& truth) {
  const Json* frontier = truth.find("frontier");
  if (frontier == nullptr || frontier->is_null() || !evaluation.D || !evaluation.N) return;
  for (const Json& point : frontier->at("points")) {
    if (point.at("lambda") != lambda) continue;
    json["objective"] = *evaluation.D + lambda * *evaluation.N;
    json["objective_max"] = point.at("value");
  }
}

}  // namespace

Json truth_json(const Truth& truth) {
  const TabularWorld& world = *truth.world;
  Json json = {{"world", world.name},
               {"T_max", world.T_max},
               {"states_reachable", truth.states_reachable},
               {"H_max", truth.H_max.value},
               {"H_max_gap", truth.H_max.gap}};
  const bool D = truth.D_max.has_value(), C = truth.C_open.has_value();
  json["D_max"] = maybe(D, D ? truth.D_max->value : 0);
  json["D_max_gap"] = maybe(D, D ? truth.D_max->gap : 0);
  json["H_at_D_max"] = maybe(D, D ? truth.D_max->control.H : 0);
  json["C_open"] = maybe(C, C ? truth.C_open->value : 0);
  json["C_open_gap"] = maybe(C, C ? truth.C_open->gap : 0);
  const bool reward = truth.reward_max.has_value();
  json["reward_max"] = maybe(reward, reward ? truth.reward_max->value : 0);
  json["uniform"] = {{"H", truth.uniform.H},
                     {"D", maybe(truth.split_known, truth.uniform.D)},
                     {"N", maybe(truth.split_known, truth.uniform.N)}};
  json["s_f"] = final_states(world, truth.H_max.control.p_f);
  json["s_f_at_D_max"] = D ? final_states(world, truth.D_max->control.p_f) : Json(nullptr);
  json["start"] = world.state_names[world.s_0];
  json["picture"] = picture_json(world);
  json["notes"] = truth.notes;
  return json;
}

Json find_truth_json(const TabularWorld& world, const SolveProgress& progress) {
  ExactSettings settings;
  // a learner is not known to more digits than this
  settings.gap = 1e-5;
  // and it should not wait longer for the truth than for its training
  settings.budget = 5e8;
  settings.histories = 300000;
  return truth_json(find_truth(world, settings, progress));
}

Json find_truth_json(const Learner& learner, const SolveProgress& progress) {
  return learner.agent().simulator() == nullptr
             ? find_truth_json(learner.agent().table(), progress)
             : random_baseline_json(*learner.agent().simulator());
}

Json evaluation_json(const Learner& learner, const Evaluation& evaluation, const Json& truth) {
  const TrainSettings& settings = learner.settings();
  if (evaluation.survey) return simulator_evaluation_json(learner, evaluation, truth);
  Json json = {{"world", learner.agent().table().name},
               {"algorithm", settings.algorithm},
               {"seed", settings.seed},
               {"updates", learner.state().update},
               {"I_hat", evaluation.I_hat},
               {"exact", evaluation.exact},
               {"H", evaluation.H},
               {"D", maybe(evaluation.D)},
               {"N", maybe(evaluation.N)},
               {"ci95", evaluation.ci95}};
  for (const char* known : {"H_max", "H_max_gap", "D_max", "H_at_D_max", "C_open", "reward_max"}) {
    json[known] = truth.at(known);
  }
  const auto interval = [&](const std::string& name, const std::optional<Interval>& in) {
    json[name + "_low"] = maybe(in.has_value(), in ? in->low : 0);
    json[name + "_high"] = maybe(in.has_value(), in ? in->high : 0);
  };
  interval("D", evaluation.D_in);
  interval("N", evaluation.N_in);
  add_objective(json, evaluation, learner.agent().algorithm->lambda_of(settings), truth);
  json["external"] = evaluation.external;
  json["external_ci95"] = evaluation.external_ci95;
  json["states"] = evaluation.states;
  json["states_reachable"] = truth.at("states_reachable");
  json["rooms"] = evaluation.rooms;
  json["route"] = Json::array();
  for (int s : evaluation.route) json["route"].push_back(learner.agent().table().state_names[s]);
  json["I"] = maybe(evaluation.I);
  if (evaluation.reach) {
    json["reach"] = {{"exact", evaluation.reach->exact},
                     {"mean", evaluation.reach->mean},
                     {"worst", evaluation.reach->worst},
                     {"greedy_mean", evaluation.reach->greedy_mean},
                     {"best_mean", evaluation.reach->best_mean}};
  }
  if (evaluation.calibration) {
    json["calibration"] = {{"bias", evaluation.calibration->bias},
                           {"deviation", evaluation.calibration->deviation},
                           {"correlation", evaluation.calibration->correlation}};
  }
  if (evaluation.posterior) {
    json["posterior"] = {{"pi_q", evaluation.posterior->pi_q},
                         {"rho_q", maybe(evaluation.posterior->rho_q)},
                         {"rho_ratio", maybe(evaluation.posterior->rho_ratio)}};
  }
  json["s_f"] = final_states(learner.agent().table(), evaluation.p_f);
  return json;
}

std::optional<Json> behaviours_json(const Learner& learner, int options) {
  const Simulator* world = learner.agent().simulator();
  if (world == nullptr) return std::nullopt;
  Json json = {{"update", learner.state().update}};
  const auto sampled = sample_states(learner.agent(), options, /*seed=*/0);
  json.update(survey_json(world->spec(), survey_of(*world, sampled)));
  json.erase("coordinates");
  json.erase("cell_list");
  return json;
}

std::optional<Json> films_json(const Learner& learner, const Evaluation& evaluation) {
  const Simulator* world = learner.agent().simulator();
  if (world == nullptr) return std::nullopt;
  return films_json(*world, evaluation.watched);
}

}  // namespace vic
