#include "method/agent.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "method/beliefs.h"
#include "method/requirements.h"
#include "method/table_sampler.h"
#include "method/tree_sampler.h"

namespace vic {
namespace {

// Sets a logit so low that its probability and its gradient are 0, so that it never changes.
void forbid_termination(Model& model, int A) {
  constexpr float never = -1e9F;
  Parameters<float>& parameters = model.net().parameters();
  view(parameters.values, parameters.layout.slice(parameters.layout.find("out.b")))(0, A) = never;
}

AgentModel make_model(const ModelSpec& spec, const Agent& agent) {
  const Head head = spec.head(agent);
  const bool residual = agent.is_residual(spec), acts = spec.head == action_head;
  const ModelShape shape{
      .name = std::string(name_of(spec.role)),
      .conditioning = spec.conditioning,
      .encoding = agent.encoding,
      .skills = agent.settings.skills,
      .hidden = agent.settings.hidden,
      .outputs = outputs_of(head),
      .from_zero = residual || (agent.algorithm->uniform && acts),
      // a residual policy is added to one that is sticky already
      .sticky_action_logit = acts && !residual ? agent.settings.sticky_action_logit : 0};
  const InitAddress address{static_cast<std::uint64_t>(agent.settings.seed),
                            static_cast<std::uint32_t>(agent.models.size())};
  AgentModel made{spec, Model(shape, head, address)};
  if (acts && !residual && agent.simulator() == nullptr && !agent.table().may_stop) {
    forbid_termination(made.model, agent.table().A);
  }
  return made;
}

const std::string& name_of_world(const WorldRef& world) {
  const auto* table = std::get_if<const TabularWorld*>(&world);
  return table != nullptr ? (*table)->name : std::get<const Simulator*>(world)->spec().name;
}

}  // namespace

const Algorithm& default_algorithm(WorldRef world) {
  const bool table = std::holds_alternative<const TabularWorld*>(world);
  const auto fits = [&](const Algorithm& one) {
    return one.first_choice && (table || !one.needs_table);
  };
  return *std::ranges::find_if(algorithms(), fits);
}

TrainSettings default_settings(WorldRef world, const Algorithm& algorithm) {
  const bool table = std::holds_alternative<const TabularWorld*>(world);
  return defaults_of(algorithm, table ? Worlds::tables : Worlds::simulated);
}

int default_warm_up(WorldRef world, const TrainSettings& settings) {
  constexpr int most = 200, share = 5;
  const Algorithm& algorithm = find_algorithm(settings.algorithm);
  const int own = default_settings(world, algorithm).warm_up;
  if (std::holds_alternative<const TabularWorld*>(world)) return own;
  if (algorithm.models(settings).empty() && settings.critic == CriticKind::none) return 0;
  return std::min({own, most, settings.updates / share});
}

Head action_head(const Agent& agent) {
  const Encoding& encoding = agent.encoding;
  if (encoding.continuous > 0) return SquashedGaussian{.F = encoding.continuous};
  return Factors{.F = encoding.F, .K = encoding.choices / encoding.F};
}

const Model* Agent::find(Role role) const {
  const int place = place_of(role);
  return place < 0 ? nullptr : &models[place].model;
}

int Agent::place_of(Role role) const {
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i].spec.role == role) return static_cast<int>(i);
  }
  return -1;
}

const TabularWorld& Agent::table() const {
  const auto* held = std::get_if<const TabularWorld*>(&world);
  if (held == nullptr) throw Error(name_of_world(world) + " has no table of states.");
  return **held;
}

const Simulator* Agent::simulator() const {
  const auto* held = std::get_if<const Simulator*>(&world);
  return held == nullptr ? nullptr : *held;
}

int Agent::start() const {
  return simulator() == nullptr ? table().s_0 : 0;
}

int Agent::final_states() const {
  return simulator() == nullptr ? table().S : cell_count(simulator()->spec());
}

Agent make_agent(WorldRef world, const TrainSettings& settings, std::optional<Scales> scales) {
  Agent agent;
  agent.world = world;
  agent.settings = settings;
  agent.algorithm = &find_algorithm(settings.algorithm);
  if (const Simulator* simulator = agent.simulator()) {
    require_fit(*simulator, settings, *agent.algorithm);
    agent.encoding = encode_simulator(*simulator, settings.actions);
    agent.scales = scales ? std::move(*scales)
                          : measure_scales(*simulator, static_cast<std::uint64_t>(settings.seed));
  } else {
    require_fit(agent.table(), settings, *agent.algorithm);
    EncodedTable encoded = encode_table(agent.table(), settings.encoding);
    agent.encoding = encoded.encoding;
    agent.codes = std::make_shared<const Codes>(std::move(encoded.codes));
  }
  agent.encoding.blind = agent.algorithm->blind;
  if (agent.algorithm->needs_coordinates && agent.encoding.d == 0) {
    fail_usage("The algorithm {} predicts coordinates, and {} has none; take transition.",
               agent.algorithm->name, name_of_world(world));
  }
  const ModelSpec policy{Role::pi_p, {.goal = agent.algorithm->policy_goal}, action_head};
  agent.models.push_back(make_model(policy, agent));
  for (const ModelSpec& spec : agent.algorithm->models(settings)) {
    agent.models.push_back(make_model(spec, agent));
  }
  if (settings.critic == CriticKind::belief && agent.find(Role::belief) == nullptr) {
    ModelSpec critic = belief_models(settings).front();
    // a critic of cells is not queried about actions, and continuous actions have no table
    if (agent.encoding.continuous > 0) critic.conditioning.action = false;
    critic.conditioning.goal = agent.algorithm->policy_goal;
    agent.models.push_back(make_model(critic, agent));
  }
  return agent;
}

