// vic train: a learner in a world, and the folder of its run.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <chrono>
#include <memory>

#include "base/file.h"
#include "cli/command.h"
#include "cli/eval_report.h"
#include "cli/signals.h"
#include "run/training.h"

namespace vic {
namespace {

struct TrainOptions {
  CommonOptions common;
  std::string world, out, resume;
  std::string algorithm, seed, updates;
};

// --algorithm, --seed and --updates are settings under a shorter name
Overrides overrides_of(const TrainOptions& options) {
  std::vector<Assignment> list = options.common.assignments();
  const auto add = [&](const char* flag, const char* key, const std::string& value) {
    if (!value.empty()) list.push_back({key, value, flag});
  };
  add("--algorithm", "train.algorithm", options.algorithm);
  add("--seed", "train.seed", options.seed);
  add("--updates", "train.updates", options.updates);
  // settings of another run may be used again: the world is the one that was named here
  list.push_back({"run.world", options.world, "WORLD"});
  return Overrides(std::move(list));
}

// shows rate, time left, and the running estimate of I with its share of H_max
class TrainMonitor {
 public:
  TrainMonitor(const Console& console, const Training& training, std::optional<double> H_max)
      : line_(console),
        first_(training.run.learner->state().update),
        updates_(training.updates()),
        H_max_(H_max) {}

  void follow(Learner& learner) {
    if (!line_.due()) return;
    const long update = learner.state().update;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    const double rate = static_cast<double>(update - first_) / elapsed.count();
    const double I = learner.metrics().I_hat;
    const double fraction = static_cast<double>(update) / static_cast<double>(updates_);
    line_.show(fmt::format("{} {}/{}  {:.{}f}/s  {:.0f} s left  I {:.4f}{}", bar(fraction, 24),
                           update, updates_, rate, rate < 10 ? 1 : 0,
                           static_cast<double>(updates_ - update) / rate, I,
                           H_max_ ? fmt::format("  {:.1f} % of H_max", 100 * I / *H_max_) : ""));
  }

 private:
  ProgressLine line_;
  long first_, updates_;
  std::optional<double> H_max_;  // not known of bodies
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

Json solve(const Run& run, const Console& console) {
  ProgressLine line(console);
  return find_truth_json(*run.learner, [&](std::string_view quantity, double value, double gap) {
    if (!line.due()) return;
    line.show(fmt::format("the truth first: {} {:.4f}, no more than {:.1e} better", quantity, value,
                          gap));
  });
}

// trains to the end and shows what came of it
void train_and_show(Training& training, const Json& truth, const TrainOptions& options,
                    const Console& console) {
  const std::string& folder = training.folder;
  std::optional<Evaluation> evaluation;
  {
    const SignalStop signals;
    std::optional<double> H_max;
    if (training.run.world) H_max = truth.at("H_max").get<double>();
    TrainMonitor monitor(console, training, H_max);
    evaluation = train(training, truth,
                       {.progress = [&](Learner& learner) { monitor.follow(learner); },
                        .warn = warning_to(console),
                        .stop = signals.flag()});
    if (!evaluation) {
      throw StoppedBySignal(
          signals.caught(),
          fmt::format("Stopped after update {} of {}; vic train --resume {} goes on.",
                      training.run.learner->state().update, training.updates(), folder));
    }
  }
  if (options.common.json) {
    fmt::print(console.out, "{}\n",
               evaluation_json(*training.run.learner, *evaluation, truth).dump(2));
  } else {
    print_evaluation(training.run, *evaluation, truth, console);
    fmt::print(console.out, "\n  kept in {}; vic eval {} shows this again\n", folder, folder);
  }
}

void run_resume(const TrainOptions& options, const Console& console) {
  const std::string& folder = options.resume;
  for (const std::string& said : {options.world, options.algorithm, options.seed, options.updates,
                                  options.out, options.common.settings_file}) {
    if (said.empty() && options.common.sets.empty()) continue;
    fail_usage(
        "--resume goes on with the settings of {}: they cannot be changed; say nothing else but "
        "--json.",
        folder);
  }
  Training training = resume_training(folder, warning_to(console));
  if (is_done(folder)) {
    if (options.common.json) fmt::print(console.out, "{}", read_file(folder + "/evaluation.json"));
    fmt::print(console.err, "{} is finished, all {} updates; vic eval {} shows it.\n", folder,
               training.updates(), folder);
    return;
  }
  const Json truth = solve(training.run, console);
  train_and_show(training, truth, options, console);
}

void run_train(const TrainOptions& options, const Console& console) {
  if (!options.resume.empty()) return run_resume(options, console);
  if (options.world.empty()) {
    fail_usage(
        "vic train needs a world, or --resume with the folder of a run; see vic train --help.");
  }
  Run run = make_run(overrides_of(options));
  const TrainSettings& settings = run.learner->settings();
  const std::string folder = options.out.empty() ? fmt::format("runs/{}-{}-{}", run.world_name(),
                                                               settings.algorithm, settings.seed)
                                                 : options.out;
  // what can fail for the world's sake fails before anything is written
  require_no_run(folder);
  const Json truth = solve(run, console);
  Training training = begin_training(std::move(run), folder);
  train_and_show(training, truth, options, console);
}

}  // namespace

Action declare_train(CLI::App& app) {
  auto options = std::make_shared<TrainOptions>();
  app.add_option("world", options->world, "a registered name, or a world file (.toml)")
      ->type_name("WORLD");
  app.add_option("--algorithm", options->algorithm,
                 "implicit, transition, mixture, marginal or reward")
      ->type_name("A");
  app.add_option("--seed", options->seed, "all randomness of the run comes from it")
      ->type_name("N");
  app.add_option("--updates", options->updates, "updates of the policy")->type_name("N");
  app.add_option("--out", options->out, "the run's folder; runs/WORLD-ALGORITHM-SEED by default")
      ->type_name("FOLDER");
  app.add_option("--resume", options->resume, "go on with a run that was interrupted")
      ->type_name("RUN");
  options->common.add_to(app);
  app.footer(settings_help({describe("train", TrainSettings{}), describe("run", RunSettings{})}) +
             world_settings_help);
  return [options](const Console& console) { run_train(*options, console); };
}

}  // namespace vic
