#include "cli/eval_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/print.h"
#include "cli/heat_map.h"
#include "cli/text.h"

namespace vic {
namespace {

// a number of a document, which may be null
std::optional<double> number_at(const Json& json, const char* key) {
  return json.at(key).is_null() ? std::nullopt : std::optional(json.at(key).get<double>());
}

// of a simulated world: what the options did, beside random actions
void print_survey_of(const Run& run, const Simulator& world, const Evaluation& evaluation,
                     const Json& truth, const Console& console) {
  const Coordinate& first = world.spec().coordinates[0];
  const Json& random = truth.at("random");
  print(console.out, "{}, after {} updates: {} options\n\n", run_title(run),
        run.learner->state().update, evaluation.survey->options());
  print_survey(world.spec(), *evaluation.survey, console.out);
  if (const auto& reach = evaluation.own_reach) {
    print(console.out,
          "\n  conditioned on the final cell of one of its own options, {:.3f} ({:.3f} to "
          "{:.3f}) of the options end in that cell; by chance {:.3f}\n",
          reach->success.share, reach->success.in.low, reach->success.in.high, reach->chance);
  }
  print(console.out, "\n  random actions: H {:.3f} nats, {} cells, spread {:.2f} {}\n",
        random.at("H").get<double>(), random.at("cells").get<int>(),
        random.at(first.name + "_spread").get<double>(), first.unit);
}

// in a world with nothing to choose there is no share of anything
std::string share_text(double part, double whole) {
  return whole > 0 ? fmt::format("{:.2f} %", 100 * part / whole) : std::string("all");
}

// the end of a meaning: the half-width of an interval, which exact values do not have
std::string half_text(const Evaluation& evaluation, double ci95) {
  return evaluation.exact ? "" : fmt::format(", +- {:.4f} (95 %)", ci95);
}

// the same of values that are the middles of brackets
std::string bracket_text(const std::optional<Interval>& in) {
  return in ? fmt::format(", between {:.4f} and {:.4f} (95 %)", in->low, in->high) : std::string();
}

// H, D, N and what estimates them
void print_information(const Evaluation& evaluation, const Json& truth, const ValueTable& table) {
  const double H_max = truth.at("H_max").get<double>();
  const std::optional<double> D_max = number_at(truth, "D_max");
  table.row("H", number_text(evaluation.H),
            fmt::format("coverage, I(Omega; s_f) = H(s_f): {} of H_max{}",
                        share_text(evaluation.H, H_max), half_text(evaluation, evaluation.ci95)));
  std::string control = "control, decided by the agent";
  if (evaluation.D && D_max)
    control += fmt::format(": {} of D_max", share_text(*evaluation.D, *D_max));
  table.row("D", number_text(evaluation.D), control + bracket_text(evaluation.D_in));
  table.row("N", number_text(evaluation.N),
            "chance, decided by the environment" + bracket_text(evaluation.N_in));
  if (evaluation.I) {
    table.row("I", number_text(evaluation.I),
              "information about s_f in what was chosen in advance");
  }
  table.row("I_hat", number_text(evaluation.I_hat),
            "the paper's estimate, from a moving average of p(s_f)");
}

// what any policy can have; solved to 1e-5 here, which is as far as a learner is known
void print_optima(const Json& truth, const ValueTable& table) {
  constexpr int digits = 4;
  const double gap = truth.at("H_max_gap").get<double>();
  table.row("H_max", number_text(number_at(truth, "H_max"), digits),
            gap > 1e-4 ? fmt::format("the largest H of any policy, certified to within {:.1e}", gap)
                       : "the largest H of any policy");
  table.row("D_max", number_text(number_at(truth, "D_max"), digits), "the largest D of any policy");
  table.row("H_at_D_max", number_text(number_at(truth, "H_at_D_max"), digits),
            "H of the maximiser of D, where implicit VIC converges");
}

// the external reward, the final states, and how surely goals are reached
void print_outcomes(const TabularWorld& world, const Evaluation& evaluation, const Json& truth,
                    const ValueTable& table) {
  if (world.has_reward) {
    table.row("external", number_text(evaluation.external),
              "mean external reward" + half_text(evaluation, evaluation.external_ci95));
  }
  table.row("states", fmt::format("{}", evaluation.states),
            fmt::format("final states of the sampled options, of {} reachable",
                        truth.at("states_reachable").get<int>()));
  const auto absorbing = std::count(world.absorbing.begin(), world.absorbing.end(), 1);
  if (absorbing > 0) {
    table.row("rooms", fmt::format("{}", evaluation.rooms),
              fmt::format("absorbing ones among them, of {}", absorbing));
  }
  if (evaluation.reach) {
    table.row("reach", number_text(evaluation.reach->mean),
              fmt::format("mean success of options conditioned on a goal; greedy {:.4f}, best "
                          "possible {:.4f}",
                          evaluation.reach->greedy_mean, evaluation.reach->best_mean));
  }
}

// how right the reward and the hindsight models are
void print_models(const Evaluation& evaluation, std::ostream& out) {
  if (const auto& calibration = evaluation.calibration) {
    print(out,
          "\n  reward calibration, reward of an option against -log p(s_f): bias {:+.4f}, "
          "deviation {:.4f}, correlation {:.4f}\n",
          calibration->bias, calibration->deviation, calibration->correlation);
  }
  if (const auto& posterior = evaluation.posterior) {
    print(out, "  KL(exact posterior || pi_q) {:.4f} per step", posterior->pi_q);
    if (posterior->rho_q) print(out, "; (|| rho_q) {:.4f}", *posterior->rho_q);
    if (posterior->rho_ratio) {
      print(out, "; mean error of log rho_q/rho_p {:.4f}", *posterior->rho_ratio);
    }
    print(out, "\n");
  }
}

}  // namespace

void print_evaluation(const Run& run, const Evaluation& evaluation, const Json& truth,
                      const Console& console) {
  if (const Simulator* simulated = simulator_in(run.world)) {
    return print_survey_of(run, *simulated, evaluation, truth, console);
  }
  print(console.out, "{}, after {} updates: {}, in nats\n\n", run_title(run),
        run.learner->state().update, evaluation.exact ? "exact" : "sampled");
  const ValueTable table{console.out, 12};
  print_information(evaluation, truth, table);
  print_optima(truth, table);
  print_outcomes(run.table(), evaluation, truth, table);
  print_models(evaluation, console.out);
  print(console.out, "\n  p(s_f)\n\n{}", heat_map(run.table(), evaluation.p_f, console.palette));
}

}  // namespace vic
