// Options as tools: pi_q is told where the option is to end, and executed.
#pragma once

#include <string>
#include <vector>

#include "base/settings.h"
#include "method/learner.h"

namespace vic {

struct ReachSettings {
  double temperature = 1;
  int histories = 300000;
  int options = 1000;
  int body_options = 128;
  int seed = 1;
  int chain = 10;
  int tries = 1;
  int practice = 0;
  double practice_rate = 1e-3;

  // Far from the addresses of training and of evaluation.
  std::uint64_t stream() const { return (std::uint64_t{3} << 32) + std::uint64_t(seed); }

  template <class Visitor>
  void visit(Visitor&& field) {
    field("temperature", temperature, Range{0, 100},
          "probabilities are raised to the power of 1 / temperature; 0: the likeliest action");
    field("histories", histories, Range{0, 20000000},
          "count exactly in worlds with at most this many histories");
    field("options", options, Range{1, 10000000}, "options to draw for each goal elsewhere");
    field("body_options", body_options, Range{1, 10000000},
          "options of a body to draw for each goal");
    field("seed", seed, Range{0, 2147483647}, "the randomness of what is drawn");
    field("chain", chain, Range{1, 1000000}, "options in a chain at most");
    field("tries", tries, Range{1, 10000},
          "how often the planner tries each option from each state; more where there is chance");
    field("practice", practice, Range{0, 1e9},
          "updates in which pi_q first practises to reach the goals");
    field("practice_rate", practice_rate, Range{1e-9, 1}, "step size of Adam in them");
  }
};

// "drawing actions as learned", for a report.
std::string how_executed(const ReachSettings& settings);

// How surely the options of a run end where they are sent.
struct Reach {
  bool exact = false;
  std::vector<int> goals;       // (G) the states in which an option can end
  std::vector<double> success;  // (G) probability of ending in the goal
  std::vector<double> low;      // (G) its 95 % interval: the number itself where it is exact
  std::vector<double> high;     // (G)
  std::vector<double> best;     // (G) the largest that any policy can have

  double mean() const;
  double best_mean() const;
  int worst() const;  // the goal that falls shortest of the best, as a place in `goals`
};

// One option that was sent to a goal.
struct Attempt {
  std::vector<int> states;   // s_0 first
  std::vector<int> actions;  // one fewer; the termination is not among them
  bool reached = false;
};

// What the learner offers to be executed: throws a UsageError where it has nothing that can be told
// a goal.
Actor require_goal_actor(Learner& learner, double temperature = 1);

// Lets the learner's goal policy practise on the goals in reach of s_0, as the settings say.
void practise(Learner& learner, const ReachSettings& settings);

// All goals in reach of s_0: exact where the histories can be enumerated, drawn elsewhere.
Reach reach_all(Learner& learner, const ReachSettings& settings);

// The goal alone.
Reach reach_goal(Learner& learner, int goal, const ReachSettings& settings);

// Option number `k` of those that are sent to the goal.
Attempt attempt(Learner& learner, int goal, const ReachSettings& settings, int k = 0);

// The state that a user means by a place. Throws a UsageError that tells a wall, a place outside of
// the map and a name that is unknown from each other.
int find_place(const TabularWorld& world, const std::string& text);

// The same for a place that one option is to reach, with a sentence where none can.
int find_goal(const TabularWorld& world, const std::string& text);

}  // namespace vic
