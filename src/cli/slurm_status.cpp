// The output of vic submit --status: the tasks of a submission in Slurm, and its runs.
#include <fmt/format.h>

#include <map>

#include "base/print.h"
#include "base/text.h"
#include "cli/runs_view.h"
#include "cli/slurm.h"

namespace vic {
namespace {

// "12 completed, 33 pending (Resources)" of `all` tasks
std::string counts_of(const std::vector<SlurmTask>& tasks, std::size_t all) {
  std::map<std::string, int> counts;
  for (const SlurmTask& task : tasks) {
    const bool waits = task.state == "pending" && !task.reason.empty();
    ++counts[waits ? fmt::format("pending ({})", task.reason) : task.state];
  }
  std::vector<std::string> parts;
  for (const auto& [state, n] : counts) parts.push_back(fmt::format("{} {}", n, shown(state)));
  if (tasks.size() < all) parts.push_back(fmt::format("{} no longer listed", all - tasks.size()));
  return joined(parts, ", ");
}

void print_tasks(const Submission& submission, const std::vector<SlurmTask>& tasks,
                 const Console& console) {
  std::vector<SlurmTask> array, finish;
  for (const SlurmTask& task : tasks) {
    (task.id == submission.finish ? finish : array).push_back(task);
  }
  print(console.out, "job array {} of {} tasks: {}\n", submission.array, submission.tasks,
        counts_of(array, static_cast<std::size_t>(submission.tasks)));
  print(console.out, "job {} for verdicts and page: {}\n", submission.finish, counts_of(finish, 1));
  for (const SlurmTask& task : tasks) {
    if (task.state == "completed" || task.state == "running" || task.state == "pending") continue;
    print(console.out, "  {}  {}{}{}\n", shown(task.id), shown(task.state),
          task.node.empty() ? "" : " on " + shown(task.node),
          task.reason.empty() ? "" : fmt::format(" ({})", shown(task.reason)));
  }
  print(console.out, "\n");
}

}  // namespace

void show_status(const std::string& folder, const Console& console) {
  const auto submission = read_submission(folder);
  if (!submission) {
    fail_usage("Nothing of {} was submitted; vic submit does that, vic runs shows other runs.",
               folder);
  }
  const auto tasks = query_tasks(*submission);
  const std::vector<RunStatus> runs = list_runs({folder}, console);
  const auto json = [&] {
    Json list;
    if (tasks) {
      list = Json::array();
      for (const SlurmTask& task : *tasks) {
        list.push_back(Json{
            {"id", task.id}, {"state", task.state}, {"node", task.node}, {"reason", task.reason}});
      }
    }
    return Json{{"folder", folder},
                {"array", submission->array},
                {"finish", submission->finish},
                {"tasks", std::move(list)},
                {"runs", runs_json(runs)}};
  };
  console.show(json, [&] {
    if (tasks) {
      print_tasks(*submission, *tasks, console);
    } else {
      print(console.out,
            "Neither squeue nor sacct knows of the jobs {} and {}; this is in the run "
            "folders:\n\n",
            submission->array, submission->finish);
    }
    print_runs(runs, console);
  });
}

}  // namespace vic
