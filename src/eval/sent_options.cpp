#include "eval/sent_options.h"

#include <algorithm>

#include "eval/export_rows.h"
#include "eval/simulator_eval.h"

namespace vic {
namespace {

// what options are sent to: a state (n) for all or one for each (count, n); unless they repeat a
// script of actions (T, F), or execute a skill
struct Destination {
  std::span<const double> s_f;
  std::span<const double> script = {};
  int skill = -1;
};

// fills the beginnings of B options; goals are those of the sampler, one for all or one for each
void begin_options(std::vector<Beginning>& beginnings, const Agent& agent, const Destination& to,
                   SimulatorSampler& sampler, Batch& batch, int B, RolloutAddress address) {
  if (!to.script.empty()) {
    // as in training: what a policy is conditioned on has no effect here, but it must be there
    agent.algorithm->objective->begin(beginnings, agent, B, address);
    return;
  }
  beginnings.assign(B, {.state = agent.start(), .goal = std::max(0, to.skill)});
  if (to.skill >= 0) return;
  if (static_cast<int>(to.s_f.size()) > sampler.world().spec().n()) {
    for (int b = 0; b < B; ++b) beginnings[b].goal = b;
  }
  sampler.start(batch, beginnings);
  for (int b = 0; b < B; ++b) {
    int& goal = beginnings[b].goal;
    goal = agent.algorithm->objective->condition_for(agent, batch, b, goal);
  }
}

Conditioned sample_sent(const Agent& agent, const Destination& to, int count,
                        const ReachSettings& settings) {
  const Actor actor =
      to.script.empty() ? require_goal_policy(agent, settings.temperature) : policy_of(agent);
  const std::unique_ptr<SimulatorSampler> sampler = make_simulator_sampler(agent);
  const SimulatorSpec& spec = sampler->world().spec();
  const auto n = static_cast<std::size_t>(spec.n());
  Batch batch;
  ActorWorkspace work;
  std::vector<Beginning> beginnings;
  Conditioned sampled;
  for (std::uint32_t part = 0; static_cast<int>(sampled.ends.size()) < count; ++part) {
    settings.stop.check();
    constexpr int largest_batch = 128;
    const std::size_t begin = sampled.ends.size();
    const int B = std::min(largest_batch, count - static_cast<int>(begin));
    const RolloutAddress address{stream_seed(Stream::reach, settings.seed), part};
    Destination own = to;
    if (to.s_f.size() > n) own.s_f = to.s_f.subspan(begin * n, std::size_t(B) * n);
    sampler->set_goals(own.s_f);
    begin_options(beginnings, agent, own, *sampler, batch, B, address);
    std::vector<double> scripts;
    for (int b = 0; b < B; ++b) {
      scripts.insert(scripts.end(), to.script.begin(), to.script.end());
    }
    sampler->set_script(std::move(scripts));
    sampler->sample(batch, actor, work, beginnings, address);
    const std::vector<int> rows = end_rows(batch);
    for (int row : rows) {
      sampled.ends.push_back(sampler->displacement_to(observed_state(batch, spec.n(), row)));
    }
    if (part == 0) sampled.first = states_of(spec, batch, rows[0]);
  }
  return sampled;
}

}  // namespace

bool options_repeat(const SimulatorSpec& spec, const ReachSettings& settings) {
  return settings.temperature == 0 && spec.deterministic;
}

std::span<const double> end_of(const SimulatorSpec& spec, const std::vector<double>& states) {
  return std::span(states).last(static_cast<std::size_t>(spec.n()));
}

Unconditioned sample_unconditioned(const Agent& agent, const ReachSettings& settings) {
  const std::unique_ptr<SimulatorSampler> sampler = make_simulator_sampler(agent);
  const SimulatorSpec& spec = sampler->world().spec();
  Unconditioned sampled;
  const auto keep_actions = [&](const Batch& batch) {
    for (int row : end_rows(batch)) {
      std::vector<double>& own = sampled.actions.emplace_back();
      for (const int action : history_of(batch.histories, row).actions) {
        const auto at = std::size_t(action) * spec.F();
        for (std::size_t i = at; i < at + spec.F(); ++i) {
          own.push_back(batch.codes->pushes.empty() ? batch.codes->levels[i]
                                                    : double(batch.codes->pushes[i]));
        }
      }
      // actions after a fall have no effect
      own.resize(static_cast<std::size_t>(spec.T) * spec.F(), 0);
    }
  };
  const Step step = [&](int, int) { settings.stop.check(); };
  sampled.of_skills =
      agent.algorithm->policy_goal == GoalKind::skill && options_repeat(spec, settings);
  sampled.options = sampled.of_skills
                        ? skill_states(agent, step, keep_actions)
                        : sample_states(agent, settings.survey, settings.seed, step, keep_actions);
  for (const std::vector<double>& states : sampled.options) {
    sampled.ends.push_back(sampler->displacement_to(end_of(spec, states)));
  }
  return sampled;
}

Conditioned sample_conditioned(const Agent& agent, const Unconditioned& unconditioned,
                               std::size_t option, const ReachSettings& settings) {
  const SimulatorSpec& spec = agent.simulator()->spec();
  const int count = options_repeat(spec, settings) ? 1 : settings.simulated_options;
  Destination to{.s_f = end_of(spec, unconditioned.options[option])};
  if (settings.replay) {
    to.script = unconditioned.actions[option];
  } else if (unconditioned.of_skills) {
    to.skill = static_cast<int>(option);
  }
  return sample_sent(agent, to, count, settings);
}

Conditioned sample_conditioned(const Agent& agent, std::span<const double> s_f, int count,
                               const ReachSettings& settings) {
  return sample_sent(agent, {.s_f = s_f}, count, settings);
}

}  // namespace vic
