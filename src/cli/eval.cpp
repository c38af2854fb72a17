// vic eval: what a run has learned, measured against the truth.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <memory>

#include "cli/command.h"
#include "cli/eval_report.h"
#include "run/run_folder.h"

namespace vic {
namespace {

struct EvalOptions {
  CommonOptions common;
  std::string run;
  std::string from;
  std::string svg;
};

void run_eval(const EvalOptions& options, const Console& console) {
  EvalSettings settings;
  Overrides overrides = options.common.overrides();
  overrides.apply("eval", settings);
  overrides.finish();
  if (options.from.empty() && !options.svg.empty()) {
    fail_usage("--svg draws the map of all starts: say --from all with it.");
  }
  if (!options.from.empty()) {
    if (options.from != "all") {
      fail_usage("--from {} is not known here; --from all measures every start.", options.from);
    }
    return print_starts(load_tabular_run(options.run, warning_to(console)), settings, options.svg,
                        options.common.json, console);
  }
  const Run run = load_trained_run(options.run, warning_to(console));
  const Json truth = find_truth_json(*run.learner);
  const Evaluation evaluation = evaluate(*run.learner, settings);
  if (options.common.json) {
    fmt::print(console.out, "{}\n", evaluation_json(*run.learner, evaluation, truth).dump(2));
  } else {
    print_evaluation(run, evaluation, truth, console);
  }
}

}  // namespace

Action declare_eval(CLI::App& app) {
  auto options = std::make_shared<EvalOptions>();
  app.add_option("run", options->run, "the folder of a run, as vic train makes it")
      ->type_name("RUN")
      ->required();
  app.add_option("--from", options->from,
                 "all: H and D from every start, of a run with train.starts=all")
      ->type_name("all");
  app.add_option("--svg", options->svg, "draw the map of --from all")->type_name("FILE");
  options->common.add_to(app);
  app.footer(settings_help({describe("eval", EvalSettings{})}));
  return [options](const Console& console) { run_eval(*options, console); };
}

}  // namespace vic
