// Chains of options: each begins where the last one ended, and a planner chooses their goals.
//
// The options of a run that was trained from all starts are tried from every state, each skill or
// toward every goal reachable from it. The outcomes are a model: where an option ends, and how many
// moves it takes. Value iteration for shortest paths over this model yields the goals along the
// way.
#pragma once

#include <vector>

#include "eval/reach.h"

namespace vic {

// The outcome of an option that began in `from` and was conditioned on `goal`, a state or a skill.
struct OptionModelEntry {
  int from = 0, goal = 0;
  double moves = 0;  // on average
  struct End {
    int state;
    double p;
  };
  std::vector<End> ends;
};

// The options of a run, tried from every state.
struct OptionModel {
  std::vector<OptionModelEntry> entries;  // in the order of `from`
  std::vector<int> first;                 // (S + 1) the entries of each state
};

// Tries each option `tries` times; once is enough if neither the world nor the agent draws at
// random. Throws a UsageError if the run was trained from one start.
OptionModel try_options(const Agent& agent, const ReachSettings& settings, int tries);

// How to reach one destination.
struct Plan {
  int destination = 0;
  std::vector<double> moves;  // (S) expected until arrival; infinite if there is no way, or if it
                              // takes more than 100,000
  std::vector<int>
      option;  // (S) the entry to execute; -1 at the destination and where there is none
};

Plan plan_to(const OptionModel& model, int S, int destination, Stop stop = {});

// The world's own moves as options of one move each: plans over them take the fewest moves
// possible.
OptionModel single_moves(const TabularWorld& world);

// The fewest expected moves from every state to the destination; infinite if there is no way.
std::vector<double> fewest_moves(const TabularWorld& world, int destination);  // (S)

// A journey that follows a plan.
struct Journey {
  std::vector<int> states;  // all of them, s_0 first
  std::vector<int> stops;   // where options ended
  bool arrived = false;
};

// Follows a plan from s_0 with the agent's policy, for at most `options` options.
Journey travel(const Agent& agent, const Plan& plan, const OptionModel& model,
               const ReachSettings& settings, int options);

}  // namespace vic
