// vic train: trains a learner in a world, and keeps the run in a folder.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/print.h"
#include "base/ranks.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/eval_report.h"
#include "cli/text.h"
#include "run/run_from.h"
#include "run/training.h"

namespace vic {
namespace {

struct TrainOptions {
  std::string world, out, resume, from;
  std::string algorithm, seed, updates;
  bool force = false;
};

// --algorithm, --seed and --updates are short names of settings, and so is the world
std::vector<Assignment> assignments_of(const TrainOptions& options, const UserSettings& given,
                                       const Console& console) {
  std::vector<Assignment> list = given.assignments();
  const auto add = [&](const char* flag, const char* key, const std::string& value) {
    if (!value.empty()) list.push_back({key, value, flag});
  };
  add("--algorithm", "train.algorithm", options.algorithm);
  add("--seed", "train.seed", options.seed);
  add("--updates", "train.updates", options.updates);
  if (options.world.empty()) return list;
  // settings of a run may be reused in another world, without those of its own world
  const auto of_file = std::ranges::find(list, "run.world", &Assignment::key);
  if (of_file != list.end() && of_file->value != options.world && of_file->origin != "--set") {
    const std::string other = of_file->value;
    const auto dropped = std::erase_if(list, [](const Assignment& one) {
      return one.key.starts_with("world.") && one.origin != "--set";
    });
    if (dropped > 0) {
      warning_to(console)(fmt::format("{} has settings of {}; its world.* are left out in {}.",
                                      given.file, other, options.world));
    }
  }
  list.push_back({"run.world", options.world, "WORLD"});
  return list;
}

// shows phase, rate, time left, and the running estimate of I as a share of H_max
class TrainMonitor {
 public:
  TrainMonitor(const Console& console, const Training& training, std::optional<double> H_max)
      : line_(console),
        wide_(!console.progress || console.err_columns >= 100),
        first_(training.run.learner->state().update),
        H_max_(H_max) {}

  void follow(const Learner& learner) {
    if (!line_.due()) return;
    const TrainSettings& settings = learner.settings();
    const long update = learner.state().update;
    const double rate = static_cast<double>(update - first_) / watch_.seconds();
    const double I = learner.I_hat();
    line_.show(fmt::format(
        "{}  {:.{}f}/s  {} left  I {:.4f}{}", phase_text(learner, wide_ ? 24 : 12), rate,
        rate < 10 ? 1 : 0,
        duration_text(static_cast<double>(settings.all_updates() - update) / rate), I,
        H_max_ ? fmt::format("  {:.1f} %{}", 100 * I / *H_max_, wide_ ? " of H_max" : "") : ""));
  }

 private:
  ProgressLine line_;
  bool wide_;  // there is room for more than 80 columns
  long first_;
  std::optional<double> H_max_;  // not known for simulated worlds
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
                    update, training.updates(), shell_word(folder)));
  }
  const std::string text = result_json(training.run, *evaluation, reference).dump(2) + "\n";
  show_evaluation(training.run, text, folder + "/evaluation.json", console);
  console.note(
      fmt::format("\n  kept in {}; vic eval {} shows this again", folder, shell_word(folder)));
}

// the first rank trains, and the others take part
void train_together(Training& training, const Reference& reference, const Console& console) {
  Ranks& ranks = training.run.learner->ranks();
  try {
    require_same(*training.run.learner);
    train_and_show(training, reference, console);
  } catch (const Interrupted&) {
    ranks.finish();
    throw;
  }
  ranks.finish();
}

// a rank besides the first
void assist(const Run& run, const Console& console) {
  require_same(*run.learner);
  take_part(*run.learner, console.stop);
  run.learner->ranks().finish();
}

