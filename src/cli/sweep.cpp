// vic sweep: the runs of an experiment. vic reproduce: also the page, and the verdict on its
// claims.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/print.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/sweep_monitor.h"
#include "experiment/shipped.h"
#include "experiment/verdict.h"
#include "report/page/page.h"
#include "run/run_folder.h"

namespace vic {
namespace {

struct SweepOptions {
  std::string file, out;  // an experiment, or the world of a sweep without one
  std::vector<std::string> over;
  std::string seeds, algorithms;
  int jobs = 0;  // 0: one per core
  bool quick = false;
  bool verdicts_only = false;  // train nothing

  // whether the runs are said on the command line, and not in a file
  bool direct() const {
    return !over.empty() || !seeds.empty() || !algorithms.empty() || !file.ends_with(".toml");
  }

  std::string name() const {
    return std::filesystem::path(file).stem().string() + (direct() ? "-sweep" : "");
  }

  // the folder of the runs
  std::string folder() const {
    return out.empty() ? fmt::format("runs/{}{}", name(), quick ? "-quick" : "") : out;
  }
};

// "a,b,c"; with a semicolon in it "4,4;0,6", of values that have commas themselves
std::vector<std::string> split(const std::string& text) {
  const char separator = text.find(';') == std::string::npos ? ',' : ';';
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// --seeds 5 is 1 to 5, --seeds 1,2,7 a list, and so is --seeds 7,
std::vector<int> seeds_of(const std::string& text) {
  if (text.empty()) return {1};
  const bool list = text.size() > 1 && text.ends_with(',');
  std::vector<int> seeds;
  for (const std::string& part : split(text.substr(0, text.size() - (list ? 1 : 0)))) {
    parse_setting({"seeds", part, "--seeds"}, Range{0, 2147483647}, seeds.emplace_back());
  }
  if (list || seeds.size() > 1) return seeds;
  const int n = seeds[0];
  seeds.clear();
  if (n < 1 || n > 1000) {
    fail_usage("--seeds {} is not allowed; it must be a number from 1 to 1000, or a list.", n);
  }
  for (int seed = 1; seed <= n; ++seed) seeds.push_back(seed);
  return seeds;
}

// an experiment of one table: the world, and what --over, --seeds and --algorithm vary
Experiment direct_experiment(const SweepOptions& options, const UserSettings& given) {
  RunTable table;
  table.worlds = {{std::filesystem::path(options.file).stem().string(), options.file}};
  table.origin = "vic sweep";
  table.seeds = seeds_of(options.seeds);
  table.settings = given.assignments();
  if (!options.algorithms.empty()) table.algorithms = split(options.algorithms);
  std::string title;
  for (const std::string& text : options.over) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      fail_usage("--over: '{}' is not of the form key=a,b,c, as in --over train.lambda=0,0.5,1.",
                 shown(text));
    }
    Axis axis{text.substr(0, equals), {}};
    for (const std::string& value : split(text.substr(equals + 1))) {
      axis.choices.push_back({axis.key, value, "--over"});
    }
    title += (title.empty() ? ": " : ", ") + axis.key;
    if (axis.key == "train.seed") fail_usage("--over: seeds are varied with --seeds.");
    if (axis.key != "train.algorithm") {
      table.axes.push_back(std::move(axis));
      continue;
    }
    for (const Assignment& choice : axis.choices) table.algorithms.push_back(choice.value);
  }
  if (table.algorithms.empty()) {
    // the one that vic train would take
    std::vector<Assignment> first = table.settings;
    first.push_back({"run.world", options.file, "WORLD"});
    for (const Axis& axis : table.axes) first.push_back(axis.choices[0]);
    table.algorithms = {make_run(Overrides(first)).learner->settings().algorithm};
  }
  Experiment experiment;
  experiment.title = options.file + title;
  add_runs(experiment, table);
  return experiment;
}

// the experiment of the file, with what the user set on top of it
Experiment load_experiment(const SweepOptions& options, const UserSettings& given) {
  Experiment experiment;
  if (options.direct()) {
    experiment = direct_experiment(options, given);
  } else {
    experiment = read_experiment(read_file(options.file), options.file);
    for (RunPlan& run : experiment.runs) {
      for (const Assignment& set : given.assignments()) run.assignments.push_back(set);
    }
  }
  return options.quick ? quick(std::move(experiment)) : experiment;
}

// trains all runs that are not done; throws Interrupted once all is saved
void sweep_and_watch(const Experiment& experiment, const SweepOptions& options,
                     const Console& console) {
  const std::string folder = options.folder();
  const SweepPlan plan = plan_sweep(experiment, folder, console.stop);
  SweepWatch watch = watch_on(console, experiment, plan);
  watch.stop = console.stop;
  if (sweep(experiment, plan, thread_count(options.jobs), watch)) return;
  throw Interrupted(
      fmt::format("Stopped; all runs in {} are saved, and the same command goes on.", folder));
}

void run_sweep(const SweepOptions& options, const UserSettings& given, const Console& console) {
  const Experiment experiment = load_experiment(options, given);
  sweep_and_watch(experiment, options, console);
  const std::string folder = options.folder();
  console.show([&] { return Json(read_evaluations(experiment, folder)); },
               [&] {
                 print(console.out, "{} runs are done in {}; vic report {} shows them.\n",
                       experiment.runs.size(), folder, shell_word(folder));
               });
}

// coloured, and padded to the longest
std::string finding_text(Finding finding, const Console& console) {
  const std::string name = fmt::format("{:<9}", name_of(finding));
  if (console.palette == Palette::plain) return name;
  constexpr std::array colours = {"32", "1;31", "33", "2"};
  return fmt::format("\x1b[{}m{}\x1b[0m", colours[static_cast<std::size_t>(finding)], name);
}

std::string measured_text(const Verdict& verdict) {
  if (!verdict.measured || std::isinf(*verdict.measured)) return verdict.measured_as;
  const std::string range =
      verdict.low ? fmt::format(" [{:.4g}, {:.4g}]", *verdict.low, *verdict.high) : "";
  return fmt::format("{:.4f}{} {} of {}", *verdict.measured, range, verdict.measured_as,
                     verdict.seeds);
}

void print_verdicts(const std::vector<Verdict>& verdicts, const Console& console) {
  std::string text;
  for (const Verdict& verdict : verdicts) {
    const Claim& claim = verdict.claim;
    if (claim.text != text) {
      text = claim.text;
      print(console.out, "\n{} ({})\n  {} {}\n", text, claim.source, claim.quantity(),
            claim.wanted());
    }
    print(console.out, "  {}  {:<14} {:<18} {}\n", finding_text(verdict.finding, console),
          verdict.group, verdict.algorithm, measured_text(verdict));
    if (verdict.finding == Finding::refuted && !claim.see.empty()) {
      print(console.out, "             why: {}\n", claim.see);
    }
  }
}

// throws where a claim of ours does not hold, or one of the paper's is refuted
void report_findings(const std::vector<Verdict>& verdicts) {
  const auto count = [&](auto&& test) { return std::ranges::count_if(verdicts, test); };
  const auto ours = count([](const Verdict& v) { return v.claim.ours(); });
  const auto failed = count([](const Verdict& v) {
    return v.claim.ours() && v.finding != Finding::holds && v.finding != Finding::not_run;
  });
  const auto refuted =
      count([](const Verdict& v) { return !v.claim.ours() && v.finding == Finding::refuted; });
  if (failed > 0) {
    throw Error(fmt::format("{} of {} claims of ours do not hold.", failed, ours));
  }
  if (refuted > 0) {
    throw ClaimRefuted(
        fmt::format("{} of {} claims of the paper are refuted: a finding, not an "
                    "error.",
                    refuted, static_cast<long>(verdicts.size()) - ours));
  }
}

void write_report(const std::string& path, const Experiment& experiment,
                  const SweepOptions& options, Stop stop) {
  PageOptions page;
  page.title = experiment.title;
  page.version = VIC_VERSION;
  page.command = "./vic reproduce " + options.name();
  if (!options.quick) page.claims = read_claims({options.folder()});
  write_page(path, read_report({options.folder()}, stop), page);
}

void run_reproduce(SweepOptions options, const UserSettings& given, const Console& console) {
  options.file = experiment_file(options.file);
  const Experiment experiment = load_experiment(options, given);
  const std::string folder = options.folder();
  if (options.verdicts_only) {
    make_folders(folder);
  } else {
    sweep_and_watch(experiment, options, console);
  }

  // a few updates prove nothing: the quick form has no verdict
  std::vector<Verdict> verdicts = test_claims(experiment, read_results(experiment, folder));
  if (options.quick) verdicts.clear();
  if (!verdicts.empty()) write_verdicts(experiment, verdicts, folder);
  const std::string page = options.verdicts_only ? "" : folder + "/report.html";
  if (!page.empty()) write_report(page, experiment, options, console.stop);
  const auto held = std::ranges::count(verdicts, Finding::holds, &Verdict::finding);
  const auto json = [&] {
    return Json{{"title", experiment.title},
                {"folder", folder},
                {"report", maybe(page.empty() ? std::nullopt : std::optional(page))},
                {"claims", verdicts_json(verdicts)}};
  };
  console.show(json, [&] {
    print(console.out, "{}\n", experiment.title);
    print_verdicts(verdicts, console);
    print(console.out, "\n{} runs, {}; {}\n", experiment.runs.size(),
          options.quick ? "too short for claims"
                        : fmt::format("{} of {} claims hold", held, verdicts.size()),
          page.empty() ? fmt::format("the verdicts are in {}/verdict.json", folder)
                       : "the page is " + page);
  });
  console.out.flush();
  report_findings(verdicts);
}

template <class Run>
Action declare(Arguments& arguments, const std::shared_ptr<SweepOptions>& options, const char* name,
               const std::string& help, const Run& run) {
  arguments.positional(name, options->file, Need::required, help);
  arguments.option("--jobs N", options->jobs, Range{1, 1024},
                   "runs at the same time; one per core by default");
  arguments.option("--out FOLDER", options->out, "the folder of the runs; runs/NAME by default");
  arguments.flag("--quick", options->quick,
                 "one seed and a few updates of each: shows that all parts work");
  return action(options, run);
}

}  // namespace

