#include "eval/record.h"

#include "eval/alarms.h"
#include "eval/films.h"
#include "eval/measures.h"
#include "eval/simulator_eval.h"
#include "eval/survey_json.h"

namespace vic {

Json evaluation_json(const Learner& learner, const Evaluation& evaluation,
                     const Reference& of_world) {
  const TrainSettings& settings = learner.settings();
  Reference reference = of_world;
  // the optimum over levels is no bound for continuous actions
  if (learner.agent().encoding.continuous > 0) reference.exact.reset();
  Json json = {{"world", world_name(reference.world)},
               {"algorithm", settings.algorithm},
               {"seed", settings.seed},
               {"updates", learner.state().update},
               {"warnings", Json::array()}};
  for (const Alarm& alarm : evaluation_alarms(learner, evaluation, reference)) {
    json["warnings"].push_back(alarm.sentence);
  }
  Measured measured{.evaluation = &evaluation,
                    .reference = &reference,
                    .survey = nullptr,
                    .spec = nullptr,
                    .lambda = learner.agent().algorithm->lambda_of(settings)};
  if (evaluation.survey) {
    measured.spec = &learner.agent().simulator()->spec();
    json["kind"] = "simulated";
    json["exact"] = evaluation.exact;
    json.update(survey_json(learner.agent().simulator()->spec(), *evaluation.survey));
    add_measures(json, Measure::simulated, measured);
    // an enumerated value replaces a sampled one
    if (evaluation.exact) json["H"] = evaluation.H, json["ci95"] = 0;
    return json;
  }
  json["exact"] = evaluation.exact;
  add_measures(json, Measure::table, measured);
  if (evaluation.reach) json["reach"]["exact"] = evaluation.reach->exact;
  const TabularWorld& world = learner.agent().table();
  json["route"] = Json::array();
  for (int s : evaluation.route) json["route"].push_back(world.state_names[s]);
  json["s_f"] = final_states_json(world, evaluation.p_f);
  return json;
}

Json control_json(const Learner& learner, const std::optional<HistoryTree>& tree, int options,
                  const Step& step) {
  const Evaluation now = measure_control(learner.agent(), tree, options, step);
  return {{"update", learner.state().update},
          {"exact", now.exact},
          {"H", now.H},
          {"ci95", now.ci95},
          {"D", maybe(now.D)},
          {"N", maybe(now.N)}};
}

Json behaviours_json(const Learner& learner, int options, const Step& step) {
  const Simulator& world = *learner.agent().simulator();
  Json json = {{"update", learner.state().update}};
  const auto sampled = sample_states(learner.agent(), options, /*seed=*/0, step);
  json.update(survey_json(world.spec(), survey_of(world, sampled)));
  json.erase("coordinates");
  return json;
}

std::optional<Json> films_json(const Learner& learner, const Evaluation& evaluation) {
  const Simulator* world = learner.agent().simulator();
  if (world == nullptr) return std::nullopt;
  return films_json(*world, evaluation.watched);
}

}  // namespace vic