void run_resume(const TrainOptions& options, const UserSettings& given, const Console& console) {
  const std::string& folder = options.resume;
  for (const std::string& set : {options.world, options.algorithm, options.seed, options.updates,
                                 options.out, options.from}) {
    if (set.empty() && given.empty() && !options.force) continue;
    fail_usage(
        "--resume goes on with the settings of {}, which cannot be changed; use it alone or with "
        "--json. A new run that goes on from its weights is made with --from.",
        folder);
  }
  Ranks& ranks = ranks_of_job(console.stop);
  if (ranks.rank() > 0) {
    // the first rank holds the folder, and has set a damaged checkpoint aside
    if (gather(ranks, std::vector<char>{}).empty()) return ranks.finish();
    const Run run = load_run(folder, no_warning);
    run.learner->join(ranks);
    return assist(run, console);
  }
  Training training = resume_training(folder, warning_to(console));
  const bool finished = is_finished(training);
  if (!finished) training.run.learner->join(ranks);
  gather(ranks, std::vector<char>(finished ? 0 : 1, 'y'));
  if (finished) {
    console.write_document(read_file(folder + "/evaluation.json"));
    console.say(fmt::format(
        "{} is finished, all {} updates; vic eval {} shows it. A new run goes on from it with vic "
        "train --from {} --updates N.",
        folder, training.updates(), shell_word(folder), shell_word(folder)));
    return ranks.finish();
  }
  const Reference reference = solve(training.run, console);
  train_together(training, reference, console);
}

// the folder of a new run: "runs/line-transition-1", or "runs/line-transition-1-more" with --from
std::string folder_of(const TrainOptions& options, const Run& run) {
  if (!options.out.empty()) return options.out;
  if (!options.from.empty()) {
    std::string from = std::filesystem::path(options.from).lexically_normal().string();
    if (from.ends_with('/')) from.pop_back();
    return from + "-more";
  }
  const TrainSettings& settings = run.learner->settings();
  return fmt::format("runs/{}-{}-{}", world_name(run.world), settings.algorithm, settings.seed);
}

void run_train(const TrainOptions& options, const UserSettings& given, const Console& console) {
  if (!options.resume.empty()) return run_resume(options, given, console);
  const std::vector<Assignment> set = assignments_of(options, given, console);
  const bool named = std::ranges::find(set, "run.world", &Assignment::key) != set.end();
  if (!named && options.from.empty()) {
    fail_usage(
        "vic train needs a world, --settings of a run, --from with a run to go on from, or "
        "--resume "
        "with one that was interrupted; see vic train --help.");
  }
  Run run = [&] {
    // models of worlds with very many states take a while
    ProgressLine line(console);
    if (console.progress) line.show("making the world and the models");
    return options.from.empty() ? make_run(Overrides(set))
                                : make_run_from(options.from, set, warning_to(console));
  }();
  Ranks& ranks = ranks_of_job(console.stop);
  run.learner->join(ranks);
  if (ranks.rank() > 0) return assist(run, console);
  const std::string folder = folder_of(options, run);
  // a world that cannot be solved fails before anything is written
  const Existing existing = options.force ? Existing::replace : Existing::keep;
  require_no_run(folder, existing);
  const Reference reference = solve(run, console);
  Training training = begin_training(std::move(run), folder, existing);
  train_together(training, reference, console);
}

}  // namespace

Action declare_train(Arguments& arguments) {
  auto options = std::make_shared<TrainOptions>();
  arguments.positional("world", options->world, Need::optional,
                       "a registered name, or a world file (.toml, or .xml for a MuJoCo model)");
  arguments.option("--algorithm ALGORITHM", options->algorithm,
                   alternatives(algorithm_names()) +
                       "; by default transition, and marginal in a simulated world");
  arguments.option("--seed N", options->seed, "all randomness of the run comes from it");
  arguments.option("--updates N", options->updates,
                   "updates of the policy, after those of train.warm_up");
  arguments.option("--out FOLDER", options->out,
                   "the run's folder; runs/WORLD-ALGORITHM-SEED by default");
  arguments.option("--resume RUN", options->resume, "go on with a run that was interrupted");
  arguments.option(
      "--from RUN", options->from,
      "a new run that begins with all that RUN has learned, with its settings; updates "
      "and learning rate begin anew, without a warm-up. Its folder is RUN-more by "
      "default");
  arguments.flag("--force", options->force, "replace the run that is in the folder");
  arguments.footer(
      settings_help({describe("train", TrainSettings{}), describe("run", RunSettings{}),
                     describe("eval", EvalSettings{})}) +
      world_settings_help);
  return [options](const UserSettings& settings, const Console& console) {
    run_train(*options, settings, console);
  };
}

}  // namespace vic
