// vic eval: what a run has learned, beside the exact optima of its world.
#include <memory>

#include "cli/command.h"
#include "cli/eval_report.h"
#include "run/training.h"

namespace vic {
namespace {

struct EvalOptions {
  std::string run;
  std::string from;
  std::string svg;
};

void run_eval(const EvalOptions& options, const UserSettings& given, const Console& console) {
  EvalSettings settings;
  Overrides overrides = given.overrides();
  overrides.apply("eval", settings);
  overrides.finish();
  settings.stop = console.stop;
  if (options.from.empty() && !options.svg.empty()) {
    fail_usage("--svg draws the map of all starts: add --from all.");
  }
  if (!options.from.empty()) {
    if (options.from != "all") {
      fail_usage("--from {} is invalid: use --from all, which evaluates every start.",
                 options.from);
    }
    return show_starts(load_tabular_run(options.run, warning_to(console)), settings, options.svg,
                       console);
  }
  const Run run = load_trained_run(options.run, warning_to(console));
  const Reference reference = solve(run, console);
  const Evaluation evaluation =
      evaluate(*run.learner, settings, {.progress = evaluation_on(console)});
  warn_of(run, evaluation, reference, warning_to(console));
  console.show([&] { return result_json(run, evaluation, reference); },
               [&] { print_evaluation(run, evaluation, reference, console); });
}

}  // namespace

Action declare_eval(Arguments& arguments) {
  auto options = std::make_shared<EvalOptions>();
  arguments.positional("run", options->run, Need::required,
                       "the folder of a run, as vic train makes it");
  arguments.option("--from all", options->from,
                   "H and D from every start, of a run with train.starts=all");
  arguments.option("--svg FILE", options->svg, "draw the map of --from all");
  arguments.footer(settings_help({describe("eval", EvalSettings{})}));
  return [options](const UserSettings& settings, const Console& console) {
    run_eval(*options, settings, console);
  };
}

}  // namespace vic
