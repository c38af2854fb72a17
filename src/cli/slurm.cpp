#include "cli/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/file.h"
#include "base/file_value.h"
#include "base/spawn.h"
#include "base/text.h"
#include "run/run_folder.h"

namespace vic {
namespace {

std::string record_path(const std::string& folder) {
  return slurm_folder(folder) + "/submission.json";
}

// the options of sbatch that both jobs share
std::string options_of(const SlurmJob& job, std::string_view log) {
  std::string text = fmt::format(
      "#SBATCH --chdir={}\n#SBATCH --time={}\n#SBATCH --mem={}\n#SBATCH --cpus-per-task={}\n"
      "#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --output={}\n",
      shell_word(job.start), job.time, job.memory, job.cpus,
      shell_word(fmt::format("{}/{}", slurm_folder(job.folder), log)));
  for (const std::string& option : job.more) text += fmt::format("#SBATCH {}\n", option);
  return text;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// "CANCELLED by 0" is cancelled
std::string first_word(const std::string& text) {
  return text.substr(0, text.find(' '));
}

}  // namespace

std::string slurm_folder(const std::string& folder) {
  return folder + "/slurm";
}

std::string slurm_script(const SlurmJob& job) {
  std::vector<std::string> texts = {job.name,   job.start, job.folder, job.task,
                                    job.finish, job.time,  job.memory};
  texts.insert(texts.end(), job.more.begin(), job.more.end());
  for (const std::string& text : texts) {
    if (has_control(text)) fail_usage("'{}' has control characters; leave them out.", shown(text));
  }
  return fmt::format(R"(#!/bin/sh
# {runs} runs as a job array, and a job after it for verdicts and page. Made by vic submit.
set -e
array=$(sbatch --parsable <<'END'
#!/bin/sh
#SBATCH --job-name={name}
#SBATCH --array=1-{tasks}
{array_options}exec {task}
END
)
array=${{array%%;*}}
finish=$(sbatch --parsable --dependency=afterany:"$array" <<'END'
#!/bin/sh
#SBATCH --job-name={name}-finish
{finish_options}# the save of a job that is stopped is waited for
trap : TERM
{finish}
code=$?
# a claim of the paper that is refuted is a finding, not a failure
if [ $code -eq 3 ]; then code=0; fi
exit $code
END
) || {{ scancel "$array"; exit 1; }}
echo "$array ${{finish%%;*}}"
)",
                     fmt::arg("runs", job.runs), fmt::arg("name", shell_word(job.name)),
                     fmt::arg("tasks", job.tasks),
                     fmt::arg("array_options", options_of(job, "%A_%a.out")),
                     fmt::arg("finish_options", options_of(job, "%j.out")),
                     fmt::arg("task", job.task), fmt::arg("finish", job.finish));
}

void write_submission(const Submission& submission, const std::string& folder) {
  Json runs = Json::array();
  for (const RunStatus& run : submission.runs) {
    runs.push_back(Json{{"name", std::filesystem::path(run.folder).filename().string()},
                        {"world", run.world},
                        {"algorithm", run.algorithm},
                        {"seed", run.seed},
                        {"updates", run.updates}});
  }
  const Json record = {{"array", submission.array},
                       {"finish", submission.finish},
                       {"tasks", submission.tasks},
                       {"runs", std::move(runs)}};
  write_file(record_path(folder), record.dump(2) + "\n", Links::replace);
}

std::optional<Submission> read_submission(const std::string& folder) {
  const std::string path = record_path(folder);
  if (!path_exists(path)) return std::nullopt;
  require_plain_file(path);
  const FileValue record = FileValue::parse(read_file(path), path);
  Submission submission{.array = record["array"].name(),
                        .finish = record["finish"].name(),
                        .tasks = static_cast<int>(record.whole("tasks")),
                        .runs = {}};
  const auto plain = [](const FileValue& value, std::string_view wrong) {
    const std::string text = value.text();
    if (has_control(text) || text.find_first_of(wrong) != std::string::npos) {
      value.reject("text of one line, and the name of no other folder");
    }
    return text;
  };
  for (const FileValue& run : record.objects("runs")) {
    RunStatus& status = submission.runs.emplace_back();
    status.folder = fmt::format("{}/{}", folder, plain(run["name"], "/"));
    status.world = plain(run["world"], "");
    status.algorithm = plain(run["algorithm"], "");
    status.seed = run.whole("seed");
    status.updates = run.whole("updates");
    status.state = RunState::pending;
  }
  return submission;
}

std::vector<RunStatus> pending_runs(const Submission& submission) {
  std::vector<RunStatus> pending = submission.runs;
  std::erase_if(pending, [](const RunStatus& run) { return has_run(run.folder); });
  for (RunStatus& run : pending) run.holder = FolderLock::holder(run.folder);
  return pending;
}

std::vector<SlurmTask> parse_tasks(std::string_view lines) {
  std::vector<SlurmTask> tasks;
  std::istringstream text{std::string(lines)};
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    SlurmTask task;
    std::getline(words, task.id, '|');
    std::getline(words, task.state, '|');
    std::getline(words, task.node, '|');
    std::getline(words, task.reason);
    task.state = lower(first_word(task.state));
    // placeholders for a missing reason or node
    if (task.reason == "None" || task.reason == "0:0") task.reason.clear();
    if (task.node == "None assigned" || task.node == "n/a") task.node.clear();
    if (!task.id.empty() && !task.state.empty()) tasks.push_back(std::move(task));
  }
  return tasks;
}

std::optional<std::vector<SlurmTask>> query_tasks(const Submission& submission) {
  bool answered = false;
  std::vector<SlurmTask> all;
  const auto query = [&](const std::vector<std::string>& words) {
    const auto found = run_and_read(words);
    if (!found || found->code != 0) return;
    answered = true;
    for (SlurmTask& task : parse_tasks(found->out)) {
      if (std::ranges::find(all, task.id, &SlurmTask::id) == all.end()) all.push_back(task);
    }
  };
  for (const std::string& job : {submission.array, submission.finish}) {
    // squeue forgets tasks some minutes after their end, and a job without tasks is an error to it
    query({"squeue", "--noheader", "--array", "--states=all", "--jobs=" + job,
           "--format=%i|%T|%N|%r"});
    query({"sacct", "--noheader", "--parsable2", "--allocations", "--array", "--jobs=" + job,
           "--format=JobID,State,NodeList,ExitCode"});
  }
  return answered ? std::optional(std::move(all)) : std::nullopt;
}

}  // namespace vic
