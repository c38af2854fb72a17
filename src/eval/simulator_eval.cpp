#include "eval/simulator_eval.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "eval/bounds.h"
#include "eval/comparison.h"
#include "eval/enumerated.h"
#include "eval/export_rows.h"
#include "eval/simulator_reach.h"
#include "info/entropy.h"

namespace vic {

std::vector<int> end_rows(const Batch& batch) {
  std::vector<int> rows(batch.options, -1);
  for (int r = 0; r < batch.histories.rows(); ++r) {
    if (batch.ended[r] > 0) rows[batch.histories.root[r]] = r;
  }
  return rows;
}

std::vector<double> states_of(const SimulatorSpec& spec, const Batch& batch, int row) {
  const auto n = static_cast<std::size_t>(spec.n());
  std::vector<double> states;
  for (const int r : history_of(batch.histories, row).states) {
    const std::span<const double> s = observed_state(batch, spec.n(), r);
    states.insert(states.end(), s.begin(), s.end());
  }
  const std::vector<double> last(states.end() - spec.n(), states.end());
  while (states.size() < static_cast<std::size_t>(spec.T + 1) * n) {
    states.insert(states.end(), last.begin(), last.end());
  }
  return states;
}

namespace {

// the states of `count` options, drawn by sample(sampler, batch, work, B, k) in batches of B
template <class Sample>
std::vector<std::vector<double>> states_of_options(const Agent& agent, int count, const Step& step,
                                                   const BatchVisitor& visit, Sample&& sample) {
  constexpr int largest_batch = 128;
  const SimulatorSpec& spec = agent.simulator()->spec();
  const std::unique_ptr<Sampler> sampler = make_sampler(agent);
  Batch batch;
  ActorWorkspace work;
  std::vector<std::vector<double>> sampled;
  for (std::uint32_t k = 0; static_cast<int>(sampled.size()) < count; ++k) {
    step(static_cast<int>(sampled.size()), count);
    // no more than are needed: simulation is slow
    const int B = std::min(largest_batch, count - static_cast<int>(sampled.size()));
    sample(*sampler, batch, work, B, k);
    if (visit) visit(batch);
    const std::vector<int> ends = end_rows(batch);
    for (int b = 0; b < B; ++b) sampled.push_back(states_of(spec, batch, ends[b]));
  }
  return sampled;
}

}  // namespace

std::vector<std::vector<double>> sample_states(const Agent& agent, int options, int seed,
                                               const Step& step, const BatchVisitor& visit) {
  return states_of_options(
      agent, options, step, visit,
      [&](Sampler& sampler, Batch& batch, ActorWorkspace& work, int B, std::uint32_t k) {
        sample_options(batch, agent, sampler, work, B, {stream_seed(Stream::evaluation, seed), k});
      });
}

std::vector<std::vector<double>> skill_states(const Agent& agent, const Step& step,
                                              const BatchVisitor& visit) {
  const Actor likeliest = *goal_policy_of(agent, /*temperature=*/0);
  int skill = 0;
  return states_of_options(
      agent, agent.settings.skills, step, visit,
      [&](Sampler& sampler, Batch& batch, ActorWorkspace& work, int B, std::uint32_t) {
        std::vector<Beginning> beginnings(B, {.state = agent.start()});
        for (Beginning& one : beginnings) one.goal = skill++;
        sampler.sample(batch, likeliest, work, beginnings, {});
      });
}

Survey survey_of(const Simulator& world, const std::vector<std::vector<double>>& options) {
  const auto viewer = world.make_viewer();
  Survey survey;
  for (const std::vector<double>& states : options) {
    survey.add(behaviour_of(world, *viewer, states));
  }
  return survey;
}

Agent control_part(const Agent& agent) {
  Agent control = agent;
  control.settings.lambda = control.settings.alpha = 0;
  control.settings.normalise = Normalise::none;
  control.settings.critic = CriticKind::none;
  return control;
}

namespace {

// Scores options that the agent's models have not learned from.
class Scored {
 public:
  Scored(const Agent& agent, const RunningFrequencies& recent)
      : agent_(agent), recent_(recent), control_(control_part(agent)) {}

