// Options in simulated worlds that are sent to where others ended: without a goal first, and then
// conditioned on one of their final states.
#pragma once

#include <span>
#include <vector>

#include "eval/reach.h"

namespace vic {

// Options of pi_p, which is conditioned on no goal. Where options of a skill are all alike, these
// are those of the skills, each once.
struct Unconditioned {
  std::vector<std::vector<double>> options;  // the states (T + 1, n) of each
  std::vector<Displacement> ends;            // (options)
  std::vector<std::vector<double>> actions;  // (options) the levels or pushes (T, F) of each
  bool of_skills = false;                    // option i is that of skill i
};

// Options of a policy that is conditioned on a goal.
struct Conditioned {
  std::vector<Displacement> ends;  // (options)
  std::vector<double> first;       // the states (T + 1, n) of the first of them
};

// Whether an option always does the same: actions are not drawn, and nothing else is left to
// chance.
bool options_repeat(const SimulatorSpec& spec, const ReachSettings& settings);

Unconditioned sample_unconditioned(const Agent& agent, const ReachSettings& settings);

// Options conditioned on where an unconditioned one ended; a single one if they repeat themselves.
// Those of skills have the skill that is most likely by q or, if they repeat themselves, the one
// that was seen to end there. If settings.replay is set, they take the actions of that option
// instead.
Conditioned sample_conditioned(const Agent& agent, const Unconditioned& unconditioned,
                               std::size_t option, const ReachSettings& settings);

// Options conditioned on a final state each, (count, n).
Conditioned sample_conditioned(const Agent& agent, std::span<const double> s_f, int count,
                               const ReachSettings& settings);

// The final state (n) of an option's states (T + 1, n).
std::span<const double> end_of(const SimulatorSpec& spec, const std::vector<double>& states);

}  // namespace vic
