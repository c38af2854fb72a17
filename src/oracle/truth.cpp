#include "oracle/truth.h"

#include <algorithm>
#include <cmath>

#include "info/entropy_interval.h"
#include "oracle/ascent.h"
#include "oracle/beliefs.h"
#include "oracle/newton.h"

namespace vic {
namespace {

// multiplications in one sweep are cheaper than transitions of the ascent, which cost an exp
constexpr double multiplications_per_transition = 8;

// the most memory that the beliefs of control_gradient may take
constexpr double largest_belief_bytes = 2e9;

// a belief is a product of up to T_max probabilities, each kept above a floor so that it does not
// underflow; beyond this many the floor itself would matter
constexpr int longest_for_control = 28;

// the limits of brackets: multiplications, and numbers in a table over pairs of states
constexpr double bracket_work = 1e9;
constexpr double largest_bracket_table = 1 << 24;

AscentLimits limits_of(const ExactSettings& settings, double least_policy) {
  return {.gap = settings.gap,
          .transitions = settings.budget,
          .least_policy = least_policy,
          .enough = settings.enough,
          .stop = settings.stop};
}

AscentProgress progress_of(std::string_view quantity, const SolveProgress& progress) {
  return [quantity, &progress](double value, double gap) {
    if (progress) progress(quantity, value, gap);
  };
}

// adds a note where a solver ended before the gap was closed
void note_gap(Truth& truth, std::string_view quantity, double gap, const ExactSettings& settings) {
  if (gap <= settings.gap) return;
  if (settings.enough.wanted()) {
    truth.notes.push_back(
        fmt::format("{} stopped at the time limit with a gap of {:.1e}.", quantity, gap));
    return;
  }
  truth.notes.push_back(
      fmt::format("{} stopped at the budget with a gap of {:.1e}; exact.budget = {:g} would go on.",
                  quantity, gap, 10 * settings.budget));
}

void solve_H_max(Truth& truth, const ExactSettings& settings, const SolveProgress& progress) {
  // any positive number will do; subnormal ones are slow
  constexpr double least_policy = 1e-290;
  Unrolled states = unroll_states(*truth.world);
  if (!truth.wanted.H_max) {
    truth.H_max.unrolled = std::move(states);
    return;
  }
  Maximum maximum = maximise(states, entropy_gradient(states), limits_of(settings, least_policy),
                             progress_of("H_max", progress));
  note_gap(truth, "H_max", maximum.gap, settings);
  truth.H_max = {maximum.value, maximum.gap, std::move(states), std::move(maximum.policy), {}};
  truth.H_max.control.H = truth.H_max.value;
  truth.H_max.control.p_f = flow(truth.H_max.unrolled, truth.H_max.policy).p_f;
}

// bounds take a sweep for each state, and tables over pairs of them
bool brackets_fit(const Truth& truth, const ExactSettings& settings) {
  const double S = truth.world->S;
  return truth.wanted.brackets && !settings.enough.wanted() && S * S <= largest_bracket_table &&
         measure_work(truth.H_max.unrolled) <= std::min(settings.budget, bracket_work);
}

// Where P has the value D(P) and its own gradient bounds D_max by D(P) + delta, the distributions
// of s_f of P and of a maximiser P* satisfy KL(p || p*) + KL(p* || p) <= delta: the concavity of D
// at P* and at P exceeds that of H(s_f), because N is convex.
void bound_H_at_D_max(Truth& truth) {
  const Optimum& found = *truth.D_max;
  const Flow visited = flow(found.unrolled, found.policy);
  Rows payoff;
  control_gradient(found.unrolled, /*lambda=*/0)(payoff, found.policy, visited);
  const double delta = best_payoff(found.unrolled, payoff) - found.value;
  truth.H_at_D_max = entropy_interval(found.control.p_f, std::max(delta, found.gap));
  // H = D + N, and no policy has more than H_max
  truth.H_at_D_max.low = std::max(truth.H_at_D_max.low, found.value);
  if (!truth.wanted.H_max) return;
  truth.H_at_D_max.high = std::min(truth.H_at_D_max.high, truth.H_max.value + truth.H_max.gap);
  truth.H_at_D_max.high = std::max(truth.H_at_D_max.high, found.control.H);
}

void solve_D_max(Truth& truth, const ExactSettings& settings, const SolveProgress& progress) {
  const TabularWorld& world = *truth.world;
  std::optional<Unrolled> histories = unroll_for_control(world, settings);
  if (!histories && world.deterministic() && truth.wanted.H_max) {
    truth.D_max = truth.H_max;
    truth.H_at_D_max = {truth.H_max.value, truth.H_max.value + truth.H_max.gap};
    truth.D_max->control.D = truth.D_max->control.H;
    truth.D_max->control.N = 0;
    truth.notes.push_back(
        "The world is deterministic: N = 0, D = H for every policy, and D_max is H_max.");
    return;
  }
  if (!histories) {
    if (brackets_fit(truth, settings)) truth.D_bracket = bracket_control(world, settings.stop);
    truth.notes.push_back(
        fmt::format("D_max and H_at_D_max are not {}: that takes at most {} histories "
                    "(exact.histories), {:g} GB for their beliefs, and a T_max of {}.",
                    truth.D_bracket ? "solved but bracketed" : "computed", settings.histories,
                    largest_belief_bytes / 1e9, longest_for_control));
    return;
  }
  Maximum maximum =
      maximise_control(*histories, /*lambda=*/0, limits_of(settings, least_control_policy(world)),
                       progress_of("D_max", progress));
  note_gap(truth, "D_max", maximum.gap, settings);
  truth.D_max = {maximum.value, maximum.gap, std::move(*histories), std::move(maximum.policy), {}};
  truth.D_max->control = measure(truth.D_max->unrolled, truth.D_max->policy, settings.stop);
  bound_H_at_D_max(truth);
}

void solve_C_open(Truth& truth, const ExactSettings& settings, const SolveProgress& progress) {
  if (progress) progress("C_open", 0, 0);
  truth.C_open =
      open_loop_capacity(*truth.world, {.gap = settings.gap,
                                        .work = settings.budget * multiplications_per_transition,
                                        .sequences = static_cast<double>(settings.sequences),
                                        .enough = settings.enough,
                                        .stop = settings.stop});
  if (!truth.C_open) {
    if (brackets_fit(truth, settings)) {
      const double D_high = truth.D_max       ? truth.D_max->value + truth.D_max->gap
                            : truth.D_bracket ? truth.D_bracket->high
                                              : bracket_control(*truth.world, settings.stop).high;
      truth.C_bracket = bracket_open_loop(*truth.world, D_high,
                                          std::min(settings.budget, bracket_work), settings.stop);
    }
    truth.notes.push_back(
        fmt::format("C_open is not {}: the channel from {:.3g} action sequences to {} states "
                    "is too large; exact.sequences is {}.",
                    truth.C_bracket ? "solved but bracketed" : "computed",
                    count_sequences(*truth.world), truth.states_reachable, settings.sequences));
  } else if (static_cast<double>(truth.C_open->sequences.size()) < count_sequences(*truth.world)) {
    truth.notes.push_back(
        "The world is deterministic: C_open is the logarithm of the states that can be reached.");
  } else {
    note_gap(truth, "C_open", truth.C_open->gap, settings);
  }
}

// D and N of the policies of the table; H and p(s_f) alone where that is too much work
void measure_policies(Truth& truth, const ExactSettings& settings, const SolveProgress& progress) {
  if (progress) progress("D, N", 0, 0);
  const Unrolled& unrolled = truth.H_max.unrolled;
  const Policy uniform = uniform_policy(unrolled);
  const auto split = [&](Control& control, const Policy& policy) {
    const auto found = measure_until(unrolled, policy, settings.enough, settings.stop);
    if (found) control = *found;
    return found.has_value();
  };
  const bool fits = measure_work(unrolled) <= settings.budget * multiplications_per_transition;
  truth.split_known = truth.wanted.uniform && fits && split(truth.uniform, uniform) &&
                      (!truth.wanted.H_max || split(truth.H_max.control, truth.H_max.policy));
  if (truth.split_known) return;
  if (truth.wanted.uniform) {
    truth.notes.push_back(
        fmt::format("D and N of the uniform policy are not computed: they would take more than {}.",
                    fits ? "the time limit" : "exact.budget"));
  }
  truth.uniform.p_f = flow(unrolled, uniform).p_f;
  truth.uniform.H = entropy(truth.uniform.p_f);
}

}  // namespace

std::optional<Unrolled> unroll_for_control(const TabularWorld& world,
                                           const ExactSettings& settings) {
  if (world.T_max > longest_for_control) return std::nullopt;
  std::optional<Unrolled> histories = unroll_histories(world, settings.histories);
  if (histories && Beliefs::bytes(*histories) > largest_belief_bytes) histories.reset();
  return histories;
}

double least_control_policy(const TabularWorld& world) {
  return std::pow(1e-280, 1.0 / world.T_max);
}

Truth find_truth(const TabularWorld& world, const ExactSettings& settings,
                 const SolveProgress& progress, const Quantities& wanted) {
  Truth truth;
  truth.world = &world;
  truth.wanted = wanted;
  truth.states_reachable = static_cast<int>(world.final_states().size());
  solve_H_max(truth, settings, progress);
  if (wanted.D_max) solve_D_max(truth, settings, progress);
  if (wanted.C_open) solve_C_open(truth, settings, progress);
  measure_policies(truth, settings, progress);
  if (wanted.reward_max && world.has_reward) {
    truth.reward_max = best_reward(truth.H_max.unrolled);
  } else if (wanted.reward_max) {
    truth.notes.push_back("reward_max is not computed: the world pays no external reward.");
  }
  return truth;
}

}  // namespace vic
