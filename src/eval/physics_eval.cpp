#include "eval/physics_eval.h"

#include "eval/survey_json.h"

namespace vic {

std::vector<std::vector<double>> draw_options(Learner& learner, int options, int seed) {
  constexpr int B = 128;
  const PhysicsStage& stage = *learner.physics();
  const int T = stage.world().T;
  Batch batch;
  HistoryInputs<float> inputs;
  std::vector<std::vector<double>> drawn;
  // far from the addresses of training
  const std::uint64_t far = (std::uint64_t{1} << 32) + static_cast<std::uint64_t>(seed);
  for (std::uint32_t k = 0; static_cast<int>(drawn.size()) < options; ++k) {
    learner.draw(batch, inputs, B, {far, k});
    for (int b = 0; b < B && static_cast<int>(drawn.size()) < options; ++b) {
      std::vector<double>& states = drawn.emplace_back();
      for (int t = 0; t <= T; ++t) {
        const std::span<const double> s = stage.state(t * B + b);
        states.insert(states.end(), s.begin(), s.end());
      }
    }
  }
  return drawn;
}

Survey survey_of(const PhysicsWorld& world, const std::vector<std::vector<double>>& options) {
  PhysicsBody body(world);
  Survey survey;
  for (const std::vector<double>& states : options) {
    survey.add(behaviour_of(world, body, states));
  }
  return survey;
}

Json physics_truth_json(const PhysicsWorld& world) {
  const int options = EvalSettings{}.survey;
  return {{"world", world.name},
          {"kind", "physics"},
          {"T", world.T},
          {"motors", world.M},
          {"levels", world.L},
          {"seconds", world.seconds()},
          {"bin", world.bin},
          {"turn", world.turn},
          {"random", survey_json(random_survey(world, 1, options, 1))}};
}

Json physics_evaluation_json(Learner& learner, const Evaluation& evaluation, const Json& truth) {
  const TrainSettings& settings = learner.settings();
  Json json = {{"world", learner.physics()->world().name},
               {"algorithm", settings.algorithm},
               {"seed", settings.seed},
               {"updates", learner.state().update},
               {"kind", "physics"},
               {"I_hat", evaluation.I_hat}};
  json.update(survey_json(*evaluation.survey));
  json["reach"] = nullptr;
  if (const auto& reach = evaluation.own_reach) {
    json["reach"] = {{"mean", reach->success.share},
                     {"low", reach->success.in.low},
                     {"high", reach->success.in.high},
                     {"chance", reach->chance}};
  }
  const Json& random = truth.at("random");
  json["random_H"] = random.at("H");
  json["random_cells"] = random.at("cells");
  json["random_spread"] = random.at("distance_spread");
  return json;
}

}  // namespace vic
