// Explicit skills that are recognised by running counts of where they end, and not by a net:
//
//   control = log p(s_f | Omega) - log p(s_f) = log p(Omega | s_f) - log p(Omega)
//   r       = control + lambda (-log p(s_f) - control)
//
// With lambda = 0 the objective is I(Omega; s_f), what a skill decides; with lambda = 1 it is the
// coverage of all skills together. p(s_f | Omega) is counted in the batches before: in its own
// batch each option would find itself. The discriminator of explicit skills learns beside it, to
// choose the skill for a goal.
#pragma once

#include "method/baselines/skills.h"

namespace vic {

class CountedSkillObjective : public SkillObjective {
 public:
  CountedSkillObjective() : SkillObjective(Sees::final_state) {}

  void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const override;
};

// The decay of the counts by skill: they remember some 48 options of each.
double skill_decay(const TrainSettings& settings);

// The number of options of a skill in the counts.
double options_of_skill(const TrainSettings& settings, const RunningFrequencies& by_skill,
                        int skill);

// log p(s_f | Omega) - log p(s_f), where `given` is the frequency of s_f among n options of the
// skill: a few options of p(s_f) are added to them.
double skill_control(double p, double given, double n);

}  // namespace vic
