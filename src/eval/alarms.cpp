#include "eval/alarms.h"

#include <algorithm>
#include <cmath>

namespace vic {
namespace {

// nats by which the mean over many options may be off by chance
constexpr double slack = 0.5;

// the number of final states that options can have, as the agent counts them
double final_states(const Agent& agent) {
  const bool one_start = agent.simulator() == nullptr && agent.settings.starts == Starts::one;
  return static_cast<double>(one_start ? agent.table().final_states().size()
                                       : static_cast<std::size_t>(agent.final_states()));
}

const char* kind_of(const Agent& agent) {
  return agent.simulator() == nullptr ? "states" : "cells";
}

// whether the reward is information about s_f and nothing else
bool rewards_information(const Agent& agent) {
  return agent.algorithm->lambda != LambdaRule::none && agent.settings.alpha == 0 &&
         agent.settings.entropy_bonus == 0;
}

// whether the policy has been training for a while: until then the models are wrong about
// everything
bool has_learned(const Agent& agent, long update) {
  return update >= agent.settings.warm_up + alarm_interval;
}

// the largest D + lambda N, as D + N is at most H
double most_reward(const Agent& agent, double H) {
  return std::max(1.0, agent.algorithm->lambda_of(agent.settings)) * H;
}

// whether the reward is computed from running counts alone, which are ahead of H while coverage
// grows
bool counts_ends(const Agent& agent) {
  return agent.algorithm->reads("count_decay") && !agent.algorithm->rewards_surprise;
}

// whether the baseline is the mean reward: a critic leaves it nothing of what it expects
bool has_mean_baseline(const Agent& agent) {
  return agent.settings.critic == CriticKind::none;
}

// the mean reward in training
double mean_reward(const Agent& agent, const Metrics& metrics) {
  return has_mean_baseline(agent) ? metrics.baseline : metrics.reward;
}

// an alarm if the mean reward exceeds the entropy of s_f, its upper bound
void check_reward(std::vector<Alarm>& alarms, const Agent& agent, double reward, double H) {
  const double n = final_states(agent), most = most_reward(agent, std::log(n));
  std::string remedy = "the models do not fit what happens; try a longer train.warm_up";
  remedy += agent.algorithm->reads("sigma") ? " or another train.sigma." : ".";
  if (reward > most + slack) {
    alarms.push_back({"reward", fmt::format("The mean reward is {:.2f} nats, and no information "
                                            "about {:.0f} {} exceeds {:.2f}: {}",
                                            reward, n, kind_of(agent), most, remedy)});
  } else if (!counts_ends(agent) && reward > most_reward(agent, H) + slack) {
    alarms.push_back({"reward", fmt::format("The mean reward is {:.2f} nats, and the entropy of "
                                            "s_f, which it cannot exceed, is {:.2f}: {}",
                                            reward, most_reward(agent, H), remedy)});
  }
}

// an alarm if the baseline differs from the mean reward by more than learning can explain
void check_baseline(std::vector<Alarm>& alarms, const Agent& agent, double b, double reward) {
  const double most = most_reward(agent, std::log(final_states(agent)));
  if (std::abs(b - reward) <= most + slack) return;
  alarms.push_back({"stationarity",
                    fmt::format("The mean reward is not stationary: it moved from {:.2f} to {:.2f} "
                                "nats within a few updates; try a lower train.learning_rate.",
                                b, reward)});
}

void check_models(std::vector<Alarm>& alarms, const PosteriorError& error) {
  // the error of a model that does not see s_f is the information in s_f
  const auto check = [&](const char* model, double wrong, double blind) {
    if (wrong <= 1.5 * blind + 0.1) return;
    alarms.push_back(
        {model, fmt::format("{} is {:.2f} nats per step from its exact value; without s_f it would "
                            "be {:.2f}: it has not learned, or does not fit.",
                            model, wrong, blind)});
  };
  check("pi_q", error.pi_q, error.pi_q_blind);
  if (error.rho_ratio) check("log rho_q / rho_p", *error.rho_ratio, error.rho_ratio_blind);
}

void check_ends(std::vector<Alarm>& alarms, const Agent& agent, double ends) {
  if (!rewards_information(agent) || ends > 1 || final_states(agent) <= 1) return;
  alarms.push_back({"one end", fmt::format("All options end in one of {:.0f} {}.",
                                           final_states(agent), kind_of(agent))});
}

void check_simulation(std::vector<Alarm>& alarms, const Evaluation& evaluation,
                      const Reference& reference) {
  if (evaluation.reach_failed) {
    alarms.push_back({"simulation",
                      "Options conditioned on goals, or skills, could not be simulated to their "
                      "end: the simulator "
                      "met numbers from which it cannot continue."});
  }
  if (!evaluation.repeats) {
    alarms.push_back({"chance",
                      "The world calls itself deterministic, but the same actions led to different "
                      "states: D, N, "
                      "reaching and skills are wrong; let it say that it is not."});
  }
  if (const auto& random = reference.random; random && random->failures() > 0) {
    alarms.push_back({"random simulation",
                      fmt::format("{} options of random actions could not be simulated to their "
                                  "end: {}",
                                  random->failures(), random->first_failure())});
  }
}

}  // namespace

std::vector<Alarm> training_alarms(const Agent& agent, const Metrics& before, const Metrics& now) {
  std::vector<Alarm> alarms;
  if (!rewards_information(agent) || before.update < 1) return {};
  if (!has_learned(agent, now.update)) return {};
  const double reward = mean_reward(agent, now);
  check_reward(alarms, agent, reward, now.I_hat);
  check_baseline(alarms, agent, mean_reward(agent, before), reward);
  // the running estimate decays slowly: near 0, there has been one end for a while
  check_ends(alarms, agent, now.I_hat < 0.01 ? 1 : 2);
  return alarms;
}

std::vector<Alarm> evaluation_alarms(const Learner& learner, const Evaluation& evaluation,
                                     const Reference& reference) {
  const Agent& agent = learner.agent();
  std::vector<Alarm> alarms;
  const bool learned = has_learned(agent, learner.state().update);
  // the mean reward of sampled options if it was measured, else the baseline, if it is one: of the
  // metrics a run that was loaded has nothing else
  const double b = learner.metrics().baseline;
  const bool compares = rewards_information(agent) && has_mean_baseline(agent);
  if (!learned) {
    // too early to check the reward
  } else if (evaluation.calibration) {
    const double reward = evaluation.H + evaluation.calibration->bias;
    check_reward(alarms, agent, reward, evaluation.H + evaluation.ci95);
    if (compares) check_baseline(alarms, agent, b, reward);
  } else if (compares) {
    check_reward(alarms, agent, b, std::max(evaluation.I_hat, evaluation.H + evaluation.ci95));
  }
  if (learned && evaluation.posterior) check_models(alarms, *evaluation.posterior);
  check_ends(alarms, agent,
             evaluation.survey ? static_cast<double>(evaluation.survey->cells().size())
                               : evaluation.states);
  check_simulation(alarms, evaluation, reference);
  return alarms;
}

}  // namespace vic
