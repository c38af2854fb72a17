// Chains of options: each begins where the last one ended, and a planner chooses their goals.
//
// The options of a run that was trained from all starts are tried from every state toward every
// goal in reach of it. What came of that is a model: where an option ends, and how many moves it
// takes. A shortest-path programme over the model, by value iteration, finds the goals to go by.
#pragma once

#include <vector>

#include "eval/reach.h"

namespace vic {

// What became of an option that began in `from` and was sent to `goal`.
struct OptionModelEntry {
  int from = 0, goal = 0;
  double moves = 0;  // on average
  struct End {
    int state;
    double p;
  };
  std::vector<End> ends;
};

// The options of a run, tried from everywhere.
struct OptionModel {
  std::vector<OptionModelEntry> entries;  // in the order of `from`
  std::vector<int> first;                 // (S + 1) the entries of each state
};

// Tries each option `tries` times; one is enough where neither the world nor the agent draws.
// Throws a UsageError where the run was trained from one start.
OptionModel try_options(const Agent& agent, const ReachSettings& settings, int tries);

// The way to one destination.
struct Plan {
  int destination = 0;
  std::vector<double> moves;  // (S) expected until arrival; infinite where there is no way
  std::vector<int>
      option;  // (S) the entry to execute; -1 at the destination and where there is none
};

Plan plan_to(const OptionModel& model, int S, int destination);

// The world's own moves as leaps of one move each: plans over them have the fewest moves there are.
OptionModel single_moves(const TabularWorld& world);

// The fewest expected moves from every state to the destination; infinite where there is no way.
std::vector<double> fewest_moves(const TabularWorld& world, int destination);  // (S)

// A journey by a plan.
struct Journey {
  std::vector<int> states;  // all of them, s_0 first
  std::vector<int> stops;   // where options ended
  bool arrived = false;
};

// Follows a plan from s_0 with the real policy, for at most `options` of them.
Journey travel(const Agent& agent, const Plan& plan, const OptionModel& model,
               const ReachSettings& settings, int options);

}  // namespace vic
