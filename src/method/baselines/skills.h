// Explicit skills: indices on which the policy is conditioned.
//
//   explicit  Gregor et al. (2016): Omega ~ p(Omega), the policy is conditioned on it, and q
//             recognises it by where the option ended; r = log q(Omega | s_0, s_f) - log p(Omega)
//   diayn     Eysenbach et al. (2018): q recognises it by every state on the way;
//             r = sum_t [log q(Omega | s_0, s_t) - log p(Omega)]
//
// Their information is at most the logarithm of the number of skills. Here q and a learned prior
// are the same sequence model as all others, queried about the history (s_0).
#pragma once

#include <vector>

#include "method/algorithm.h"

namespace vic {

class SkillObjective : public Objective {
 public:
  // What the discriminator q sees of an option.
  enum class Sees { final_state, every_state };

  explicit SkillObjective(Sees sees) : sees_(sees) {}

  // A skill for each option, drawn from the prior; in a table equal ones are adjacent.
  void begin(std::vector<Beginning>& beginnings, const Agent& agent, int B,
             RolloutAddress address) const override;

  void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const override;

  // The weights of a learned prior.
  void set_advantages(Scores& scores, const Agent& agent, const Batch& batch,
                      std::span<const double> advantage) const override;

  // The skill that is most likely by q, given the goal as the final state.
  int condition_for(const Agent& agent, const Batch& begun, int option, int goal) const override;

 private:
  void query_discriminator(ModelScore& own, std::vector<int>& target_of, const Agent& agent,
                           const Batch& batch) const;

  Sees sees_;
};

// q, and the prior if it is learned.
std::vector<ModelSpec> skill_models(const TrainSettings& settings);

// p(Omega), (skills).
std::vector<double> skill_prior(const Agent& agent);

}  // namespace vic
