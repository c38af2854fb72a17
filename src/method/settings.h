// The settings of training. The paper's hyper-parameters are the defaults; what it does not state
// is marked (ours) in docs/method.md.
#pragma once

#include <string>

#include "base/settings.h"
#include "model/encoding.h"

namespace vic {

// Where options begin: in world.start, or in every state that is not absorbing.
enum class Starts { one, all };
template <>
inline constexpr auto names_of<Starts> = std::to_array<std::string_view>({"one", "all"});

// How explicit skills are drawn.
enum class SkillPrior { uniform, learned };
template <>
inline constexpr auto names_of<SkillPrior> = std::to_array<std::string_view>({"uniform",
                                                                              "learned"});

// Whether pi_q and rho_q are separate models, or their logits are added to those of pi_p and rho_p.
enum class HindsightForm { separate, residual };
template <>
inline constexpr auto names_of<HindsightForm> = std::to_array<std::string_view>({"separate",
                                                                                 "residual"});

// The baseline of advantages: b(s_0), or the reward expected in each history.
enum class CriticKind { none, belief };
template <>
inline constexpr auto names_of<CriticKind> = std::to_array<std::string_view>({"none", "belief"});

// The denominator in the reward of hindsight models: the policy and the transition model, or the
// hindsight models themselves, averaged over goals.
enum class Normalise { none, goals };
template <>
inline constexpr auto names_of<Normalise> = std::to_array<std::string_view>({"none", "goals"});

// What an update averages over: a batch of options, or all options by their probabilities.
enum class GradientKind { sampled, exact };
template <>
inline constexpr auto names_of<GradientKind> = std::to_array<std::string_view>({"sampled",
                                                                                "exact"});

// What a policy chooses for each actuator: one of its levels, or any control in its range.
enum class ActionKind { levels, gaussian };
template <>
inline constexpr auto names_of<ActionKind> = std::to_array<std::string_view>({"levels",
                                                                              "gaussian"});

struct TrainSettings {
  std::string algorithm = "transition";
  int seed = 1;
  int updates = 4000;
  int warm_up = 2000;
  int batch = 128;
  GradientKind gradient = GradientKind::sampled;
  Starts starts = Starts::one;
  int skills = 16;
  SkillPrior prior = SkillPrior::uniform;
  int hidden = 64;
  StateCode encoding = StateCode::axes;
  HindsightForm hindsight = HindsightForm::separate;
  ActionKind actions = ActionKind::levels;
  double sticky_action_logit = 0;
  double learning_rate = 1e-3;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double final_rate = 0.1;
  double policy_rate = 0;
  double lambda = 1;
  double lambda_first = 1;
  int lambda_start = 0;
  int lambda_ramp = 0;
  double alpha = 0;
  int alpha_start = 0;
  int alpha_ramp = 0;
  double entropy_bonus = 0;
  int entropy_end = 0;
  int n_gmm = 10;
  double sigma = 0.25;
  int T_smooth = 128;
  int nodes = 0;
  double baseline_rate = 0.05;
  double count_decay = 0.8;
  CriticKind critic = CriticKind::none;
  double td = 1;
  Normalise normalise = Normalise::none;
  int goals = 32;
  int epochs = 1;
  int minibatches = 1;
  double clip = 0.2;
  int threads = 1;
  int shards = 1;

  // Those of the warm-up and of the policy.
  long all_updates() const { return long{warm_up} + updates; }

