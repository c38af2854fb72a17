// An agent: a world, settings and weights. It is a value, and const while it is evaluated; several
// threads may evaluate one.
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "method/algorithm.h"
#include "method/sampler.h"
#include "method/settings.h"
#include "method/simulator_sampler.h"

namespace vic {

// The world of an agent, a table or a simulator. It must outlive the agent.
using WorldRef = std::variant<const TabularWorld*, const Simulator*>;

struct AgentModel {
  ModelSpec spec;
  Model model;
};

struct Agent {
  WorldRef world;
  TrainSettings settings;
  const Algorithm* algorithm = nullptr;
  Encoding encoding;
  std::shared_ptr<const Codes> codes;  // of a table's states; null where states are simulated
  Scales scales;                       // of simulated states
  std::vector<AgentModel> models;      // pi_p first, the others in the algorithm's order

  const Model& pi_p() const { return models.front().model; }

  // The model of a role, and its place in `models`; null and -1 where the algorithm has none.
  const Model* find(Role role) const;
  int place_of(Role role) const;

  // Whether the logits of a hindsight model are added to those of another model.
  bool is_residual(const ModelSpec& spec) const {
    return spec.can_be_residual && settings.hindsight == HindsightForm::residual;
  }

  // The world. table() throws an Error where it is simulated, simulator() is null for a table.
  const TabularWorld& table() const;
  const Simulator* simulator() const;

  int start() const;         // the number of s_0
  int final_states() const;  // the number of bins that count final states: states or cells
};

// The agent before its first update. Throws a UsageError for settings that do not fit the world.
// Scales that are not given are measured.
Agent make_agent(WorldRef world, const TrainSettings& settings, std::optional<Scales> scales = {});

// The algorithm for a world where none is named.
const Algorithm& default_algorithm(WorldRef world);

// The settings of an algorithm in a world, before a user changes them.
TrainSettings default_settings(WorldRef world, const Algorithm& algorithm);

// The length of the warm-up where the user sets none. In a simulated world, where an update takes a
// tenth of a second or more: a fifth of the policy's updates, 200 at most, and none where only the
// policy learns.
int default_warm_up(WorldRef world, const TrainSettings& settings);

// Why a train.* setting is ignored in this world by this algorithm; "" where it is read.
std::string why_ignored(std::string_view setting, WorldRef world, const Algorithm& algorithm);

// A sampler for the agent's world. That of a simulated world can be given goals.
std::unique_ptr<Sampler> make_sampler(const Agent& agent);
std::unique_ptr<SimulatorSampler> make_simulator_sampler(const Agent& agent);

// The same with a number of threads other than the settings'.
std::unique_ptr<Sampler> make_sampler(const Agent& agent, int threads);

// The sampler of updates: of sampled options, or of all options where train.gradient is exact.
std::unique_ptr<Sampler> make_training_sampler(const Agent& agent, int threads);

// pi_p as an actor.
Actor policy_of(const Agent& agent);

// The policy that can be conditioned on a goal, if the algorithm has one.
std::optional<Actor> goal_policy_of(const Agent& agent, double temperature = 1);

// The index on which that policy is conditioned to end in s_f, a state of a table.
int condition_for(const Agent& agent, int s_f);

// A batch whose only row is s_0, for queries about it.
Batch begin_option(const Agent& agent);

// Samples B options of pi_p from s_0.
void sample_options(Batch& batch, const Agent& agent, Sampler& sampler, ActorWorkspace& work, int B,
                    RolloutAddress address);

}  // namespace vic
