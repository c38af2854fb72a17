// Reaching goals: pi_q is conditioned on where the option is to end, and executed.
#pragma once

#include <string>
#include <vector>

#include "base/settings.h"
#include "base/stop.h"
#include "eval/policy_table.h"
#include "method/learner.h"

namespace vic {

struct ReachSettings {
  double temperature = 1;
  int histories = 300000;
  int options = 1000;
  int simulated_options = 128;
  int survey = 1024;
  int seed = 1;
  int chain = 10;
  int tries = 1;
  int fine_tune = 0;
  double fine_tune_rate = 1e-3;
  bool replay = false;  // in a simulated world: repeat the actions of an option that ended there
  Stop stop = {};       // ends the work, which then throws Interrupted

  template <class Visitor>
  void visit(Visitor&& field) {
    field("temperature", temperature, Range{0, 100},
          "probabilities are raised to the power of 1 / temperature; 0: the likeliest action");
    field("histories", histories, Range{0, 20000000},
          "exact in worlds with at most this many histories");
    field("options", options, Range{1, 10000000},
          "options to sample for each goal in larger worlds");
    field("simulated_options", simulated_options, Range{1, 10000000},
          "options to sample for each goal of a simulated world");
    field("survey", survey, Range{100, 1e9},
          "options of a simulated world that are sampled without a goal, for goals and chance");
    field("seed", seed, Range{0, 2147483647}, "the randomness of the samples");
    field("chain", chain, Range{1, 1000000}, "options in a chain at most");
    field("tries", tries, Range{1, 10000},
          "how often the planner tries each option from each state; more where there is chance");
    field("fine_tune", fine_tune, Range{0, 1e9},
          "updates in which the goal policy is first fine-tuned to reach the goals");
    field("fine_tune_rate", fine_tune_rate, Range{1e-9, 1}, "step size of Adam in them");
  }
};

// "drawing actions as learned", for a report.
std::string how_executed(const ReachSettings& settings);

// How often the options of a run end in the goals that they are conditioned on.
struct Reach {
  bool exact = false;
  std::vector<int> goals;       // (G) the states in which an option can end
  std::vector<double> success;  // (G) probability of ending in the goal
  std::vector<double> low;      // (G) its 95 % interval: the number itself if it is exact
  std::vector<double> high;     // (G)
  std::vector<double> best;     // (G) the largest success of any policy

  double mean() const;
  double best_mean() const;
  int worst() const;  // index in `goals` of the one that falls shortest of the best
};

// One option that was conditioned on a goal.
struct Attempt {
  std::vector<int> states;   // s_0 first
  std::vector<int> actions;  // one fewer, without the termination
  bool reached = false;
};

// The agent's goal policy. Throws a UsageError if it has none.
Actor require_goal_policy(const Agent& agent, double temperature = 1);

// Throws a UsageError if the goal policy cannot be fine-tuned.
void require_fine_tuning(const Agent& agent);

// Fine-tunes the goal policy on the goals reachable from s_0, as the settings say. `step` is called
// after every update.
void fine_tune(Learner& learner, const ReachSettings& settings, const Step& step = {});

// Exact if given the tree of all histories, sampled otherwise. `step` is called before every goal.
Reach reach(const Agent& agent, std::vector<int> goals, const ReachSettings& settings,
            const std::optional<HistoryTree>& tree, const Step& step = {});

// All goals reachable from s_0, or a single one: exact if the histories can be enumerated.
Reach reach_all(const Agent& agent, const ReachSettings& settings, const Step& step = {});
Reach reach_goal(const Agent& agent, int goal, const ReachSettings& settings);

// Option number `k` of those conditioned on the goal.
Attempt attempt(const Agent& agent, int goal, const ReachSettings& settings, int k = 0);

// The state that a user's text names. Throws a UsageError that distinguishes a wall, a place
// outside the map, and an unknown name.
int find_place(const TabularWorld& world, const std::string& text);

// The same for a place that an option is to end in. Throws a UsageError if no option can.
int find_goal(const TabularWorld& world, const std::string& text);

}  // namespace vic
