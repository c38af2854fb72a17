// vic sweep: the runs of an experiment. vic reproduce: also the page, and the verdict on its
// claims.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "base/file.h"
#include "base/print.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/sweep_monitor.h"
#include "cli/sweep_options.h"
#include "experiment/shipped.h"
#include "experiment/verdict.h"
#include "report/page/page.h"

namespace vic {
namespace {

// the shard given by the user or a scheduler; prints which
SweepShare share_of(const SweepOptions& options, const Console& console) {
  const Environment environment = [](const char* name) -> const char* { return std::getenv(name); };
  SweepShare share;
  share.shard =
      options.shard.empty() ? shard_of(environment) : std::optional(parse_shard(options.shard));
  share.holder = holder_of(environment);
  share.most_runs = options.runs;
  share.jobs = options.jobs == 0 && share.shard ? 1 : thread_count(options.jobs);
  if (share.shard) {
    console.say(fmt::format("Shard {} of {}, by {}, as {}.", share.shard->index + 1,
                            share.shard->count, share.shard->origin, share.holder));
  }
  return share;
}

// trains runs that are not done and returns how many are left, held by others; throws Interrupted
// once all is saved
std::size_t sweep_and_watch(const Experiment& experiment, const SweepOptions& options,
                            const Console& console) {
  const std::string folder = options.folder();
  const SweepShare share = share_of(options, console);
  const SweepPlan plan = plan_sweep(experiment, folder, console.stop);
  std::size_t left = 0;
  {
    SweepWatch watch = watch_on(console, experiment, plan, share);
    watch.stop = console.stop;
    left = sweep(experiment, plan, share, watch);
  }
  if (left == 0 || !console.stop.wanted()) return left;
  throw Interrupted(
      fmt::format("Stopped; all runs in {} are saved, and the same command goes on.", folder));
}

// the end of a shard, while others go on
void show_left(std::size_t left, const Experiment& experiment, const std::string& folder,
               const Console& console) {
  const std::size_t all = experiment.runs.size();
  console.show([&] { return Json(read_evaluations(experiment, folder)); },
               [&] {
                 print(console.out,
                       "{} of {} runs are done in {}, the others are left to other shards; vic "
                       "runs {} shows them.\n",
                       all - left, all, folder, shell_word(folder));
               });
}

void run_sweep(const SweepOptions& options, const UserSettings& given, const Console& console) {
  const Experiment experiment = load_experiment(options, given);
  const std::string folder = options.folder();
  const std::size_t left = sweep_and_watch(experiment, options, console);
  if (left > 0) return show_left(left, experiment, folder, console);
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

// throws if a claim of ours does not hold, or one of the paper's is refuted
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
  } else if (const std::size_t left = sweep_and_watch(experiment, options, console); left > 0) {
    // the last process makes page and verdicts
    return show_left(left, experiment, folder, console);
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
                   "runs at the same time; one per core by default, in a shard one");
  arguments.option("--shard I/N", options->shard,
                   "share the runs with N - 1 other processes, on this host or others: each takes "
                   "the longest run that is free. Ranks of mpirun and srun and the tasks of a "
                   "Slurm job array are shards without it");
  arguments.option("--runs N", options->runs, Range{1, 100000},
                   "end after N runs, whatever is left");
  declare_runs_of(arguments, *options);
  return action(options, run);
}

}  // namespace

Action declare_sweep(Arguments& arguments) {
  auto options = std::make_shared<SweepOptions>();
  declare_variation(arguments, *options);
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
