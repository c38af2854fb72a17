// vic eval: a run's evaluation, compared with the exact optima of its world.
#include <memory>

#include "base/file_value.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/eval_report.h"
#include "cli/text.h"
#include "run/result_mark.h"
#include "run/run_from.h"
#include "run/training.h"

namespace vic {
namespace {

struct EvalOptions {
  std::string run;
  std::string from;
  std::string svg;
  std::string world;
  bool again = false;
};

// evaluates and returns the document
std::string evaluation_text(const Run& run, const EvalSettings& settings, const Console& console) {
  const Reference reference = solve(run, console);
  const Evaluation evaluation =
      evaluate(*run.learner, settings, {.progress = evaluation_on(console)});
  return result_json(run, evaluation, reference).dump(2) + "\n";
}

void run_eval(const EvalOptions& options, const UserSettings& given, const Console& console) {
  std::vector<Assignment> set = given.assignments();
  if (!options.world.empty()) set.push_back({"run.world", options.world, "--world"});
  for (const Assignment& one : set) {
    if (one.key == "run.world" || one.key.starts_with("eval.") || one.key.starts_with("world.")) {
      continue;
    }
    fail_usage("{}: {} is a setting of the training; vic eval takes eval.* and world.*.",
               one.origin, shown(one.key));
  }
  if (options.from.empty() && !options.svg.empty()) {
    fail_usage("--svg draws the map of all starts: add --from all.");
  }
  if (!options.from.empty()) {
    if (options.from != "all") {
      fail_usage("--from {} is invalid: use --from all, which evaluates every start.",
                 options.from);
    }
  }
  const Run run = set.empty() ? load_trained_run(options.run, warning_to(console))
                              : load_run_elsewhere(options.run, set, warning_to(console));
  EvalSettings settings = run.eval;
  settings.stop = console.stop;
  if (!options.from.empty()) {
    require_table(run.world);
    return show_starts(run, settings, options.svg, console);
  }
  // settings may select another world, or another evaluation
  const bool may_be_stored = set.empty() && !options.again;
  const auto stored = may_be_stored ? stored_evaluation(run, options.run) : std::nullopt;
  const std::string path = stored ? options.run + "/evaluation.json" : "the evaluation";
  const std::string text = stored ? *stored : evaluation_text(run, settings, console);
  for (const std::string& warning : FileValue::parse(text, path).texts("warnings")) {
    warning_to(console)(shown(warning, std::string::npos));
  }
  if (stored) {
    if (const TabularWorld* table = table_in(run.world)) {
      warn_of_distant_goals(*table, warning_to(console));
    }
    console.say(fmt::format("{} has this evaluation; --again computes it anew",
                            shown(path, std::string::npos)));
  }
  show_evaluation(run, text, path, console);
}

}  // namespace

Action declare_eval(Arguments& arguments) {
  auto options = std::make_shared<EvalOptions>();
  arguments.positional("run", options->run, Need::required,
                       "the folder of a run, as vic train makes it");
  arguments.option("--from all", options->from,
                   "H and D from every start, of a run with train.starts=all");
  arguments.option("--world WORLD", options->world,
                   "evaluate in another world with the same states; --set world.noise=0.2 changes "
                   "that of the run");
  arguments.flag("--again", options->again,
                 "evaluate anew, also where the run's evaluation.json has the result");
  arguments.option("--svg FILE", options->svg, "draw the map of --from all");
  arguments.footer(settings_help({describe("eval", EvalSettings{})}) + world_settings_help);
  return [options](const UserSettings& settings, const Console& console) {
    run_eval(*options, settings, console);
  };
}

}  // namespace vic
