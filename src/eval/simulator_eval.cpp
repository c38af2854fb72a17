#include "eval/simulator_eval.h"

#include "eval/simulator_reach.h"
#include "info/entropy.h"

namespace vic {

std::vector<std::vector<double>> sample_states(const Agent& agent, int options, int seed,
                                               const Step& step) {
  constexpr int B = 128;
  const SimulatorSpec& spec = agent.simulator()->spec();
  const std::unique_ptr<Sampler> sampler = make_sampler(agent);
  Batch batch;
  ActorWorkspace work;
  std::vector<std::vector<double>> sampled;
  for (std::uint32_t k = 0; static_cast<int>(sampled.size()) < options; ++k) {
    step(static_cast<int>(sampled.size()), options);
    sample_options(batch, agent, *sampler, work, B, {stream_seed(Stream::evaluation, seed), k});
    for (int b = 0; b < B && static_cast<int>(sampled.size()) < options; ++b) {
      std::vector<double>& states = sampled.emplace_back();
      for (int t = 0; t <= spec.T; ++t) {
        const std::span<const double> s = observed_state(batch, spec.n(), t * B + b);
        states.insert(states.end(), s.begin(), s.end());
      }
    }
  }
  return sampled;
}

Survey survey_of(const Simulator& world, const std::vector<std::vector<double>>& options) {
  const auto viewer = world.make_viewer();
  Survey survey;
  for (const std::vector<double>& states : options) {
    survey.add(behaviour_of(world, *viewer, states));
  }
  return survey;
}

void evaluate_simulated(Evaluation& evaluation, const Agent& agent, const EvalSettings& settings,
                        EvaluationParts& parts) {
  parts.next("sampled options", [&](const Step& step) {
    evaluation.watched = sample_states(agent, settings.survey, settings.seed, step);
  });
  evaluation.survey = survey_of(*agent.simulator(), evaluation.watched);
  const EntropyEstimate estimate = estimate_entropy(evaluation.survey->cell_counts());
  evaluation.H = estimate.H;
  evaluation.ci95 = estimate.ci95;
  parts.next("reach", [&](const Step&) {
    if (settings.reach == 0 || !goal_policy_of(agent)) return;
    try {
      evaluation.own_reach =
          reach_own(agent, evaluation.watched, {.seed = settings.seed, .stop = settings.stop});
    } catch (const SimulationError&) {
      // no run may fail for what it does when it is sent about
      evaluation.reach_failed = true;
    }
  });
}

}  // namespace vic
