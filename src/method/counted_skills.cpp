#include "method/counted_skills.h"

#include <algorithm>
#include <cmath>

#include "method/normalise.h"
#include "method/scores.h"

namespace vic {

void CountedSkillObjective::score(Scores& scores, const Agent& agent,
                                  const ScoreInputs& inputs) const {
  SkillObjective::score(scores, agent, inputs);
  const double lambda = agent.algorithm->lambda_of(agent.settings) + inputs.more_lambda;
  const Batch& batch = inputs.batch;
  const EndFrequencies p(agent, inputs);
  RunningFrequencies own_by_skill;
  const RunningFrequencies* by_skill = inputs.by_skill;
  if (by_skill == nullptr) {
    own_by_skill = RunningFrequencies(agent.settings.skills, agent.final_states());
    own_by_skill.add(ends_of(batch), 0, &End::skill);
    by_skill = &own_by_skill;
  }
  for (int r = 0; r < batch.histories.rows(); ++r) {
    if (batch.ended[r] == 0) continue;
    const int skill = batch.goal[batch.histories.root[r]], c = batch.cell[r];
    const double given = by_skill->knows(skill) ? by_skill->p(skill, c) : 0;
    const double any = p(c);
    const double control =
        skill_control(any, given, options_of_skill(agent.settings, *by_skill, skill));
    scores.reward[r] = control + lambda * (-std::log(any) - control);
  }
}

double skill_decay(const TrainSettings& settings) {
  constexpr double remembered = 48;
  return std::max(0.0, 1 - settings.batch / (remembered * settings.skills));
}

double options_of_skill(const TrainSettings& settings, const RunningFrequencies& by_skill,
                        int skill) {
  return by_skill.weight[skill] * settings.batch / (1 - skill_decay(settings));
}

double skill_control(double p, double given, double n) {
  constexpr double added = 4;
  return std::log((n * given + added * p) / ((n + added) * p));
}

}  // namespace vic
