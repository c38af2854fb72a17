#include "method/requirements.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "method/tree_sampler.h"

namespace vic {
namespace {

// the requirements of an algorithm on a table
void require_table(const TabularWorld& world, const TrainSettings& settings,
                   const Algorithm& algorithm) {
  if (settings.hindsight == HindsightForm::residual) {
    fail_usage(
        "train.hindsight = residual is for simulated worlds, where pi_q is queried about options "
        "that pi_p sampled and nothing else; take separate in {}.",
        world.name);
  }
  if (settings.starts == Starts::all && !algorithm.any_start) {
    fail_usage(
        "The algorithm {} cannot begin everywhere: it would have to know p(s_f) of each start by "
        "itself. Take implicit, transition or mixture with train.starts = all.",
        algorithm.name);
  }
  if (settings.starts == Starts::all && settings.prior == SkillPrior::learned) {
    fail_usage(
        "train.prior = learned is the prior of one start; take train.prior = uniform with "
        "train.starts = all.");
  }
  if (world.absorbing[world.s_0]) {
    fail_usage("{} starts in {}, where every option ends at once; there is nothing to learn.",
               world.name, world.state_names[world.s_0]);
  }
  if (algorithm.needs_reward && (!world.has_reward || settings.alpha == 0)) {
    fail_usage(
        "The algorithm {} learns from the external reward alone, and here there is none: {}.",
        algorithm.name,
        world.has_reward ? "train.alpha is 0" : world.name + " has no external reward");
  }
}

// the requirements of an update over all options
void require_exact(const TabularWorld& world, const TrainSettings& settings,
                   const Algorithm& algorithm) {
  if (settings.gradient == GradientKind::sampled) return;
  if (settings.starts == Starts::all || algorithm.policy_goal != GoalKind::none) {
    fail_usage(
        "train.gradient = exact weighs the options of one policy from one start; take sampled "
        "with train.starts = all and with skills.");
  }
  if (!enumerate_histories(world, TreeSampler::largest_rows)) {
    fail_usage(
        "train.gradient = exact weighs every history of {}, and there are more than {}; take "
        "sampled, or a smaller world.T_max.",
        world.name, TreeSampler::largest_rows);
  }
}

// the requirements of an algorithm on a simulator
void require_simulator(const Simulator& world, const TrainSettings& settings,
                       const Algorithm& algorithm) {
  if (settings.starts != Starts::one) {
    fail_usage("{} has one start: train.starts = {} is for worlds with a table of states.",
               world.spec().name, name_of(settings.starts));
  }
  if (algorithm.needs_table) {
    std::vector<std::string> others;
    for (const Algorithm& one : algorithms()) {
      if (!one.needs_table) others.emplace_back(one.name);
    }
    fail_usage("The algorithm {} needs a world with a table of states, and {} has none; take {}.",
               algorithm.name, world.spec().name, alternatives(others));
  }
}

// the requirements of continuous actions
void require_actions(const Simulator& world, const TrainSettings& settings,
                     const Algorithm& algorithm) {
  if (settings.actions == ActionKind::levels) return;
  if (world.spec().together) {
    fail_usage(
        "train.actions = gaussian sets controls, and {} takes levels of its actuators; take "
        "train.actions = levels.",
        world.spec().name);
  }
  if (settings.sticky_action_logit != 0) {
    fail_usage(
        "train.sticky_action_logit = {:g} repeats levels, and train.actions = gaussian has none; "
        "take 0.",
        settings.sticky_action_logit);
  }
  const auto fits = [&](const Algorithm& one) {
    return !one.needs_table && !one.blind &&
           std::ranges::none_of(one.models(settings),
                                [](const ModelSpec& spec) { return spec.conditioning.action; });
  };
  if (fits(algorithm)) return;
  std::vector<std::string> others;
  for (const Algorithm& one : algorithms()) {
    if (fits(one)) others.emplace_back(one.name);
  }
  fail_usage(
      "train.actions = gaussian is not for the algorithm {}, {}; take {}, or train.actions = "
      "levels.",
      algorithm.name,
      algorithm.blind ? "which sees no numbers after s_0"
                      : "whose models are conditioned on the levels of an action",
      alternatives(others));
}

// the requirements for cutting a table's batch into shards
void require_shards(const TrainSettings& settings) {
  if (settings.shards == 1) return;
  if (settings.shards > settings.batch) {
    fail_usage("train.shards = {} is more than the options of a batch, train.batch = {}.",
               settings.shards, settings.batch);
  }
  if (settings.starts != Starts::one || settings.gradient != GradientKind::sampled) {
    fail_usage(
        "train.shards = {} cuts sampled batches of one start; take 1, or train.starts = one and "
        "train.gradient = sampled.",
        settings.shards);
  }
}

// the requirements of a reward that is normalised over goals
void require_goals(const std::string& world, bool deterministic, const TrainSettings& settings,
                   const Algorithm& algorithm) {
  if (settings.normalise == Normalise::none) return;
  if (settings.starts != Starts::one) {
    fail_usage(
        "train.normalise = goals compares goals of one start; take train.starts = one or "
        "train.normalise = none.");
  }
  if (!deterministic && algorithm.lambda_of(settings) != 1) {
    fail_usage(
        "train.normalise = goals estimates -log p(s_f), which is D + N, and {} has chance: its D + "
        "{:g} N is another number. Take transition or mixture with train.lambda = 1, or "
        "train.normalise = none.",
        world, algorithm.lambda_of(settings));
  }
}

void require_sizes(const TrainSettings& settings) {
  if (settings.hidden % 8 != 0) {
    fail_usage("train.hidden = {} is not allowed; it must be a multiple of 8.", settings.hidden);
  }
  if (settings.T_smooth % 8 != 0) {
    fail_usage("train.T_smooth = {} is not allowed; it must be a multiple of 8.",
               settings.T_smooth);
  }
}

void require_schedules(const TrainSettings& settings) {
  if (settings.lambda_first != 1 && settings.lambda_start == 0 && settings.lambda_ramp == 0) {
    fail_usage(
        "train.lambda_first = {:g} has no effect where train.lambda_start and train.lambda_ramp "
        "are 0; set one of them.",
        settings.lambda_first);
  }
}

}  // namespace

void require_fit(const TabularWorld& world, const TrainSettings& settings,
                 const Algorithm& algorithm) {
  require_sizes(settings);
  require_schedules(settings);
  require_table(world, settings, algorithm);
  require_exact(world, settings, algorithm);
  require_shards(settings);
  require_goals(world.name, world.deterministic(), settings, algorithm);
}

void require_fit(const Simulator& world, const TrainSettings& settings,
                 const Algorithm& algorithm) {
  const SimulatorSpec& spec = world.spec();
  require_sizes(settings);
  require_schedules(settings);
  require_simulator(world, settings, algorithm);
  require_goals(spec.name, spec.deterministic, settings, algorithm);
  require_actions(world, settings, algorithm);
}

}  // namespace vic
