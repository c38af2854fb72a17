// vic submit: the runs of an experiment as a Slurm job array.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/print.h"
#include "base/spawn.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/slurm.h"
#include "cli/sweep_options.h"
#include "experiment/estimate.h"
#include "experiment/shipped.h"

namespace vic {
namespace {

struct SubmitOptions {
  SweepOptions sweep;
  std::string time, memory, partition, account;
  int array_size = 0;  // 0: one task per run that is left, as far as Slurm allows
  int cpus = 0;        // 0: as many as a run has threads
  std::vector<std::string> sbatch;
  bool dry_run = false, status = false;
};

// Slurm's default of MaxArraySize allows no more
constexpr int most_tasks = 1000;
// a task gets this multiple of what its runs are expected to take, and at least the minimum
constexpr double time_margin = 3, memory_margin = 2;
constexpr double least_minutes = 10, least_megabytes = 500;

// the words that name the experiment, as typed
std::vector<std::string> experiment_words(const SweepOptions& options, const UserSettings& given) {
  std::vector<std::string> words = {options.file, "--out", options.folder()};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {name, value});
  };
  for (const std::string& over : options.over) add("--over", over);
  add("--seeds", options.seeds);
  add("--algorithm", options.algorithms);
  if (options.quick) words.emplace_back("--quick");
  add("--settings", given.file);
  for (const std::string& set : given.sets) add("--set", set);
  return words;
}

std::string command_text(const char* command, const std::vector<std::string>& words) {
  std::string text =
      shell_word(std::filesystem::read_symlink("/proc/self/exe").string()) + " " + command;
  for (const std::string& word : words) text += " " + shell_word(word);
  return text;
}

// the job for the runs that are left, given what they take
SlurmJob job_of(const SubmitOptions& options, const UserSettings& given, const SweepPlan& plan,
                const RunEstimate& estimate) {
  const SweepOptions& sweep = options.sweep;
  SlurmJob job{.name = sweep.name(),
               .start = std::filesystem::current_path().string(),
               .folder = sweep.folder(),
               .runs = static_cast<int>(plan.left()),
               .task = {},
               .finish = {},
               .cpus = options.cpus,
               .time = options.time,
               .memory = options.memory,
               .more = {}};
  int threads = 1;
  for (const SweepRun& run : plan.runs) threads = std::max(threads, run.threads);
  if (job.cpus == 0) job.cpus = threads;
  const int jobs = std::max(1, job.cpus / threads);  // runs at the same time
  const int wanted = options.array_size > 0 ? options.array_size : most_tasks;
  job.tasks = std::clamp((job.runs + jobs - 1) / jobs, 1, wanted);
  const int share = (job.runs + job.tasks - 1) / job.tasks;  // runs of a task
  const int rounds = (share + jobs - 1) / jobs;
  if (job.time.empty()) {
    const double minutes = time_margin * rounds * estimate.seconds / 60;
    job.time = fmt::format("{:.0f}", std::ceil(std::max(least_minutes, minutes)));
  }
  if (job.memory.empty()) {
    const double megabytes = memory_margin * jobs * estimate.megabytes;
    job.memory =
        fmt::format("{:.0f}M", std::ceil(std::max(least_megabytes, megabytes) / 100) * 100);
  }
  if (!options.partition.empty()) job.more.push_back("--partition=" + options.partition);
  if (!options.account.empty()) job.more.push_back("--account=" + options.account);
  job.more.insert(job.more.end(), options.sbatch.begin(), options.sbatch.end());

  std::vector<std::string> words = experiment_words(sweep, given);
  words.insert(words.end(), {"--jobs", fmt::format("{}", jobs)});
  job.finish = command_text(sweep.direct() ? "sweep" : "reproduce", words);
  words.insert(words.end(), {"--runs", fmt::format("{}", share)});
  job.task = command_text("sweep", words);
  return job;
}

// runs the script and returns the numbers of both jobs
Submission submit(const SlurmJob& job) {
  const std::string folder = slurm_folder(job.folder), path = folder + "/submit.sh";
  make_folders(folder);
  write_file(path, slurm_script(job));
  const auto done = run_and_read({"sh", path});
  if (!done) throw Error("Cannot submit: there is no sh.");
  const std::string said = done->err.substr(0, done->err.find('\n'));
  const std::size_t space = done->out.find(' ');
  if (done->code != 0 || space == std::string::npos) {
    throw Error(fmt::format("Slurm refused the job: {}; the script is {}.",
                            said.empty() ? "it said nothing" : shown(said, 500), path));
  }
  return {.array = done->out.substr(0, space),
          .finish = done->out.substr(space + 1, done->out.find('\n') - space - 1),
          .tasks = job.tasks,
          .runs = {}};
}

