// The metrics of an update, a line of metrics.jsonl.
#pragma once

#include <optional>

#include "method/shard.h"

namespace vic {

// Means are over the options of the batch.
struct Metrics {
  long update = 0;       // updates so far, the warm-up included
  double reward = 0;     // mean reward, external part and entropy bonus included
  double external = 0;   // mean external reward
  double intrinsic = 0;  // mean reward without external part and entropy bonus
  double bonus = 0;      // mean entropy bonus
  double baseline = 0;   // b(s_0), the mean over the starts
  double length = 0;     // mean number of actions
  double I_hat = 0;      // entropy of the running p(s_f), the paper's estimate
  double loss_pi_q = 0;  // mean -log pi_q of an option, or -log q of its skill; likewise below
  double loss_rho_p = 0;
  double loss_rho_q = 0;
  std::optional<double> loss_b = {};  // only of agents that have b
  std::optional<double> critic = {};  // of a critic: its correlation with the received reward

  template <class Visitor>
  void visit(Visitor&& field) {
    field("update", update);
    field("reward", reward);
    field("external", external);
    field("intrinsic", intrinsic);
    field("bonus", bonus);
    field("baseline", baseline);
    field("length", length);
    field("I_hat", I_hat);
    field("loss_pi_q", loss_pi_q);
    field("loss_rho_p", loss_rho_p);
    field("loss_rho_q", loss_rho_q);
    if (loss_b) field("loss_b", *loss_b);
    if (critic) field("critic", *critic);
  }
};

// The metrics that follow from the means of an update; the learner sets the others.
Metrics metrics_of(const Means& means, const Agent& agent, bool has_critic);

}  // namespace vic