  void add(const Batch& batch) {
    const std::vector<int> ends = end_rows(batch);
    const std::vector<double>& control = intrinsic_rewards(scores_, control_, batch);
    for (int row : ends) usable_.add(1, control[row]);
    if (!agent_.algorithm->rewards_surprise) return;
    const std::vector<double>& reward = intrinsic_rewards(scores_, agent_, batch, &recent_);
    for (int row : ends) {
      ends_.push_back({reward[row], batch.cell[row]});
      ++counts_[batch.cell[row]];
    }
  }

  UsableControl usable() const { return {usable_.mean(), usable_.ci95()}; }

  std::optional<Calibration> calibration() const {
    if (ends_.empty()) return std::nullopt;
    Comparison comparison;
    for (const auto& [reward, cell] : ends_) {
      comparison.add(1, reward, std::log(double(ends_.size()) / double(counts_.at(cell))));
    }
    return comparison.result();
  }

 private:
  const Agent& agent_;
  const RunningFrequencies& recent_;
  Agent control_;
  Scores scores_;
  SampleMean usable_;
  std::vector<std::pair<double, int>> ends_;  // reward and cell of each option
  std::map<int, long> counts_;                // of the cells
};

// whether the same actions lead through the same states, in a few options
bool repeats_itself(const Agent& agent, Stop stop) {
  const ReachSettings again{.simulated_options = 1, .survey = 4, .replay = true, .stop = stop};
  const Unconditioned options = sample_unconditioned(agent, again);
  for (std::size_t i = 0; i < 4; ++i) {
    if (sample_conditioned(agent, options, i, again).first != options.options[i]) return false;
  }
  return true;
}

// what each skill does with its likeliest actions
SkillEnds ends_of_skills(const Agent& agent, const Step& step) {
  const Survey survey = survey_of(*agent.simulator(), skill_states(agent, step));
  std::vector<double> p;
  for (const long count : survey.cell_counts()) {
    p.push_back(static_cast<double>(count) / static_cast<double>(survey.options()));
  }
  return {.H = entropy(p),
          .cells = static_cast<int>(p.size()),
          .forward_flips = survey.forward_flips(),
          .backflips = survey.backflips(),
          .most_forward_flips = survey.most_forward_flips(),
          .most_backflips = survey.most_backflips()};
}

}  // namespace

void evaluate_simulated(Evaluation& evaluation, const Learner& learner,
                        const EvalSettings& settings, EvaluationParts& parts) {
  const Agent& agent = learner.agent();
  parts.next("sampled options", [&](const Step& step) {
    // only hindsight models, or b, can score options
    const bool has_goals =
        agent.algorithm->policy_goal == GoalKind::none && goal_policy_of(agent).has_value();
    Scored scored(agent, learner.state().recent);
    BatchVisitor visit;
    if (has_goals) visit = [&](const Batch& batch) { scored.add(batch); };
    evaluation.watched = sample_states(agent, settings.survey, settings.seed, step, visit);
    if (agent.simulator()->spec().deterministic) {
      evaluation.repeats = repeats_itself(agent, settings.stop);
    }
    if (!has_goals) return;
    evaluation.usable = scored.usable();
    evaluation.calibration = scored.calibration();
  });
  evaluation.survey = survey_of(*agent.simulator(), evaluation.watched);
  parts.next("H, D and N", [&](const Step& step) {
    const EntropyEstimate estimate = estimate_entropy(evaluation.survey->cell_counts());
    evaluation.H = estimate.H;
    evaluation.ci95 = estimate.ci95;
    if (agent.simulator()->spec().deterministic) {
      // without chance, all of H is control
      evaluation.D = evaluation.H;
      evaluation.N = 0;
    }
    evaluate_all_options(evaluation, agent, settings, step);
  });
  // a run must not fail because an option toward a goal does
  const auto unless_it_fails = [&](const auto& measure) {
    try {
      measure();
    } catch (const SimulationError&) {
      evaluation.reach_failed = true;
    }
  };
  parts.next("skills", [&](const Step& step) {
    if (agent.algorithm->policy_goal != GoalKind::skill) return;
    if (!agent.simulator()->spec().deterministic) return;
    unless_it_fails([&] { evaluation.skills = ends_of_skills(agent, step); });
  });
  parts.next("reach", [&](const Step&) {
    if (settings.reach == 0 || !goal_policy_of(agent)) return;
    unless_it_fails([&] {
      evaluation.own_reach =
          reach_own(agent, evaluation.watched, {.seed = settings.seed, .stop = settings.stop});
    });
  });
}

}  // namespace vic