Action declare_sweep(Arguments& arguments) {
  auto options = std::make_shared<SweepOptions>();
  arguments.option("--over KEY=A,B,C", options->over,
                   "train the world once for each value of a setting; may be repeated, then for "
                   "each combination. Values with commas are separated by semicolons");
  arguments.option("--seeds N", options->seeds,
                   "with seeds 1 to N, or those of a list, as in 1,2,7 or 7,");
  arguments.option("--algorithm LIST", options->algorithms, "with these algorithms");
  arguments.footer(
      "Without a file: vic sweep line-noisy --over train.lambda=0,0.5,1 --seeds 5\n"
      "All that vic train takes can be set for all runs with --set.\n");
  return declare(arguments, options, "file",
                 "an experiment (.toml), see docs/experiments.md; or a world, with --over, --seeds "
                 "or --algorithm",
                 run_sweep);
}

Action declare_reproduce(Arguments& arguments) {
  auto options = std::make_shared<SweepOptions>();
  arguments.flag("--verdicts-only", options->verdicts_only,
                 "train nothing: test the claims on the runs that are there");
  return declare(
      arguments, options, "figure",
      fmt::format("{}, or an experiment of yours (.toml)", fmt::join(shipped_experiments(), ", ")),
      run_reproduce);
}

}  // namespace vic
