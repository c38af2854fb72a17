#include "cli/eval_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <optional>

#include "cli/heat_map.h"
#include "cli/worlds_physics.h"

namespace vic {
namespace {

// a number of a document, which may be null
std::optional<double> number_at(const Json& json, const char* key) {
  return json.at(key).is_null() ? std::nullopt : std::optional(json.at(key).get<double>());
}

// of a body: what its options did, beside random actions
void print_survey_of(const Run& run, const Evaluation& evaluation, const Json& truth,
                     const Console& console) {
  const TrainSettings& settings = run.learner->settings();
  const Json& random = truth.at("random");
  fmt::print(console.out, "{}, {}, seed {}, after {} updates: {} options\n\n", run.physics->name,
             settings.algorithm, settings.seed, run.learner->state().update,
             evaluation.survey->options());
  print_survey(*run.physics, *evaluation.survey, console.out);
  if (const auto& reach = evaluation.own_reach) {
    fmt::print(
        console.out,
        "\n  told where an option of its own ended, {:.3f} ({:.3f} to {:.3f}) of the options "
        "end in the same cell; by chance {:.3f}\n",
        reach->success.share, reach->success.in.low, reach->success.in.high, reach->chance);
  }
  fmt::print(console.out, "\n  random actions: H {:.3f} nats, {} cells, spread {:.2f} m\n",
             random.at("H").get<double>(), random.at("cells").get<int>(),
             random.at("distance_spread").get<double>());
}

}  // namespace

void print_evaluation(const Run& run, const Evaluation& evaluation, const Json& truth,
                      const Console& console) {
  if (evaluation.survey) return print_survey_of(run, evaluation, truth, console);
  const TabularWorld& world = *run.world;
  const TrainSettings& settings = run.learner->settings();
  const double H_max = truth.at("H_max").get<double>();
  const double H_max_gap = truth.at("H_max_gap").get<double>();
  const std::optional<double> D_max = number_at(truth, "D_max");
  const auto row = [&](const char* name, const std::string& value, const std::string& meaning) {
    fmt::print(console.out, "  {:<12} {:>10}  {}\n", name, value, meaning);
  };
  const auto number = [](const std::optional<double>& x) {
    return x ? fmt::format("{:.6f}", *x) : std::string("-");
  };
  // in a world with nothing to choose there is no share of anything
  const auto share = [](double part, double whole) {
    return whole > 0 ? fmt::format("{:.2f} %", 100 * part / whole) : std::string("all");
  };
  // the truth is solved to 1e-5 here, which is as far as a learner is known
  const auto known = [](const std::optional<double>& x) {
    return x ? fmt::format("{:.4f}", *x) : std::string("-");
  };
  fmt::print(console.out, "{}, {}, seed {}, after {} updates: {}, in nats\n\n", world.name,
             settings.algorithm, settings.seed, run.learner->state().update,
             evaluation.exact ? "exact" : "sampled");
  row("H", number(evaluation.H),
      fmt::format("the information I(Omega; s_f) = H(s_f): {} of H_max{}",
                  share(evaluation.H, H_max),
                  evaluation.exact ? "" : fmt::format(", +- {:.4f} (95 %)", evaluation.ci95)));
  // sampled, the two are the middles of brackets
  const auto bracket = [](const std::optional<Interval>& in) {
    return in ? fmt::format(", between {:.4f} and {:.4f} (95 %)", in->low, in->high)
              : std::string();
  };
  row("D", number(evaluation.D),
      (evaluation.D && D_max
           ? fmt::format("the agent's own part: {} of D_max", share(*evaluation.D, *D_max))
           : "the agent's own part") +
          bracket(evaluation.D_in));
  row("N", number(evaluation.N), "the part of chance" + bracket(evaluation.N_in));
  if (evaluation.I) {
    row("I", number(evaluation.I), "the information of what was chosen in advance about s_f");
  }
  row("I_hat", number(evaluation.I_hat), "the paper's estimate, from a moving average of p(s_f)");
  row("H_max", known(H_max),
      H_max_gap > 1e-4 ? fmt::format("the largest H of any policy, or up to {:.1e} more", H_max_gap)
                       : "the largest H of any policy");
  row("D_max", known(D_max), "the largest D of any policy");
  row("H_at_D_max", known(number_at(truth, "H_at_D_max")), "H there: where implicit VIC converges");
  if (world.has_reward) {
    row("external", number(evaluation.external),
        fmt::format(
            "mean external reward{}",
            evaluation.exact ? "" : fmt::format(" +- {:.4f} (95 %)", evaluation.external_ci95)));
  }
  row("states", fmt::format("{}", evaluation.states),
      fmt::format("final states of the sampled options, of {} in reach",
                  truth.at("states_reachable").get<int>()));
  const auto absorbing = std::count(world.absorbing.begin(), world.absorbing.end(), 1);
  if (absorbing > 0) {
    row("rooms", fmt::format("{}", evaluation.rooms),
        fmt::format("those of them that absorb, of {}", absorbing));
  }
  if (evaluation.reach) {
    row("reach", fmt::format("{:.6f}", evaluation.reach->mean),
        fmt::format("mean success of options sent to a goal; greedy {:.4f}, best possible {:.4f}",
                    evaluation.reach->greedy_mean, evaluation.reach->best_mean));
  }
  if (evaluation.yardstick) {
    fmt::print(console.out,
               "\n  reward of an option against -log p(s_f): bias {:+.4f}, deviation {:.4f}, "
               "correlation {:.4f}\n",
               evaluation.yardstick->bias, evaluation.yardstick->deviation,
               evaluation.yardstick->correlation);
  }
  if (evaluation.posterior) {
    fmt::print(console.out, "  exact posterior against pi_q: KL {:.4f} a step",
               evaluation.posterior->pi_q);
    if (evaluation.posterior->rho_q) {
      fmt::print(console.out, "; against rho_q: KL {:.4f}", *evaluation.posterior->rho_q);
    }
    if (evaluation.posterior->rho_ratio) {
      fmt::print(console.out, "; log rho_q/rho_p off by {:.4f}", *evaluation.posterior->rho_ratio);
    }
    fmt::print(console.out, "\n");
  }
  fmt::print(console.out, "\n  p(s_f)\n\n{}",
             heat_map(world, evaluation.p_f, console.colour ? Palette::colour : Palette::plain));
}

}  // namespace vic
