// Reaching goals in simulated worlds. States have no names there: a goal is a point, and an option
// reaches it by ending close to it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "eval/sent_options.h"
#include "info/entropy.h"

namespace vic {

// Where an option is to end, (K) coordinates relative to the start. Those not given do not matter.
using PointGoal = std::vector<std::optional<double>>;

// The goal of a text like "distance=3,turns=-1". Throws a UsageError.
PointGoal parse_point_goal(const SimulatorSpec& spec, const std::string& text);

// Whether an option that ended there is close enough in each coordinate of the goal: within half a
// bin of the method or, where bins count full units, in the same bin.
bool is_close(const SimulatorSpec& spec, const PointGoal& goal, const Displacement& end);

// The distance of an end from a goal, in bins of the coordinate in which it is farthest.
double miss(const SimulatorSpec& spec, const PointGoal& goal, const Displacement& end);

// The share of them that arrived.
struct Success {
  double share = 0;
  Interval in{};  // 95 %; if options repeat themselves there is one, and the share is exact
};

struct PointReach {
  std::size_t closest = 0;  // of the unconditioned options
  double chance = 0;        // the share of the unconditioned options that are close enough

  // set if the run has a policy that can be conditioned on a goal
  std::optional<Conditioned> conditioned;
  Success success;
  std::vector<double> error;  // (K) means over these options; 0 in coordinates that the goal lacks
};

// The cells that unconditioned options end in, as the method counts them.
struct CellReach {
  struct Goal {
    StateCell cell;
    double chance = 0;  // the share of the unconditioned options that end there
    Success success;    // of options that are conditioned on it
  };
  std::vector<Goal> goals;  // sorted by the last coordinate, then by the one before it, …

  double mean() const;  // of success, over cells with equal weights
};

// Whether this is the cell of options that fell, which has no place.
bool is_fall(const SimulatorSpec& spec, const StateCell& cell);

// The goals of a ring around the start, and means over them with equal weights.
struct RingReach {
  double from = 0, to = 0;  // distances, in the unit of the first coordinate
  int goals = 0;
  double chance = 0, success = 0;
};

// Success by distance: of a cell's middle from the start, over all coordinates that have the unit
// of the first one. Falls are left out.
std::vector<RingReach> rings_of(const SimulatorSpec& spec, const CellReach& reach);

// Success over cells, each weighted by how often unconditioned options end in it.
struct OwnReach {
  Success success;  // options that end in the cell of an unconditioned one, conditioned on its end
  double chance = 0;  // the probability that two unconditioned options end in the same cell
};

// Fine-tunes the goal policy on the cells that unconditioned options end in, as the settings say.
// Throws a UsageError if there is no goal policy, as do the functions below that need one.
void fine_tune(Learner& learner, const Unconditioned& unconditioned, const ReachSettings& settings,
               const Step& step = {});

// If settings.replay is set, the functions below do not condition a policy: they repeat the actions
// of an unconditioned option that ended in the goal, whatever is observed on the way. That samples
// from p(Omega | s_f) itself.

// Conditions options on a point: on the cell in which most of the close enough unconditioned
// options end, or on the closest end if none is close enough.
PointReach reach_point(const Agent& agent, const Unconditioned& unconditioned,
                       const PointGoal& goal, const ReachSettings& settings);

// Conditions options on every cell.
CellReach reach_cells(const Agent& agent, const Unconditioned& unconditioned,
                      const ReachSettings& settings, const Step& step = {});

// Conditions an option on the end of each of these unconditioned ones, (T + 1, n) states each.
OwnReach reach_own(const Agent& agent, const std::vector<std::vector<double>>& options,
                   const ReachSettings& settings);

}  // namespace vic
