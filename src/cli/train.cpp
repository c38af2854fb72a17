// vic train: a learner in a world, and the folder of its run.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <chrono>
#include <fstream>
#include <memory>

#include "cli/command.h"
#include "cli/eval_report.h"
#include "run/run_folder.h"

namespace vic {
namespace {

struct TrainOptions {
  CommonOptions common;
  std::string world, out;
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
  TrainMonitor(const Console& console, long updates, double H_max)
      : line_(console), updates_(updates), H_max_(H_max) {}

  void follow(const Learner& learner, long update) {
    if (!line_.due()) return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    const double rate = static_cast<double>(update) / elapsed.count();
    const double I = learner.metrics().I_hat;
    const double fraction = static_cast<double>(update) / static_cast<double>(updates_);
    line_.show(fmt::format("{} {}/{}  {:.0f}/s  {:.0f} s left  I {:.4f}  {:.1f} % of H_max",
                           bar(fraction, 24), update, updates_, rate,
                           static_cast<double>(updates_ - update) / rate, I, 100 * I / H_max_));
  }

 private:
  ProgressLine line_;
  long updates_;
  double H_max_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void train(Run& run, const std::string& folder, double H_max, const Console& console) {
  Learner& learner = *run.learner;
  const long all = learner.settings().warm_up + long{learner.settings().updates};
  std::ofstream metrics(folder + "/metrics.jsonl");
  if (!metrics) throw Error(fmt::format("Cannot write {}/metrics.jsonl.", folder));
  TrainMonitor monitor(console, all, H_max);
  for (long update = 1; update <= all; ++update) {
    learner.update();
    if (update % run.settings.metrics_every == 0) metrics << metrics_line(learner.metrics());
    monitor.follow(learner, update);
  }
  save_checkpoint(run, folder);
  if (!metrics.flush()) throw Error(fmt::format("Cannot write {}/metrics.jsonl.", folder));
}

void run_train(const TrainOptions& options, const Console& console) {
  Run run = make_run(overrides_of(options));
  const TrainSettings& settings = run.learner->settings();
  const std::string folder = options.out.empty() ? fmt::format("runs/{}-{}-{}", run.world->name,
                                                               settings.algorithm, settings.seed)
                                                 : options.out;
  // what can fail for the world's sake fails before anything is written
  const Json truth = find_truth_json(*run.world);
  begin_run_folder(run, folder);
  train(run, folder, truth.at("H_max"), console);
  const Evaluation evaluation = evaluate(*run.learner, {});
  if (options.common.json) {
    fmt::print(console.out, "{}\n", evaluation_json(run, evaluation, truth).dump(2));
  } else {
    print_evaluation(run, evaluation, truth, console);
    fmt::print(console.out, "\n  kept in {}; vic eval {} shows this again\n", folder, folder);
  }
}

}  // namespace

Action declare_train(CLI::App& app) {
  auto options = std::make_shared<TrainOptions>();
  app.add_option("world", options->world, "a registered name, or a world file (.toml)")
      ->type_name("WORLD")
      ->required();
  app.add_option("--algorithm", options->algorithm, "implicit, transition, mixture or marginal")
      ->type_name("A");
  app.add_option("--seed", options->seed, "all randomness of the run comes from it")
      ->type_name("N");
  app.add_option("--updates", options->updates, "updates of the policy")->type_name("N");
  app.add_option("--out", options->out, "the run's folder; runs/WORLD-ALGORITHM-SEED by default")
      ->type_name("FOLDER");
  options->common.add_to(app);
  app.footer(settings_help({describe("train", TrainSettings{}), describe("run", RunSettings{})}) +
             world_settings_help);
  return [options](const Console& console) { run_train(*options, console); };
}

}  // namespace vic
