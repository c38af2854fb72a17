// vic train: trains a learner in a world, and keeps the run in a folder.
#include <fmt/format.h>

#include <memory>

#include "base/file.h"
#include "base/print.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/eval_report.h"
#include "run/training.h"

namespace vic {
namespace {

struct TrainOptions {
  std::string world, out, resume;
  std::string algorithm, seed, updates;
};

// --algorithm, --seed and --updates are settings under a shorter name
Overrides overrides_of(const TrainOptions& options, const UserSettings& given) {
  std::vector<Assignment> list = given.assignments();
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

  void follow(const Learner& learner) {
    if (!line_.due()) return;
    const long update = learner.state().update;
    const double rate = static_cast<double>(update - first_) / watch_.seconds();
    const double I = learner.I_hat();
    const double fraction = static_cast<double>(update) / static_cast<double>(updates_);
    line_.show(fmt::format("{} {}/{}  {:.{}f}/s  {:.0f} s left  I {:.4f}{}", bar(fraction, 24),
                           update, updates_, rate, rate < 10 ? 1 : 0,
                           static_cast<double>(updates_ - update) / rate, I,
                           H_max_ ? fmt::format("  {:.1f} % of H_max", 100 * I / *H_max_) : ""));
  }

 private:
  ProgressLine line_;
  long first_, updates_;
  std::optional<double> H_max_;  // not known of simulated worlds
  Stopwatch watch_;
};

// trains to the end and shows the evaluation
void train_and_show(Training& training, const Reference& reference, const Console& console) {
  const std::string& folder = training.folder;
  std::optional<Evaluation> evaluation;
  {
    std::optional<double> H_max;
    if (reference.exact) H_max = reference.exact->H_max.value;
    TrainMonitor monitor(console, training, H_max);
    evaluation = train(training, reference,
                       {.progress = [&](const Learner& learner) { monitor.follow(learner); },
                        .evaluating = evaluation_on(console),
                        .warn = warning_to(console),
                        .stop = console.stop});
  }
  if (!evaluation) {
    const long update = training.run.learner->state().update;
    throw Interrupted(
        fmt::format("Stopped {} {} of {}; vic train --resume {} goes on.",
                    update < training.updates() ? "after update" : "in the evaluation after update",
                    update, training.updates(), folder));
  }
  console.show([&] { return result_json(training.run, *evaluation, reference); },
               [&] { print_evaluation(training.run, *evaluation, reference, console); });
  console.note(fmt::format("\n  kept in {}; vic eval {} shows this again", folder, folder));
}

void run_resume(const TrainOptions& options, const UserSettings& given, const Console& console) {
  const std::string& folder = options.resume;
  for (const std::string& set :
       {options.world, options.algorithm, options.seed, options.updates, options.out}) {
    if (set.empty() && given.empty()) continue;
    fail_usage(
        "--resume goes on with the settings of {}, which cannot be changed; use it alone or with "
        "--json.",
        folder);
  }
  Training training = resume_training(folder, warning_to(console));
  if (is_finished(training)) {
    console.write_document(read_file(folder + "/evaluation.json"));
    print(console.err, "{} is finished, all {} updates; vic eval {} shows it.\n", folder,
          training.updates(), folder);
    return;
  }
  const Reference reference = solve(training.run, console);
  train_and_show(training, reference, console);
}

void run_train(const TrainOptions& options, const UserSettings& given, const Console& console) {
  if (!options.resume.empty()) return run_resume(options, given, console);
  if (options.world.empty()) {
    fail_usage(
        "vic train needs a world, or --resume with the folder of a run; see vic train --help.");
  }
  Run run = make_run(overrides_of(options, given));
  const TrainSettings& settings = run.learner->settings();
  const std::string folder =
      options.out.empty()
          ? fmt::format("runs/{}-{}-{}", world_name(run.world), settings.algorithm, settings.seed)
          : options.out;
  // a world that cannot be solved fails before anything is written
  require_no_run(folder);
  const Reference reference = solve(run, console);
  Training training = begin_training(std::move(run), folder);
  train_and_show(training, reference, console);
}

}  // namespace

Action declare_train(Arguments& arguments) {
  auto options = std::make_shared<TrainOptions>();
  arguments.positional("world", options->world, Need::optional,
                       "a registered name, or a world file (.toml, or .xml for a MuJoCo model)");
  arguments.option("--algorithm ALGORITHM", options->algorithm, alternatives(algorithm_names()));
  arguments.option("--seed N", options->seed, "all randomness of the run comes from it");
  arguments.option("--updates N", options->updates, "updates of the policy");
  arguments.option("--out FOLDER", options->out,
                   "the run's folder; runs/WORLD-ALGORITHM-SEED by default");
  arguments.option("--resume RUN", options->resume, "go on with a run that was interrupted");
  arguments.footer(
      settings_help({describe("train", TrainSettings{}), describe("run", RunSettings{})}) +
      world_settings_help);
  return [options](const UserSettings& settings, const Console& console) {
    run_train(*options, settings, console);
  };
}

}  // namespace vic
