// Evaluation in simulated worlds: options drawn from a policy, and what they did.
#pragma once

#include <vector>

#include "eval/evaluate.h"
#include "sim/survey.h"

namespace vic {

// Called with each batch that is sampled.
using BatchVisitor = std::function<void(const Batch& batch)>;

// The row in which each option of a simulated batch ended, (B).
std::vector<int> end_rows(const Batch& batch);

// The states (T + 1, n) of the option that ended in a row: one that fell before its T-th action
// stays where it fell.
std::vector<double> states_of(const SimulatorSpec& spec, const Batch& batch, int row);

// The states (T + 1, n) of options of the agent's policy, the start first. Its world must be
// simulated. Throws what `step` throws.
std::vector<std::vector<double>> sample_states(const Agent& agent, int options, int seed,
                                               const Step& step, const BatchVisitor& visit = {});

// The same of each skill once, with its likeliest actions: for a policy that is conditioned on
// skills.
std::vector<std::vector<double>> skill_states(const Agent& agent, const Step& step,
                                              const BatchVisitor& visit = {});

// A survey of what the options did.
Survey survey_of(const Simulator& world, const std::vector<std::vector<double>>& options);

// A copy of the agent whose reward is the control part alone, with the same models.
Agent control_part(const Agent& agent);

// Evaluates a policy in a simulated world: a survey of its options, their H, the part of H that the
// agent's models can steer, the calibration of the reward, and how often the goal policy ends where
// these options did.
void evaluate_simulated(Evaluation& evaluation, const Learner& learner,
                        const EvalSettings& settings, EvaluationParts& parts);

}  // namespace vic
