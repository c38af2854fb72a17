// An agent: a world, settings, and the weights that training has brought about. It is a value, and
// constant while it is measured; several threads may measure one.
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

// The world that an agent lives in: a table, or a simulator. It must outlive the agent.
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

  // The logits of a hindsight model are added to those of another one.
  bool is_residual(const ModelSpec& spec) const {
    return spec.can_be_residual && settings.hindsight == HindsightForm::residual;
  }

  // The world, where it has a table. Throws an Error where it has none.
  const TabularWorld& table() const;
  const Simulator* simulator() const;

  int start() const;         // the number of s_0
  int final_states() const;  // what final states are counted by: states, or cells
};

// The agent before its first update. Throws a UsageError for settings that do not fit the world.
// Where `scales` are not given they are measured.
Agent make_agent(WorldRef world, const TrainSettings& settings, std::optional<Scales> scales = {});

// The algorithm of a world where none is named.
const Algorithm& default_algorithm(WorldRef world);

// Updates of the warm-up where the user set the rest, and not them. Those of a simulated world take
// a tenth of a second and more: a fifth of the policy's own, 200 at most, and none where nothing
// but the policy learns.
int default_warm_up(WorldRef world, const TrainSettings& settings);

// Why a train.* setting is ignored in this world by this algorithm; "" where it is read.
std::string why_ignored(std::string_view setting, WorldRef world, const Algorithm& algorithm);

// A sampler for the agent's world. That of a simulated world can be given goals.
std::unique_ptr<Sampler> make_sampler(const Agent& agent);
std::unique_ptr<SimulatorSampler> make_simulator_sampler(const Agent& agent);

// The same on other threads than the settings say.
std::unique_ptr<Sampler> make_sampler(const Agent& agent, int threads);

// What updates learn from: sampled options, or all of them where train.gradient is exact.
std::unique_ptr<Sampler> make_training_sampler(const Agent& agent, int threads);

// pi_p as it is.
Actor policy_of(const Agent& agent);

// The policy that can be sent to a goal; nothing where the algorithm has none.
std::optional<Actor> goal_policy_of(const Agent& agent, double temperature = 1);

// What that policy is conditioned on to end in a state of a table.
int condition_for(const Agent& agent, int s_f);

// An option that has just begun: s_0 in the only row of a batch, for queries about it.
Batch begin_option(const Agent& agent);

// Samples B options of pi_p from s_0.
void sample_options(Batch& batch, const Agent& agent, Sampler& sampler, ActorWorkspace& work, int B,
                    RolloutAddress address);

}  // namespace vic
