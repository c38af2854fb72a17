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
struct Leap {
  int from = 0, goal = 0;
  double moves = 0;  // on average
  struct End {
    int state;
    double p;
  };
  std::vector<End> ends;
};

// The options of a run, tried from everywhere.
struct LeapModel {
  std::vector<Leap> leaps;  // in the order of `from`
  std::vector<int> first;   // (S + 1) the leaps from each state
};

// Tries each option `tries` times; one is enough where neither the world nor the agent draws.
// Throws a UsageError where the run was trained from one start.
LeapModel try_options(Learner& learner, const ReachSettings& settings, int tries);

// The way to one destination.
struct Plan {
  int destination = 0;
  std::vector<double> moves;  // (S) expected until arrival; infinite where there is no way
  std::vector<int> leap;      // (S) the leap to take; -1 at the destination and where there is none
};

Plan plan_to(const LeapModel& model, int S, int destination);

// The world's own moves as leaps of one move each: plans over them have the fewest moves there are.
LeapModel single_moves(const TabularWorld& world);

// The fewest expected moves from every state to the destination; infinite where there is no way.
std::vector<double> fewest_moves(const TabularWorld& world, int destination);  // (S)

// A journey by a plan.
struct Journey {
  std::vector<int> states;  // all of them, s_0 first
  std::vector<int> stops;   // where options ended
  bool arrived = false;
};

// Follows a plan from s_0 with the real policy, for at most `options` of them.
Journey travel(Learner& learner, const Plan& plan, const LeapModel& model,
               const ReachSettings& settings, int options);

}  // namespace vic
