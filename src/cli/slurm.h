// A sweep in Slurm: a job array whose tasks train the runs, and a job after them that trains what
// is left and makes verdicts and page. The record of a submission is kept beside the runs; Slurm
// reports the state of its tasks.
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
  std::string task, finish;  // the commands, quoted for the shell
  int tasks = 1;
  int cpus = 1;
  std::string time, memory;       // in the notation of sbatch
  std::vector<std::string> more;  // options of sbatch: "--partition=long"
};

// The folder for Slurm in the folder of the runs: the script, the output of the tasks, the record.
std::string slurm_folder(const std::string& folder);

// The script that submits both jobs and prints their numbers. Throws a UsageError if a text has
// control characters: a line break in it would begin another command.
std::string slurm_script(const SlurmJob& job);

// The record of a submission.
struct Submission {
  std::string array, finish;    // the numbers of the jobs
  int tasks = 0;                // of the array
  std::vector<RunStatus> runs;  // those of the experiment, as pending
};

void write_submission(const Submission& submission, const std::string& folder);

// Nothing if none was written. Throws a UsageError if it is damaged.
std::optional<Submission> read_submission(const std::string& folder);

// The runs that have no settings yet; one whose folder is locked is about to begin.
std::vector<RunStatus> pending_runs(const Submission& submission);

// A task of the array, or the job after it.
struct SlurmTask {
  std::string id;      // "17_3", "18"
  std::string state;   // in lower case: "running", "pending", "completed", "failed", "node_fail"
  std::string node;    // where it runs or ran; "" if it has not begun
  std::string reason;  // why it waits or failed, "" if not known
};

// Reads the lines of squeue --format=%i|%T|%N|%r, and of sacct
// --format=JobID,State,NodeList,ExitCode.
std::vector<SlurmTask> parse_tasks(std::string_view lines);

// The tasks of the jobs from squeue, and from sacct those that it has forgotten. Nothing if neither
// answers.
std::optional<std::vector<SlurmTask>> query_tasks(const Submission& submission);

// Shows the submission in a folder: its tasks, and its runs. Throws a UsageError if there is none.
void show_status(const std::string& folder, const Console& console);

}  // namespace vic