std::string why_ignored(std::string_view setting, WorldRef world, const Algorithm& algorithm) {
  if (!algorithm.reads(setting)) {
    return fmt::format("the algorithm {} does not read it", algorithm.name);
  }
  const auto* table = std::get_if<const TabularWorld*>(&world);
  if ((setting == "critic" || setting == "td") && algorithm.counts_skills && table != nullptr) {
    return fmt::format("the algorithm {} has a critic in simulated worlds only", algorithm.name);
  }
  if (setting == "encoding" && table == nullptr) {
    return fmt::format("{} has no table of states to encode", name_of_world(world));
  }
  if (setting == "actions" && table != nullptr) {
    return fmt::format("{} has a table of moves, and no actuators", name_of_world(world));
  }
  if (setting == "gradient" && table == nullptr) {
    return fmt::format("the options of {} cannot be enumerated", name_of_world(world));
  }
  if (setting == "shards" && table == nullptr) {
    return fmt::format("shards of {} have 16 options", name_of_world(world));
  }
  if (setting.starts_with("alpha") && (table == nullptr || !(*table)->has_reward)) {
    return fmt::format("{} has no external reward", name_of_world(world));
  }
  return "";
}

namespace {

std::unique_ptr<SimulatorSampler> sampler_of(const Agent& agent, int threads) {
  auto sampler =
      std::make_unique<SimulatorSampler>(*agent.simulator(), agent.encoding, agent.scales, threads);
  if (agent.algorithm->sees_way) sampler->number_all_goals();
  return sampler;
}

}  // namespace

std::unique_ptr<Sampler> make_sampler(const Agent& agent, int threads) {
  if (agent.simulator() != nullptr) return sampler_of(agent, threads);
  return std::make_unique<TableSampler>(agent.table(), agent.encoding, agent.codes);
}

std::unique_ptr<Sampler> make_sampler(const Agent& agent) {
  return make_sampler(agent, agent.settings.threads);
}

std::unique_ptr<Sampler> make_training_sampler(const Agent& agent, int threads) {
  if (agent.settings.gradient == GradientKind::sampled) return make_sampler(agent, threads);
  return std::make_unique<TreeSampler>(agent.table(), agent.encoding, agent.codes);
}

std::unique_ptr<SimulatorSampler> make_simulator_sampler(const Agent& agent) {
  return sampler_of(agent, agent.settings.threads);
}

Actor policy_of(const Agent& agent) {
  return {agent.pi_p()};
}

std::optional<Actor> goal_policy_of(const Agent& agent, double temperature) {
  if (agent.algorithm->policy_goal != GoalKind::none) return Actor{agent.pi_p(), temperature};
  const int place = agent.place_of(Role::pi_q);
  if (place < 0) {
    const Model* belief = agent.find(Role::belief);
    if (belief == nullptr || (agent.simulator() != nullptr && !rewards_by_belief(agent))) {
      return std::nullopt;
    }
    return Actor{.policy = agent.pi_p(), .temperature = temperature, .belief = belief};
  }
  const AgentModel& pi_q = agent.models[place];
  return Actor{pi_q.model, temperature, agent.is_residual(pi_q.spec) ? &agent.pi_p() : nullptr};
}

int condition_for(const Agent& agent, int s_f) {
  // most algorithms condition on the goal itself
  if (agent.algorithm->policy_goal == GoalKind::none) return s_f;
  return agent.algorithm->objective->condition_for(agent, begin_option(agent), 0, s_f);
}

Batch begin_option(const Agent& agent) {
  Batch begun;
  make_sampler(agent, 1)->start(begun, std::vector<Beginning>{{.state = agent.start()}});
  return begun;
}

void sample_options(Batch& batch, const Agent& agent, Sampler& sampler, ActorWorkspace& work, int B,
                    RolloutAddress address) {
  std::vector<Beginning> beginnings;
  agent.algorithm->objective->begin(beginnings, agent, B, address);
  sampler.sample(batch, policy_of(agent), work, beginnings, address);
}

}  // namespace vic