void show_submission(const SlurmJob& job, const Submission& submission, const RunEstimate& estimate,
                     const SubmitOptions& options, const Console& console) {
  const auto json = [&] {
    return Json{
        {"folder", job.folder}, {"array", submission.array},   {"finish", submission.finish},
        {"runs", job.runs},     {"tasks", job.tasks},          {"time", job.time},
        {"memory", job.memory}, {"seconds", estimate.seconds}, {"megabytes", estimate.megabytes}};
  };
  console.show(json, [&] {
    print(console.out,
          "{} runs in {}: job array {} of {} tasks, then job {} for verdicts and page.\n", job.runs,
          job.folder, submission.array, job.tasks, submission.finish);
    print(console.out, "--time {} --memory {}: the longest run takes {} {}, in {:.0f} MB.\n",
          job.time, job.memory, duration_text(estimate.seconds), estimate.origin,
          estimate.megabytes);
    print(console.out, "vic submit {} --out {} --status shows them; scancel {} {} ends them.\n",
          shell_word(options.sweep.file), shell_word(job.folder), submission.array,
          submission.finish);
  });
}

// tasks of an earlier submission take part in the same sweep
void warn_of_tasks(const std::string& folder, const Console& console) {
  const auto earlier = read_submission(folder);
  const auto tasks = earlier ? query_tasks(*earlier) : std::nullopt;
  if (!tasks) return;
  const bool active = std::ranges::any_of(*tasks, [](const SlurmTask& task) {
    return task.state == "running" || task.state == "pending";
  });
  if (!active) return;
  warning_to(console)(
      fmt::format("The jobs {} and {} are not over; their tasks go on and share the runs.",
                  earlier->array, earlier->finish));
}

void run_submit(SubmitOptions options, const UserSettings& given, const Console& console) {
  SweepOptions& sweep = options.sweep;
  // the name of an experiment, unless it is a world to be varied
  if (sweep.over.empty() && sweep.seeds.empty() && sweep.algorithms.empty()) {
    sweep.file = experiment_file(sweep.file);
  }
  const std::string folder = sweep.folder();
  if (options.status) return show_status(folder, console);
  const Experiment experiment = load_experiment(sweep, given);
  const SweepPlan plan = plan_sweep(experiment, folder, console.stop);
  if (plan.left() == 0 && !options.dry_run) {
    fail_usage("All {} runs in {} are done; {} shows them.", plan.runs.size(), folder,
               sweep.direct() ? "vic report " + shell_word(folder)
                              : "vic reproduce " + shell_word(sweep.file));
  }
  const bool slurm = run_and_read({"sbatch", "--version"}).has_value();
  if (!slurm && !options.dry_run) {
    throw Error(
        "There is no sbatch here: submit on a host of a Slurm cluster. --dry-run prints the "
        "script, and vic sweep --shard 1/8 shares a sweep with any other scheduler.");
  }
  const RunEstimate measured = estimate_runs(experiment, plan, console.stop);
  const SlurmJob job = job_of(options, given, plan, measured);
  if (options.dry_run) {
    const std::string script = slurm_script(job);
    return console.show(
        [&] {
          return Json{{"script", script}};
        },
        [&] { print(console.out, "{}", script); });
  }
  warn_of_tasks(folder, console);
  Submission submission = submit(job);
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    RunStatus& run = submission.runs.emplace_back();
    run.folder = plan.runs[i].folder;
    run.world = experiment.runs[i].group;
    run.algorithm = experiment.runs[i].algorithm;
    run.seed = experiment.runs[i].seed;
    run.updates = plan.runs[i].updates;
  }
  write_submission(submission, folder);
  show_submission(job, submission, measured, options, console);
}

}  // namespace

Action declare_submit(Arguments& arguments) {
  auto options = std::make_shared<SubmitOptions>();
  arguments.positional("figure", options->sweep.file, Need::required,
                       "an experiment: its name, or a file (.toml); or a world, with --over, "
                       "--seeds or --algorithm");
  arguments.flag("--dry-run", options->dry_run, "print the script and submit nothing");
  arguments.flag("--status", options->status,
                 "submit nothing: the tasks that were submitted, and the runs");
  arguments.option("--time LIMIT", options->time,
                   "the time of a task, as sbatch takes it: minutes, hours:minutes:seconds; three "
                   "times what its runs are expected to take by default, 10 minutes at least");
  arguments.option("--memory SIZE", options->memory,
                   "the memory of a task, as in 2G; twice what a run was seen to take by default, "
                   "500 MB at least");
  arguments.option("--array-size N", options->array_size, Range{1, 100000},
                   "tasks of the array; enough for all runs that are left at once by default, 1000 "
                   "at most");
  arguments.option("--cpus N", options->cpus, Range{1, 1024},
                   "cores of a task, which trains as many runs at the same time as it has threads "
                   "for; as many as a run has threads by default");
  arguments.option("--partition NAME", options->partition, "where the tasks run");
  arguments.option("--account NAME", options->account, "who is charged");
  arguments.option("--sbatch OPTION", options->sbatch,
                   "any other option of sbatch, as in --sbatch=--qos=long; may be repeated");
  declare_runs_of(arguments, options->sweep);
  declare_variation(arguments, options->sweep);
  arguments.footer("The same command again submits what is left. See docs/cluster.md.\n");
  return action(options, run_submit);
}

}  // namespace vic
