// The exact optima of a world: how much intrinsic control any agent can have in it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "base/stop.h"
#include "info/entropy.h"
#include "oracle/bracket.h"
#include "oracle/control.h"
#include "oracle/open_loop.h"
#include "oracle/unrolled.h"
#include "world/tabular.h"

namespace vic {

struct ExactSettings {
  double gap = 1e-7;
  double budget = 3e9;
  int histories = 1000000;
  int sequences = 100000;
  Stop enough = {};  // ends the solvers with the certificates reached so far
  Stop stop = {};    // ends the solvers, which throw Interrupted

  template <class Visitor>
  void visit(Visitor&& field) {
    field("gap", gap, Range{1e-12, 100}, "largest gap to the optimum, in nats");
    field("budget", budget, Range{1, 1e15},
          "or until a solver has looked at this many transitions");
    field("histories", histories, Range{1, 20000000},
          "compute D_max in worlds with at most this many histories");
    field("sequences", sequences, Range{1, 5000000},
          "compute C_open in worlds with at most this many action sequences");
  }
};

// An optimal policy, and the unrolled world whose rows it is for.
struct Optimum {
  double value = 0;  // what was maximised
  double gap = 0;    // no policy is better by more than this
  Unrolled unrolled;
  Policy policy;
  Control control;  // H, D, N and p(s_f) of the policy
};

// The quantities to compute.
struct Quantities {
  bool H_max = true;
  bool D_max = true;  // and H_at_D_max
  bool C_open = true;
  bool reward_max = true;
  bool uniform = true;    // D and N of the uniform policy and of the maximiser of H
  bool brackets = false;  // bounds of D_max and C_open where these cannot be computed
};

// The three optima alone.
inline constexpr Quantities optima{.reward_max = false, .uniform = false};

// Fields that are not computed are empty, with the reason in `notes`. The world must outlive this.
struct Truth {
  const TabularWorld* world = nullptr;
  Quantities wanted;
  int states_reachable = 0;        // states in which an option can end
  Optimum H_max;                   // max H(s_f); rows are states; the rows alone if not wanted
  std::optional<Optimum> D_max;    // max directed information; rows are histories
  Interval H_at_D_max;             // contains H(s_f) of every maximiser of D, if D_max is computed
  std::optional<OpenLoop> C_open;  // the best that sequences chosen in advance can do
  std::optional<Bracket> D_bracket, C_bracket;  // where the two cannot be computed
  std::optional<double> reward_max;             // the largest expected external reward
  Control uniform;           // of the policy that takes every available action uniformly
  bool split_known = false;  // whether D and N of it and of H_max are computed
  std::vector<std::string> notes;
};

// The tree on which D + lambda N is maximised; empty where it is too large for settings.histories,
// for the memory, or for the range of floating point.
std::optional<Unrolled> unroll_for_control(const TabularWorld& world,
                                           const ExactSettings& settings);

// The floor under a policy there: beliefs are products of T_max such numbers, and must not vanish.
double least_control_policy(const TabularWorld& world);

// Called with the quantity being solved, its present value and the remaining gap.
using SolveProgress = std::function<void(std::string_view quantity, double value, double gap)>;

Truth find_truth(const TabularWorld& world, const ExactSettings& settings,
                 const SolveProgress& progress = {}, const Quantities& wanted = {});

}  // namespace vic
