// The public optima, training and runs (vic/vic.h).
#include <vic/vic.h>

#include <utility>

#include "cli/program.h"
#include "eval/reach.h"
#include "eval/reference.h"
#include "run/training.h"

namespace vic::v1 {
namespace {

Overrides overrides_of(const Settings& settings, const std::string& world = "") {
  std::vector<Assignment> list;
  for (const auto& [key, value] : settings) list.push_back({key, value, "settings"});
  if (!world.empty()) list.push_back({"run.world", world, "world"});
  return Overrides(std::move(list));
}

// trains to the end, or until `progress` asks to stop
void finish(Training& training, const Progress& progress) {
  StopRequest stop;
  const long updates = training.updates();
  vic::train(training, find_reference(training.run),
             {.progress =
                  [&](const Learner& learner) {
                    if (!progress) return;
                    const long update = learner.state().update;
                    if (!progress(update, updates, learner.I_hat())) stop.wanted = true;
                  },
              .stop = Stop(stop)});
}

}  // namespace

std::string version() {
  return VIC_VERSION;
}

Optima exact(const std::string& world, const Settings& settings) {
  Overrides overrides = overrides_of(settings);
  ExactSettings exact_settings;
  overrides.apply("exact", exact_settings);
  const TabularWorld table = load_table(world, overrides);
  overrides.finish();
  const Truth truth = find_truth(table, exact_settings, {}, vic::optima);
  Optima optima{.states_reachable = truth.states_reachable,
                .H_max = truth.H_max.value,
                .H_max_gap = truth.H_max.gap,
                .notes = truth.notes};
  if (truth.D_max) {
    optima.D_max = truth.D_max->value;
    optima.H_at_D_max = truth.D_max->control.H;
  }
  if (truth.C_open) optima.C_open = truth.C_open->value;
  return optima;
}

struct TrainedRun::State {
  Run run;
};

TrainedRun::TrainedRun(std::unique_ptr<State> state) : state_(std::move(state)) {}
TrainedRun::TrainedRun(TrainedRun&&) noexcept = default;
TrainedRun& TrainedRun::operator=(TrainedRun&&) noexcept = default;
TrainedRun::~TrainedRun() = default;

long TrainedRun::updates() const {
  return state_->run.learner->state().update;
}

Measures TrainedRun::measure() const {
  const Evaluation evaluation = evaluate(*state_->run.learner, EvalSettings{});
  return {.exact = evaluation.exact,
          .H = evaluation.H,
          .ci95 = evaluation.ci95,
          .D = evaluation.D,
          .N = evaluation.N,
          .p_final = evaluation.p_f};
}

double TrainedRun::success(const std::string& goal) const {
  const int state = find_goal(state_->run.table(), goal);
  return reach_goal(state_->run.learner->agent(), state, ReachSettings{}).success.front();
}

Attempt TrainedRun::send(const std::string& goal, int seed) const {
  const TabularWorld& world = state_->run.table();
  const ReachSettings settings{.seed = seed};
  const vic::Attempt attempt =
      vic::attempt(state_->run.learner->agent(), find_goal(world, goal), settings);
  Attempt named{.states = {}, .actions = {}, .reached = attempt.reached};
  for (const int s : attempt.states) named.states.push_back(world.state_names[s]);
  for (const int a : attempt.actions) named.actions.push_back(world.move_names[a]);
  return named;
}

TrainedRun train(const std::string& world, const std::string& folder, const Settings& settings,
                 const Progress& progress) {
  Training training = begin_training(make_run(overrides_of(settings, world)), folder);
  finish(training, progress);
  return load(folder);
}

TrainedRun resume(const std::string& folder, const Progress& progress) {
  Training training = resume_training(folder);
  finish(training, progress);
  return load(folder);
}

TrainedRun load(const std::string& folder) {
  return TrainedRun(
      std::make_unique<TrainedRun::State>(TrainedRun::State{load_trained_run(folder, no_warning)}));
}

int command_line(int argc, const char* const* argv) {
  return run_program({argv + 1, argv + argc}, standard_console());
}

}  // namespace vic::v1
