// Options of a simulated world as tools. No state can be named there: a goal is a point, and an
// option reaches it that ends close by.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "eval/reach.h"
#include "info/interval.h"

namespace vic {

// Where an option is to end, in metres and turns from the start. What is not said does
// not matter.
struct PointGoal {
  std::optional<double> distance, turns;
};

// The goal of a text like "distance=3,turns=-1". Throws a UsageError.
PointGoal parse_point_goal(const std::string& text);

// Whether an option that went this way ended close enough: within half of world.bin, and within
// half of world.pitch_bin or, where that is 0, with as many full turns.
bool is_close(const PhysicsWorld& world, const PointGoal& goal, Way way);

// Options of pi_p, which is conditioned on no goal: free options.
struct Unconditioned {
  std::vector<std::vector<double>> options;  // the states (T + 1, n) of each
  std::vector<Way> ways;
};

// Options that were conditioned on where to end.
struct Conditioned {
  std::vector<Way> ways;
  std::vector<double> first;  // the states (T + 1, n) of the first of them
};

// How many of them arrived.
struct Success {
  double share = 0;
  Interval in{};  // 95 %; where actions are not drawn, one option is all, and the share is exact
};

struct PointReach {
  std::size_t closest = 0;  // of the free options
  double chance = 0;        // the share of the free options that are close enough

  // where the run has a goal policy
  std::optional<Conditioned> sent;
  Success success;
  double distance_error = 0, turns_error = 0;  // means of the sent options
};

// The cells that the free options end in, a cell as the method takes it.
struct CellReach {
  struct Goal {
    BehaviourCell cell;
    double chance = 0;  // the share of the free options that end there
    Success success;    // of options that are conditioned on it
  };
  std::vector<Goal> goals;  // by their turns, then by their places

  double mean() const;  // of success, uniformly over the cells
};

// The same, a cell as often as free options end there.
struct OwnReach {
  Success success;    // options conditioned on where a free one ended, that end in its cell
  double chance = 0;  // the probability that two free options end in the same cell
};

// Called with how many of all goals, or updates of fine-tuning, are done.
using ReachProgress = std::function<void(int done, int all)>;

Unconditioned sample_unconditioned(const Agent& agent, const ReachSettings& settings, int options);

// Fine-tunes the goal policy on the cells that free options end in, as the settings say. Throws a
// UsageError where there is none; so do those below that need one.
void fine_tune(Learner& learner, const Unconditioned& free, const ReachSettings& settings,
               const ReachProgress& progress = {});

// Sends options to a point: to the cell in which most of the free options end that are close
// enough, or to the closest end where none is.
PointReach reach_point(const Agent& agent, const Unconditioned& free, const PointGoal& goal,
                       const ReachSettings& settings);

// Sends options to every cell.
CellReach reach_cells(const Agent& agent, const Unconditioned& free, const ReachSettings& settings,
                      const ReachProgress& progress = {});

// Sends an option to the end of each of these, (T + 1, n) states each, which are free options.
OwnReach reach_own(const Agent& agent, const std::vector<std::vector<double>>& options,
                   const ReachSettings& settings);

}  // namespace vic
