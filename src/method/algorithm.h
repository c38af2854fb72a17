// THE TABLE OF ALGORITHMS: what each has, needs and rewards. Parsing, help, training, checkpoints,
// evaluation and reports read it; no other code distinguishes algorithms. A new algorithm is an
// Objective in its own file and a row in algorithm.cpp.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "method/batch.h"
#include "model/model.h"

namespace vic {

struct Agent;
struct ModelScore;
struct Scores;
struct ScoreInputs;
struct TrainSettings;

// The models that an agent may have.
enum class Role { pi_p, pi_q, rho_p, rho_q, skill_discriminator, skill_prior, belief };
template <>
inline constexpr auto names_of<Role> =
    std::to_array<std::string_view>({"pi_p", "pi_q", "rho_p", "rho_q", "q", "prior", "b"});

// The head of a policy, over actions.
Head action_head(const Agent& agent);

// A model of an algorithm. It is residual if it can be and train.hindsight = residual.
struct ModelSpec {
  Role role;
  Conditioning conditioning;
  Head (*head)(const Agent& agent);  // what it predicts
  bool reads_all = false;            // every history: encoded while the batch is being sampled
  Role offset = Role::pi_p;          // whose logits a residual model is added to
  bool can_be_residual = false;      // a hindsight model
};

// How lambda weighs the transition terms of an algorithm's reward.
enum class LambdaRule {
  zero,     // control alone: D
  one,      // coverage: H
  setting,  // train.lambda: D + lambda N
  none,     // no such terms
};

// The intrinsic reward of an algorithm. An objective has no state; all state is the agent's.
class Objective {
 public:
  virtual ~Objective() = default;

  // Fills `beginnings` for B options from s_0, with the goals that pi_p is conditioned on.
  virtual void begin(std::vector<Beginning>& beginnings, const Agent& agent, int B,
                     RolloutAddress address) const;

  // Queries the agent's models about a batch, and sets the intrinsic reward of an option that
  // ended in each row. The activations of pi_p are in scores.policy.
  virtual void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const = 0;

  // Sets the weights of models besides pi_p that learn by the policy gradient, from the advantage
  // (R) of ending in each row. Most algorithms have no such models.
  virtual void set_advantages(Scores& scores, const Agent& agent, const Batch& batch,
                              std::span<const double> advantage) const;

  // The index on which the goal policy is conditioned to end in a goal of the batch `begun`, from
  // the state in which an option of it begins.
  virtual int condition_for(const Agent& agent, const Batch& begun, int option, int goal) const;
};

struct Algorithm {
  std::string_view name;  // as users write it
  std::string_view help;  // one line
  std::vector<ModelSpec> (*models)(
      const TrainSettings&);  // besides pi_p, in the checkpoint's order
  const Objective* objective;
  LambdaRule lambda;
  // the train.* settings that it reads besides the common ones
  std::vector<std::string_view> settings = {};
  // its defaults of train.* settings, where they differ from the common ones
  std::vector<std::pair<std::string_view, std::string_view>> defaults = {};
  // those that differ again in simulated worlds
  std::vector<std::pair<std::string_view, std::string_view>> simulator_defaults = {};
  GoalKind policy_goal = GoalKind::none;  // what pi_p is conditioned on
  bool blind = false;                     // pi_p sees s_0 and the actions, but no later state
  bool uniform = false;                   // pi_p is uniform and never learns
  bool sees_way = false;                  // a model is conditioned on the states before s_f too
  bool needs_table = false;               // the states of a table
  bool needs_coordinates = false;
  bool needs_reward = false;      // an external reward, with train.alpha > 0
  bool any_start = false;         // can learn from all starts at once
  int colour = 6;                 // number of its colour in reports
  bool first_choice = false;      // the default is the first such algorithm that fits the world
  bool rewards_surprise = false;  // its reward estimates -log p(s_f), option by option
  bool counts_skills = false;     // final states are counted for each skill

  // The weight of N in the objective D + lambda N; 0 where the objective is another one.
  double lambda_of(const TrainSettings& settings) const;

  bool reads(std::string_view setting) const;
};

// All of them. References stay valid.
const std::deque<Algorithm>& algorithms();

// Adds an algorithm, whose name, help and objective must outlive its use. To be called before any
// other thread reads the table. Throws a UsageError for a name that is taken.
void register_algorithm(Algorithm algorithm);

// An algorithm without models besides pi_p.
std::vector<ModelSpec> no_models(const TrainSettings&);

enum class Worlds { tables, simulated };

// The settings of an algorithm in such worlds, before a user changes them.
TrainSettings defaults_of(const Algorithm& algorithm, Worlds worlds = Worlds::tables);

// Throws a UsageError with the known names.
const Algorithm& find_algorithm(const std::string& name);

// The names of all algorithms, for help.
std::vector<std::string> algorithm_names();

}  // namespace vic