  template <class Visitor>
  void visit(Visitor&& field) {
    field("algorithm", algorithm, Range{}, "what is learned: one of the names of --algorithm");
    field("seed", seed, Range{0, 2147483647}, "all randomness of a run comes from it");
    field("updates", updates, Range{1, 1e9}, "updates of the policy");
    field("warm_up", warm_up, Range{0, 1e9},
          "updates before them that train all but the policy; of a simulated world, unless set, a "
          "fifth of them, 200 at most, and none where only the policy learns");
    field("batch", batch, Range{1, 65536}, "options per update");
    field("gradient", gradient, Range{},
          "sampled: updates learn from a batch; exact: from all options, by their probabilities");
    field("starts", starts, Range{},
          "one: options begin in world.start; all: uniformly in every state that does not absorb");
    field("skills", skills, Range{2, 4096}, "how many skills explicit and diayn have");
    field("prior", prior, Range{}, "the distribution that skills are drawn from");
    field("hidden", hidden, Range{8, 1024}, "units of the LSTMs and heads, a multiple of 8");
    field("encoding", encoding, Range{}, "how the states of a table enter the nets");
    field("hindsight", hindsight, Range{},
          "separate: pi_q and rho_q are models of their own; residual: corrections of pi_p and "
          "rho_p");
    field("actions", actions, Range{},
          "levels: actuators take one of world.levels; gaussian: any control in their range");
    field("sticky_action_logit", sticky_action_logit, Range{0, 100},
          "the initial logit of repeating the last action");
    field("learning_rate", learning_rate, Range{1e-9, 1}, "step size of Adam");
    field("beta_1", beta_1, Range{0, 0.9999999}, "Adam's decay of the mean gradient");
    field("beta_2", beta_2, Range{0, 0.9999999}, "Adam's decay of the mean square");
    field("final_rate", final_rate, Range{0, 1},
          "share of the learning rate that is left at the last update; it falls linearly");
    field("policy_rate", policy_rate, Range{0, 1},
          "step size of the policy's own Adam; 0: learning_rate");
    field("lambda", lambda, Range{0, 10}, "weight of the transition terms in the reward");
    field("lambda_first", lambda_first, Range{0, 10}, "what lambda is until lambda_start");
    field("lambda_start", lambda_start, Range{0, 1e9},
          "updates of the policy before lambda leaves lambda_first");
    field("lambda_ramp", lambda_ramp, Range{0, 1e9},
          "updates of the policy in which it then comes to its value, linearly; 0: at once");
    field("alpha", alpha, Range{0, 1e6}, "weight of the external reward");
    field("alpha_start", alpha_start, Range{0, 1e9}, "updates of the policy before alpha acts");
    field("alpha_ramp", alpha_ramp, Range{0, 1e9},
          "updates of the policy in which it then rises from 0, linearly");
    field("entropy_bonus", entropy_bonus, Range{0, 1e6},
          "weight of -log pi_p, the entropy of what is decided, in the reward");
    field("entropy_end", entropy_end, Range{0, 1e9},
          "updates of the policy in which it falls to 0, linearly; 0: it stays");
    field("n_gmm", n_gmm, Range{1, 256}, "components of a mixture");
    field("sigma", sigma, Range{1e-3, 1e3}, "width of the components and of the smoothing");
    field("T_smooth", T_smooth, Range{8, 65536}, "noise samples per transition, a multiple of 8");
    field("nodes", nodes, Range{0, 64},
          "Gauss-Hermite nodes per axis in place of noise samples; 0: samples");
    field("baseline_rate", baseline_rate, Range{1e-6, 1}, "how fast b(s_0) follows the reward");
    field("critic", critic, Range{},
          "none: advantages are r - b(s_0); belief: b(s_f | tau) says what was to be expected");
    field("td", td, Range{0, 1},
          "TD(td): 1 takes the reward that came, 0 what the critic expects after each decision");
    field("normalise", normalise, Range{},
          "none: log q - log p of two models; goals: log f(s_f) - log of the mean of f over goals");
    field("goals", goals, Range{2, 4096}, "how many goals that mean is taken over, at most");
    field("epochs", epochs, Range{1, 100}, "how often each option of a batch is learned from");
    field("minibatches", minibatches, Range{1, 4096},
          "parts of a simulated batch; each is a gradient step");
    field("clip", clip, Range{1e-3, 10},
          "how far steps after the first move the probability of what was decided, as a share");
    field("threads", threads, Range{1, 64}, "threads per update; the result is the same");
    field("shards", shards, Range{1, 64},
          "parts of a table's batch that threads take; options of different parts share nothing");
    field("count_decay", count_decay, Range{0, 0.999999},
          "decay of the running estimate of p(s_f) that rewards and critics read");
  }
};

}  // namespace vic
