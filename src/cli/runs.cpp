// vic runs: the runs that there are, and their progress.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/folder_lock.h"
#include "base/print.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/runs_view.h"
#include "cli/slurm.h"

namespace vic {
namespace {

struct RunsOptions {
  std::vector<std::string> folders = {};
};

// "training, 45 %, 12 min 04 s left"
std::string progress_text(const RunStatus& run) {
  const auto percent = [&] { return run.updates > 0 ? 100 * run.update / run.updates : 0; };
  switch (run.state) {
    case RunState::finished:
      return "finished";
    case RunState::damaged:
      return "damaged";
    case RunState::pending:
      return run.holder ? "claimed" : "pending";
    case RunState::interrupted:
      return fmt::format("interrupted, {} %", percent());
    case RunState::training:
      break;
  }
  if (run.phase == RunPhase::evaluation) return "evaluating";
  return fmt::format("{}, {} %{}", run.phase == RunPhase::warm_up ? "warm-up" : "training",
                     percent(),
                     run.seconds_left ? fmt::format(", {}", duration_text(*run.seconds_left)) : "");
}

// "2.1923", or "~2.1923" for an estimate, and its share of the best
std::pair<std::string, std::string> coverage(const RunStatus& run) {
  const std::optional<double> H = run.H ? run.H : run.I_hat;
  if (!H) return {"–", "–"};
  std::string share = "–";
  if (run.H_max && *run.H_max > 0) share = fmt::format("{:.1f} %", 100 * *H / *run.H_max);
  return {fmt::format("{}{:.4f}", run.H ? "" : "~", *H), share};
}

// the runs of one world and algorithm, one line each
void print_group(const std::vector<const RunStatus*>& runs, std::size_t width,
                 const Console& console) {
  const RunStatus& first = *runs.front();
  if (first.world.empty()) {
    print(console.out, "\ndamaged\n");
  } else {
    print(console.out, "\n{}, {}{}\n", shown(first.world), shown(first.algorithm),
          first.H_max ? fmt::format("; H_max {:.4f}", *first.H_max) : "");
  }
  for (const RunStatus* run : runs) {
    const auto [H, share] = coverage(*run);
    print(console.out, "  {}  {:>4}  {}  {}  {}\n",
          padded(cut_middle(shown(run->folder, std::string::npos), width), width, Side::left),
          run->seed, padded(progress_text(*run), 25, Side::left), padded(H, 8, Side::right),
          padded(share, 8, Side::right));
    // the process that trains it, unless that is simply this host
    if (run->holder && *run->holder != host_name()) {
      print(console.out, "    on {}\n", shown(*run->holder, 200));
    }
    if (!run->problem.empty()) print(console.out, "    {}\n", shown(run->problem, 1000));
    for (const std::string& warning : run->warnings) {
      print(console.out, "    warning: {}\n", shown(warning, 1000));
    }
  }
}

}  // namespace

void print_runs(const std::vector<RunStatus>& runs, const Console& console) {
  // the width that the other columns leave
  const std::size_t room = console.table_columns() - 57;
  std::size_t width = 3;
  std::vector<std::vector<const RunStatus*>> groups;
  for (const RunStatus& run : runs) {
    width = std::max(width, text_width(shown(run.folder, std::string::npos)));
    const auto same = [&](const auto& group) {
      return group.front()->world == run.world && group.front()->algorithm == run.algorithm &&
             group.front()->H_max == run.H_max;
    };
    const auto found = std::ranges::find_if(groups, same);
    if (found == groups.end()) {
      groups.push_back({&run});
    } else {
      found->push_back(&run);
    }
  }
  width = std::min(width, room);
  print(console.out, "  {:<{}}  seed  {:<25}  {:>8}  {:>8}\n", "run", width, "state", "H, nats",
        "of H_max");
  for (const auto& group : groups) print_group(group, width, console);
  const auto count = [&](RunState state) {
    return std::ranges::count(runs, state, &RunStatus::state);
  };
  const auto pending = count(RunState::pending);
  print(console.out, "\n{} {}: {} finished, {} training, {} interrupted, {} damaged{}\n",
        runs.size(), runs.size() == 1 ? "run" : "runs", count(RunState::finished),
        count(RunState::training), count(RunState::interrupted), count(RunState::damaged),
        pending > 0 ? fmt::format(", {} pending", pending) : "");
  if (std::ranges::any_of(runs, [](const RunStatus& run) { return !run.H && run.I_hat; })) {
    print(console.out, "~ is the running estimate of H; vic eval RUN computes H\n");
  }
}

std::vector<RunStatus> list_runs(const std::vector<std::string>& folders, const Console& console) {
  RunList list(folders);
  std::vector<RunStatus> runs = list.refresh();
  for (const std::string& sentence : list.unreadable()) warning_to(console)(sentence);
  // submitted runs that have not begun: of these folders, and of those in them
  const auto add_pending = [&](const std::string& folder) {
    const auto submission = read_submission(folder);
    if (!submission) return;
    for (RunStatus& run : pending_runs(*submission)) {
      const auto known = std::ranges::find(runs, run.folder, &RunStatus::folder);
      if (known == runs.end()) runs.push_back(std::move(run));
    }
  };
  for (const std::string& folder : folders) {
    add_pending(folder);
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
      if (entry.is_directory(unreadable)) add_pending(entry.path());
    }
  }
  return runs;
}

Json runs_json(const std::vector<RunStatus>& runs) {
  Json all = Json::array();
  for (const RunStatus& run : runs) all.push_back(status_json(run));
  return all;
}

namespace {

void run_runs(const RunsOptions& options, const UserSettings& given, const Console& console) {
  given.overrides().finish();
  const std::vector<std::string> folders =
      options.folders.empty() ? std::vector<std::string>{"runs"} : options.folders;
  for (const std::string& folder : folders) {
    if (!path_may_exist(folder))
      fail_usage("There is no folder '{}'; vic train makes runs.", folder);
  }
  const std::vector<RunStatus> runs = list_runs(folders, console);
  const auto json = [&] { return Json{{"runs", runs_json(runs)}}; };
  console.show(json, [&] {
    if (runs.empty()) {
      print(console.out, "There are no runs in {}; vic train makes some.\n",
            fmt::join(folders, ", "));
    } else {
      print_runs(runs, console);
    }
  });
}

}  // namespace

Action declare_runs(Arguments& arguments) {
  auto options = std::make_shared<RunsOptions>();
  arguments.positional("folder", options->folders, Need::optional,
                       "run folders, or folders that hold some; runs by default");
  arguments.footer("Runs that train now are listed with the time left until their last update.\n");
  return action(options, run_runs);
}

}  // namespace vic
