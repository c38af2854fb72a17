// vic submit as users meet it: the script, the status, the sentences; and vic sweep --shard.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/folder_lock.h"
#include "base/json.h"
#include "cli/slurm.h"
#include "support/message_of.h"
#include "support/program_run.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

// An environment variable for the time of the scope.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

// the text without a word, wherever it occurs
std::string without(std::string text, const std::string& word) {
  for (std::size_t at; (at = text.find(word)) != std::string::npos;) text.erase(at, word.size());
  return text;
}

class Submit : public testing::Test {
 protected:
  // an experiment of three runs that take almost no time
  std::string experiment() const {
    write_file(folder_ / "mine.toml",
               "title = \"Mine\"\n[[runs]]\nworlds = [\"line\"]\nalgorithms = [\"implicit\"]\n"
               "seeds = 3\nsettings = { train.updates = 4, train.warm_up = 2, train.hidden = 8 }\n"
               "[[claims]]\ntext = \"It learns\"\nmeasure = \"H / H_max\"\nat_least = 0.01\n");
    return folder_ / "mine.toml";
  }

  // a program of this name that comes first in PATH
  void make_program(const std::string& name, const std::string& script) const {
    std::filesystem::create_directories(folder_ / "bin");
    write_file(folder_ / ("bin/" + name), "#!/bin/sh\n" + script);
    ASSERT_EQ(::chmod((folder_ / ("bin/" + name)).c_str(), 0755), 0);
  }
  std::string path_with_programs() const {
    return fmt::format("{}:{}", folder_ / "bin", std::getenv("PATH"));
  }

  FixtureFolder folder_{testing::UnitTest::GetInstance()->current_test_info()->name()};
  std::string out_ = folder_ / "runs";
};

TEST_F(Submit, ScriptIsAJobArrayAndAJobAfterIt) {
  const SlurmJob job{.name = "fig4",
                     .start = "/home/me/my work",
                     .folder = "runs/fig4",
                     .runs = 45,
                     .task = "vic sweep fig4.toml --runs 1",
                     .finish = "vic reproduce fig4.toml",
                     .tasks = 45,
                     .cpus = 1,
                     .time = "10",
                     .memory = "500M",
                     .more = {"--partition=long"}};
  EXPECT_EQ(slurm_script(job), R"(#!/bin/sh
# 45 runs as a job array, and a job after it for verdicts and page. Made by vic submit.
set -e
array=$(sbatch --parsable <<'END'
#!/bin/sh
#SBATCH --job-name=fig4
#SBATCH --array=1-45
#SBATCH --chdir='/home/me/my work'
#SBATCH --time=10
#SBATCH --mem=500M
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=runs/fig4/slurm/%A_%a.out
#SBATCH --partition=long
exec vic sweep fig4.toml --runs 1
END
)
array=${array%%;*}
finish=$(sbatch --parsable --dependency=afterany:"$array" <<'END'
#!/bin/sh
#SBATCH --job-name=fig4-finish
#SBATCH --chdir='/home/me/my work'
#SBATCH --time=10
#SBATCH --mem=500M
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=runs/fig4/slurm/%j.out
#SBATCH --partition=long
# the save of a job that is stopped is waited for
trap : TERM
vic reproduce fig4.toml
code=$?
# a claim of the paper that is refuted is a finding, not a failure
if [ $code -eq 3 ]; then code=0; fi
exit $code
END
) || { scancel "$array"; exit 1; }
echo "$array ${finish%%;*}"
)");
  SlurmJob broken = job;
  broken.more = {"--comment=a\nEND\nrm -rf /"};
  EXPECT_THROW(slurm_script(broken), UsageError);
}

