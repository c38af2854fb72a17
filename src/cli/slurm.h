// A sweep as Slurm has it: a job array whose tasks train the runs, and a job after them that trains
// what is left and makes verdicts and page. The record of a submission, which is kept beside the
// runs, and what Slurm says of its tasks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "report/data/run_list.h"

namespace vic {

struct SlurmJob {
  std::string name;          // of the jobs
  std::string start;         // the folder that the commands start in
  std::string folder;        // of the runs
  int runs = 0;              // that are left
  std::string task, finish;  // the commands, as the shell has them
  int tasks = 1;
  int cpus = 1;
  std::string time, memory;       // as sbatch takes them
  std::vector<std::string> more;  // options of sbatch: "--partition=long"
};

// What belongs to Slurm in the folder of the runs: this script, what the tasks wrote, the record.
std::string slurm_folder(const std::string& folder);

// The script that submits both jobs and prints their numbers. Throws a UsageError where a text has
// control characters: a line break in it would begin another command.
std::string slurm_script(const SlurmJob& job);

// What was submitted.
struct Submission {
  std::string array, finish;    // the numbers of the jobs
  int tasks = 0;                // of the array
  std::vector<RunStatus> runs;  // those of the experiment, as pending
};

void write_submission(const Submission& submission, const std::string& folder);

// Nothing where none was written. Throws a UsageError where it is damaged.
std::optional<Submission> read_submission(const std::string& folder);

// Those of its runs that have no settings yet; one that is locked is begun now.
std::vector<RunStatus> pending_runs(const Submission& submission);

// A task of the array, or the job after it.
struct SlurmTask {
  std::string id;      // "17_3", "18"
  std::string state;   // in lower case: "running", "pending", "completed", "failed", "node_fail"
  std::string node;    // where it runs or ran; "" where it has not begun
  std::string reason;  // why it waits or failed, "" where that is not known
};

// The lines of squeue --format=%i|%T|%N|%r, and of sacct --format=JobID,State,NodeList,ExitCode.
std::vector<SlurmTask> parse_tasks(std::string_view lines);

// What squeue knows of the jobs, and of tasks that it has forgotten sacct. Nothing where neither
// answers.
std::optional<std::vector<SlurmTask>> query_tasks(const Submission& submission);

// Shows what was submitted in a folder: its tasks, and its runs. Throws a UsageError where nothing
// was.
void show_status(const std::string& folder, const Console& console);

}  // namespace vic
