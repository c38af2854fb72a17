// The settings of training. The paper's hyper-parameters are the defaults; what it does not state
// is marked (ours) in docs/method.md.
#pragma once

#include <string>

#include "base/settings.h"

namespace vic {

enum class Algorithm {
  implicit,    // Gregor's implicit VIC: reward log pi_q - log pi_p
  transition,  // Algorithm 1: + lambda (log rho_q - log rho_p), softmax over states
  mixture,     // Algorithm 2: the same with Gaussian mixtures over steps
  marginal,    // reward -log p(s_f) from running counts, no hindsight models
  reward,      // the external reward alone: the paper's random agent
  labels,      // explicit options, Gregor's or those of DIAYN: method/labels.h
  open_loop,   // Mohamed & Rezende (2015): implicit VIC that does not look where it is
};

// Throws a UsageError with the known names.
Algorithm parse_algorithm(const std::string& name);

struct TrainSettings {
  std::string algorithm = "transition";
  int seed = 1;
  int updates = 4000;
  int warm_up = 2000;
  int batch = 128;
  std::string starts = "one";
  int options = 16;
  std::string prior = "uniform";
  int hidden = 64;
  std::string encoding = "axes";
  std::string hindsight = "apart";
  double persistence = 0;
  double learning_rate = 1e-3;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double final_rate = 0.1;
  double policy_rate = 0;
  double lambda = 1;
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
  int threads = 1;

  // The warm-up and the updates of the policy.
  long all_updates() const { return long{warm_up} + updates; }

  // pi_q and rho_q learn the difference to pi_p and rho_p.
  bool corrects() const { return hindsight == "correction"; }

  template <class Visitor>
  void visit(Visitor&& field) {
    field("algorithm", algorithm, Range{},
          "implicit, transition, mixture, marginal, reward, explicit, diayn or open-loop");
    field("seed", seed, Range{0, 2147483647}, "all randomness of a run comes from it");
    field("updates", updates, Range{1, 1e9}, "updates of the policy");
    field("warm_up", warm_up, Range{0, 1e9}, "updates before them that train all but the policy");
    field("batch", batch, Range{1, 65536}, "options an update");
    field("starts", starts, Range{},
          "one: options begin in world.start; all: in every state that does not absorb, alike");
    field("options", options, Range{2, 4096}, "how many options explicit and diayn have");
    field("prior", prior, Range{}, "how they choose one: uniform or learned");
    field("hidden", hidden, Range{8, 1024}, "units of the LSTMs and heads, a multiple of 8");
    field("encoding", encoding, Range{},
          "how states enter the nets: onehot, coords, axes or relative");
    field("hindsight", hindsight, Range{},
          "apart: pi_q and rho_q by themselves; correction: what they add to pi_p and rho_p");
    field("persistence", persistence, Range{0, 100},
          "how much a policy begins by preferring what it did last, in nats");
    field("learning_rate", learning_rate, Range{1e-9, 1}, "step size of Adam");
    field("beta_1", beta_1, Range{0, 0.9999999}, "Adam's memory of the gradient");
    field("beta_2", beta_2, Range{0, 0.9999999}, "Adam's memory of its square");
    field("final_rate", final_rate, Range{0, 1},
          "share of the learning rate that is left at the last update; it falls linearly");
    field("policy_rate", policy_rate, Range{0, 1},
          "step size of the policy's own Adam; 0: learning_rate");
    field("lambda", lambda, Range{0, 10}, "weight of the transition terms in the reward");
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
    field("T_smooth", T_smooth, Range{1, 65536}, "noise samples a transition");
    field("nodes", nodes, Range{0, 64}, "Gauss-Hermite nodes an axis in their place; 0: samples");
    field("baseline_rate", baseline_rate, Range{1e-6, 1}, "how fast b(s_0) follows the reward");
    field("threads", threads, Range{1, 64}, "threads of an update; the result is the same");
    field("count_decay", count_decay, Range{0, 0.999999},
          "memory of the p(s_f) that marginal rewards by");
  }
};

}  // namespace vic