TEST_F(Submit, DryRunPrintsTheScriptAndWritesNothing) {
  const Result result =
      run({"submit", experiment(), "--out", out_, "--dry-run", "--array-size", "2", "--memory",
           "3G", "--account", "lab", "--sbatch=--qos=low", "--set", "train.hidden=16"});
  ASSERT_EQ(result.code, exit_done) << result.err;
  for (const std::string& part :
       {std::string("#SBATCH --array=1-2\n"), std::string("#SBATCH --time=10\n"),
        std::string("#SBATCH --mem=3G\n"), std::string("#SBATCH --account=lab\n"),
        std::string("#SBATCH --qos=low\n"),
        " sweep " + experiment() + " --out " + out_ +
            " --set train.hidden=16 --jobs 1 --runs 2\nEND\n",
        " reproduce " + experiment() + " --out " + out_ +
            " --set train.hidden=16 --jobs 1\ncode"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << "\n" << result.out;
  }
  EXPECT_FALSE(path_exists(out_));
  // four cores train two runs of two threads at a time: two tasks for three runs
  const std::string wide = run({"submit", experiment(), "--out", out_, "--dry-run", "--cpus", "4",
                                "--set", "train.threads=2"})
                               .out;
  for (const char* part : {"--array=1-2\n", "--cpus-per-task=4\n", "--jobs 2 --runs 2\n"}) {
    EXPECT_NE(wide.find(part), std::string::npos) << wide;
  }
  // without a file: a world, and what to vary
  const Result direct = run({"submit", "line", "--over", "train.lambda=0,1", "--algorithm",
                             "transition", "--dry-run", "--out", out_, "--set", "train.updates=4"});
  ASSERT_EQ(direct.code, exit_done) << direct.err;
  EXPECT_NE(direct.out.find("--over train.lambda=0,1 --algorithm transition"), std::string::npos);
  EXPECT_EQ(direct.out.find("reproduce"), std::string::npos);
}

TEST_F(Submit, ShowsJobsBesideRunsFromSqueueFromSacctAndFromTheFoldersAlone) {
  const Variable path("PATH", path_with_programs());
  make_program("sbatch", "case $* in *afterany:17) echo 18 ;; *) echo '17;vic' ;; esac\n");
  const Result sent = run({"submit", experiment(), "--out", out_});
  ASSERT_EQ(sent.code, exit_done) << sent.err;
  EXPECT_NE(sent.out.find("job array 17 of 3 tasks, then job 18"), std::string::npos) << sent.out;

  // a task has begun a run
  write_fixture(out_ + "/line-implicit-2", {.world = "line", .seed = 2, .finished = false});
  const auto lock = FolderLock::take(out_ + "/line-implicit-2", "n1 task 17_2");
  make_program("squeue",
               "case $* in *17*) echo '17_1|COMPLETED|n1|None'; echo '17_2|RUNNING|n1|None'\n"
               "echo '17_3|PENDING||Resources' ;; *) exit 1 ;; esac\n");
  make_program("sacct", "echo '18|CANCELLED by 0|None assigned|0:15'\n");
  const Result status = run({"submit", experiment(), "--out", out_, "--status"});
  ASSERT_EQ(status.code, exit_done) << status.err;
  EXPECT_NE(status.out.find("job array 17 of 3 tasks: 1 completed, 1 pending (Resources), 1 "
                            "running\njob 18 for verdicts and page: 1 cancelled\n"
                            "  18  cancelled (0:15)\n"),
            std::string::npos)
      << status.out;
  EXPECT_NE(status.out.find("    on n1 task 17_2\n"), std::string::npos) << status.out;
  EXPECT_NE(status.out.find("3 runs: 0 finished, 1 training, 0 interrupted, 0 damaged, 2 pending"),
            std::string::npos)
      << status.out;

  for (const char* name : {"squeue", "sacct"}) make_program(name, "exit 1\n");
  const Result alone = run({"submit", experiment(), "--out", out_, "--status"});
  EXPECT_NE(alone.out.find("Neither squeue nor sacct knows of the jobs 17 and 18"),
            std::string::npos)
      << alone.out;
  const Json json =
      Json::parse(run({"submit", experiment(), "--out", out_, "--status", "--json"}).out);
  EXPECT_TRUE(json["tasks"].is_null());
  ASSERT_EQ(json["runs"].size(), 3u);

  // vic runs shows the same, also from the folder above
  for (const std::string& folder : {out_, folder_.path()}) {
    const Json runs = Json::parse(run({"runs", folder, "--json"}).out)["runs"];
    ASSERT_EQ(runs.size(), 3u);
    EXPECT_EQ(runs[std::size_t{0}]["holder"], "n1 task 17_2");
    EXPECT_EQ(runs[1]["state"], "pending");
    EXPECT_EQ(runs[1]["folder"], out_ + "/line-implicit-1");
  }
}

// a run that a task has locked and that has no settings yet
TEST_F(Submit, WarnsOfTasksThatAreNotOverAndListsClaimedRuns) {
  const Variable path("PATH", path_with_programs());
  make_program("sbatch", "echo 17\n");
  make_program("squeue", "echo '17_2|RUNNING|n1|None'\n");
  std::vector<std::string> submit = {"submit", experiment(), "--out", out_};
  EXPECT_EQ(run(submit).err, "");
  EXPECT_EQ(
      run(submit).err,
      "vic: warning: The jobs 17 and 17 are not over; their tasks go on and share the runs.\n");
  // squeue forgets ended tasks
  submit.emplace_back("--status");
  EXPECT_NE(run(submit).out.find("job array 17 of 3 tasks: 1 running, 2 no longer listed\n"),
            std::string::npos);
  std::filesystem::create_directories(out_ + "/line-implicit-3");
  const auto claimed = FolderLock::take(out_ + "/line-implicit-3", "n2 task 17_3");
  const std::string list = run({"runs", out_}).out;
  EXPECT_NE(list.find("line-implicit-3     3  claimed  "), std::string::npos) << list;
  EXPECT_NE(list.find("    on n2 task 17_3\n"), std::string::npos) << list;
}

TEST_F(Submit, NamesWhatIsWrong) {
  EXPECT_EQ(run({"submit", "fig44"}).err,
            "vic: There is no experiment 'fig44'; did you mean fig4?\n");
  EXPECT_EQ(run({"submit", experiment(), "--set", "train.batch=-1"}).code, exit_usage);
  EXPECT_NE(run({"submit", experiment(), "--out", out_, "--status"})
                .err.find("was submitted; vic submit does that"),
            std::string::npos);
  {
    const Variable path("PATH", folder_ / "bin");
    const Result none = run({"submit", experiment(), "--out", out_});
    EXPECT_EQ(none.code, exit_failed);
    EXPECT_NE(none.err.find("There is no sbatch here"), std::string::npos) << none.err;
    EXPECT_FALSE(path_exists(out_));
  }
  const Variable path("PATH", path_with_programs());
  make_program("sbatch", "echo 'sbatch: error: invalid partition specified: x' >&2; exit 1\n");
  const Result refused = run({"submit", experiment(), "--out", out_, "--partition", "x"});
  EXPECT_EQ(refused.code, exit_failed);
  EXPECT_NE(
      refused.err.find("Slurm refused the job: sbatch: error: invalid partition specified: x"),
      std::string::npos)
      << refused.err;
  EXPECT_FALSE(path_exists(out_ + "/slurm/submission.json"));
  write_file(folder_ / "file", "");
  EXPECT_EQ(run({"submit", experiment(), "--out", folder_ / "file/no"}).code, exit_failed);

  // the record may come from someone else
  write_file(out_ + "/slurm/submission.json",
             R"({"array":"1","finish":"2","tasks":1,"runs":[{"name":"../x","world":"line",)"
             R"("algorithm":"a","seed":1,"updates":1}]})");
  EXPECT_EQ(run({"runs", out_}).code, exit_usage);
}

TEST_F(Submit, ShardsOfASweepMakeWhatTheWholeMakes) {
  const std::string whole = folder_ / "whole";
  ASSERT_EQ(run({"reproduce", experiment(), "--out", whole}).code, exit_done);
  const std::vector<std::string> shard = {"reproduce", experiment(), "--out",  out_,
                                          "--shard",   "2/2",        "--runs", "2"};
  const Result first = run(shard);
  ASSERT_EQ(first.code, exit_done) << first.err;
  EXPECT_EQ(first.err.substr(0, first.err.find('\n')),
            "Shard 2 of 2, by --shard, as " + host_name() + ".");
  EXPECT_EQ(first.out, fmt::format("2 of 3 runs are done in {0}, the others are left to other "
                                   "shards; vic runs {0} shows them.\n",
                                   out_));
  EXPECT_FALSE(path_exists(out_ + "/verdict.json"));
  {
    // the last one makes verdicts and page
    const Variable number("SLURM_ARRAY_TASK_ID", "4"), count("SLURM_ARRAY_TASK_COUNT", "4");
    const Result last = run({"reproduce", experiment(), "--out", out_});
    ASSERT_EQ(last.code, exit_done) << last.err;
    EXPECT_NE(last.err.find("by SLURM_ARRAY_TASK_ID"), std::string::npos) << last.err;
  }
  for (const char* name : {"verdict.json", "report.html", "line-implicit-1/evaluation.json",
                           "line-implicit-2/metrics.jsonl", "line-implicit-3/evaluation.json"}) {
    // the page lists the folders of its runs
    EXPECT_TRUE(without(read_file(out_ + "/" + name), out_) ==
                without(read_file(whole + "/" + name), whole))
        << name;
  }
  EXPECT_EQ(run({"sweep", experiment(), "--shard", "3/2"}).code, exit_usage);
  EXPECT_EQ(run({"submit", experiment(), "--out", out_}).code, exit_usage) << "all is done";
}

}  // namespace
}  // namespace vic
