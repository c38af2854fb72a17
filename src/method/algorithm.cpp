#include "method/algorithm.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "method/baselines/skills.h"
#include "method/belief.h"
#include "method/beliefs.h"
#include "method/counted_skills.h"
#include "method/hindsight.h"
#include "method/scores.h"

namespace vic {
namespace {

// the external reward, which every algorithm adds, and nothing else
class NoIntrinsicReward : public Objective {
 public:
  void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const override {
    query_models(scores, agent, inputs);
  }
};

// -log p(s_f | s_0) from running counts. By Bayes it is what Algorithms 1 and 2 estimate with their
// hindsight models, so it has the same objective and needs no models.
class MarginalObjective : public Objective {
 public:
  void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const override {
    if (inputs.recent.weight.empty()) {
      throw Error(
          "marginal computes its reward from the counts of recent batches, and there are none "
          "yet.");
    }
    query_models(scores, agent, inputs);
    const Batch& batch = inputs.batch;
    for (int r = 0; r < batch.histories.rows(); ++r) {
      if (batch.ended[r] == 0) continue;
      scores.reward[r] = -std::log(recent_frequency(agent, inputs.recent, batch.cell[r]));
    }
  }
};

const HindsightObjective hindsight;
const CountedObjective counted;
const BeliefObjective belief;
const MarginalObjective marginal;
const NoIntrinsicReward no_intrinsic_reward;
const SkillObjective skills_by_end(SkillObjective::Sees::final_state);
const CountedSkillObjective counted_skills;
const SkillObjective skills_by_state(SkillObjective::Sees::every_state);

// In simulated worlds, where an update is mostly simulation: large batches, and many steps on each.
using Defaults = std::vector<std::pair<std::string_view, std::string_view>>;

Defaults large_batches(Defaults more) {
  Defaults all = {
      {"critic", "belief"},    {"td", "0.97"},       {"warm_up", "3"}, {"batch", "512"},
      {"epochs", "3"},         {"minibatches", "8"}, {"clip", "0.5"},  {"learning_rate", "4e-3"},
      {"policy_rate", "2e-3"}, {"final_rate", "0.2"}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const std::vector<Algorithm>& own_algorithms() {
  static const std::vector<Algorithm> table = {
      {.name = "implicit",
       .help = "implicit VIC (Gregor et al., 2016): maximises control D",
       .models = control_models,
       .objective = &hindsight,
       .lambda = LambdaRule::zero,
       .settings = {"hindsight", "critic", "td", "normalise", "goals", "count_decay"},
       .any_start = true,
       .colour = 0,
       .rewards_surprise = true},
      {.name = "transition",
       .help = "Algorithm 1: a transition model over the states of a table; D + lambda N",
       .models = transition_models,
       .objective = &hindsight,
       .lambda = LambdaRule::setting,
       .settings = {"hindsight", "lambda", "lambda_first", "lambda_start", "lambda_ramp", "critic",
                    "td", "normalise", "goals", "count_decay"},
       .needs_table = true,
       .any_start = true,
       .colour = 1,
       .first_choice = true,
       .rewards_surprise = true},
      {.name = "mixture",
       .help = "Algorithm 2: Gaussian mixtures over steps; D + lambda N",
       .models = mixture_models,
       .objective = &hindsight,
       .lambda = LambdaRule::setting,
       .settings = {"hindsight", "lambda", "lambda_first", "lambda_start", "lambda_ramp", "n_gmm",
                    "sigma", "T_smooth", "nodes", "critic", "td", "normalise", "goals",
                    "count_decay"},
       .needs_coordinates = true,
       .any_start = true,
       .colour = 2,
       .rewards_surprise = true},
      {.name = "marginal",
       .help = "reward -log p(s_f) from running counts, no hindsight models: maximises coverage H",
       .models = no_models,
       .objective = &marginal,
       .lambda = LambdaRule::one,
       .settings = {"count_decay", "critic", "td"},
       .simulator_defaults = large_batches({{"updates", "100"}, {"count_decay", "0.2"}}),
       .colour = 3,
       .first_choice = true},
      {.name = "counted",
       .help =
           "pi_q for control and running counts for the rest, no transition model: D + lambda N",
       .models = control_models,
       .objective = &counted,
       .lambda = LambdaRule::setting,
       .settings = {"hindsight", "lambda", "lambda_first", "lambda_start", "lambda_ramp", "critic",
                    "td", "count_decay"},
       .rewards_surprise = true},
      {.name = "belief",
       .help = "one model of where options end, b(s_f | tau, a): D + lambda N, with a critic",
       .models = belief_models,
       .objective = &belief,
       .lambda = LambdaRule::setting,
       .settings = {"lambda", "lambda_first", "lambda_start", "lambda_ramp", "critic", "td"},
       .defaults = {{"lambda", "0"},
                    {"critic", "belief"},
                    {"td", "0.5"},
                    {"encoding", "relative"},
                    {"updates", "8000"},
                    {"warm_up", "100"},
                    {"batch", "256"},
                    {"learning_rate", "2e-2"},
                    {"beta_1", "0.5"},
                    {"beta_2", "0.975"},
                    {"policy_rate", "3e-3"},
                    {"final_rate", "0.01"},
                    {"entropy_bonus", "0.2"},
                    {"entropy_end", "2000"}},
       .any_start = true,
       .rewards_surprise = true},
      {.name = "reward",
       .help = "the external reward alone: the paper's random agent",
       .models = no_models,
       .objective = &no_intrinsic_reward,
       .lambda = LambdaRule::none,
       .needs_table = true,
       .needs_reward = true,
       .any_start = true,
       .colour = 5},
      {.name = "explicit",
       .help = "explicit skills (Gregor et al., 2016), recognised by where they end",
       .models = skill_models,
       .objective = &skills_by_end,
       .lambda = LambdaRule::none,
       .settings = {"skills", "prior"},
       .policy_goal = GoalKind::skill,
       .any_start = true,
       .colour = 4},
      {.name = "counted-skills",
       .help = "explicit skills, recognised by counts of where they end: (1 - lambda) I + lambda H",
       .models = skill_models,
       .objective = &counted_skills,
       .lambda = LambdaRule::setting,
       .settings = {"skills", "lambda", "lambda_first", "lambda_start", "lambda_ramp", "critic",
                    "td", "count_decay"},
       .defaults = {{"lambda", "0.3"}},
       .simulator_defaults = large_batches(
           {{"updates", "200"}, {"count_decay", "0.5"}, {"skills", "256"}, {"lambda", "1"}}),
       .policy_goal = GoalKind::skill,
       .counts_skills = true},
      {.name = "diayn",
       .help = "explicit skills (Eysenbach et al., 2018), recognised by every state",
       .models = skill_models,
       .objective = &skills_by_state,
       .lambda = LambdaRule::none,
       .settings = {"skills", "prior"},
       .policy_goal = GoalKind::skill,
       .sees_way = true,
       .any_start = true},
      {.name = "open-loop",
       .help = "implicit VIC that does not observe its state (Mohamed & Rezende, 2015)",
       .models = control_models,
       .objective = &hindsight,
       .lambda = LambdaRule::zero,
       .settings = {"hindsight"},
       .blind = true,
       .any_start = true},
      {.name = "random",
       .help = "uniform actions, nothing learned: the coverage of chance alone",
       .models = no_models,
       .objective = &no_intrinsic_reward,
       .lambda = LambdaRule::none,
       .uniform = true,
       .any_start = true},
  };
  return table;
}

std::deque<Algorithm>& all_algorithms() {
  static std::deque<Algorithm> all(own_algorithms().begin(), own_algorithms().end());
  return all;
}

}  // namespace

std::vector<ModelSpec> no_models(const TrainSettings&) {
  return {};
}

const std::deque<Algorithm>& algorithms() {
  return all_algorithms();
}

void register_algorithm(Algorithm algorithm) {
  const auto& all = algorithms();
  if (std::ranges::find(all, algorithm.name, &Algorithm::name) != all.end()) {
    fail_usage("There is an algorithm {} already; choose another name.", algorithm.name);
  }
  all_algorithms().push_back(std::move(algorithm));
}

TrainSettings defaults_of(const Algorithm& algorithm, Worlds worlds) {
  TrainSettings settings;
  settings.algorithm = algorithm.name;
  settings.visit([&](std::string_view name, auto& value, Range range, std::string_view) {
    const auto take = [&](const auto& defaults) {
      for (const auto& [key, text] : defaults) {
        if (key == name) parse_setting({std::string(key), std::string(text), ""}, range, value);
      }
    };
    take(algorithm.defaults);
    if (worlds == Worlds::simulated) take(algorithm.simulator_defaults);
  });
  return settings;
}

const Algorithm& find_algorithm(const std::string& name) {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == name) return algorithm;
  }
  fail_usage("There is no algorithm '{}'{}", name, suggestion(name, algorithm_names()));
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) names.emplace_back(algorithm.name);
  return names;
}

double Algorithm::lambda_of(const TrainSettings& train) const {
  switch (lambda) {
    case LambdaRule::one:
      return 1;
    case LambdaRule::setting:
      return train.lambda;
    case LambdaRule::zero:
    case LambdaRule::none:
      return 0;
  }
  return 0;
}

bool Algorithm::reads(std::string_view setting) const {
  const auto names = [&](const Algorithm& algorithm) {
    return std::find(algorithm.settings.begin(), algorithm.settings.end(), setting) !=
           algorithm.settings.end();
  };
  // a setting that no algorithm names is read by all
  return names(*this) || std::none_of(algorithms().begin(), algorithms().end(), names);
}

void Objective::begin(std::vector<Beginning>& beginnings, const Agent& agent, int B,
                      RolloutAddress) const {
  beginnings.assign(B, {.state = agent.start()});
}

void Objective::set_advantages(Scores&, const Agent&, const Batch&, std::span<const double>) const {
}

int Objective::condition_for(const Agent&, const Batch&, int, int goal) const {
  return goal;
}

}  // namespace vic
