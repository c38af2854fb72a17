#include "experiment/shard.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "base/folder_lock.h"
#include "support/message_of.h"

namespace vic {
namespace {

// an environment with these variables alone
Environment of(const std::map<std::string, std::string>& variables) {
  return [variables](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

std::string shard_text(const std::map<std::string, std::string>& variables) {
  const auto shard = shard_of(of(variables));
  return shard ? fmt::format("{}/{} by {}", shard->index + 1, shard->count, shard->origin) : "";
}

TEST(Shard, IsANumberOfACount) {
  EXPECT_EQ(parse_shard("1/8").index, 0);
  EXPECT_EQ(parse_shard("8/8").index, 7);
  EXPECT_EQ(parse_shard("8/8").count, 8);
  EXPECT_EQ(parse_shard("1/1").count, 1);
  for (const char* wrong : {"", "3", "0/8", "9/8", "-1/8", "1/0", "a/b", "1/8x", "1/ 8", "/", "1/"})
    EXPECT_THROW(parse_shard(wrong), UsageError) << wrong;
  EXPECT_EQ(message_of([] { parse_shard("9/8"); }),
            "--shard 9/8 is not allowed; it must be a number of a count, from 1/8 to 8/8.");
}

TEST(Shard, IsThatOfTheScheduler) {
  EXPECT_EQ(shard_text({}), "");
  EXPECT_EQ(shard_text({{"SLURM_ARRAY_TASK_ID", "7"},
                        {"SLURM_ARRAY_TASK_MIN", "5"},
                        {"SLURM_ARRAY_TASK_COUNT", "45"}}),
            "3/45 by SLURM_ARRAY_TASK_ID");
  // 0,10,20 by --array=0-20:10
  EXPECT_EQ(shard_text({{"SLURM_ARRAY_TASK_ID", "20"},
                        {"SLURM_ARRAY_TASK_MIN", "0"},
                        {"SLURM_ARRAY_TASK_STEP", "10"},
                        {"SLURM_ARRAY_TASK_COUNT", "3"}}),
            "3/3 by SLURM_ARRAY_TASK_ID");
  // a list with gaps still yields a place
  EXPECT_EQ(shard_text({{"SLURM_ARRAY_TASK_ID", "17"},
                        {"SLURM_ARRAY_TASK_MIN", "3"},
                        {"SLURM_ARRAY_TASK_COUNT", "2"}}),
            "1/2 by SLURM_ARRAY_TASK_ID");
  EXPECT_EQ(shard_text({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}}),
            "4/4 by OMPI_COMM_WORLD_RANK");
  EXPECT_EQ(shard_text({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}}),
            "2/4 by SLURM_PROCID");
}

TEST(Shard, PrefersRanksOfMpirunAndCombinesThemWithAnArray) {
  const std::map<std::string, std::string> srun = {{"SLURM_PROCID", "0"},
                                                   {"SLURM_STEP_NUM_TASKS", "2"}};
  std::map<std::string, std::string> both = srun;
  both.insert({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}});
  EXPECT_EQ(shard_text(both), "4/4 by OMPI_COMM_WORLD_RANK");
  both.insert({{"SLURM_ARRAY_TASK_ID", "2"},
               {"SLURM_ARRAY_TASK_MIN", "1"},
               {"SLURM_ARRAY_TASK_COUNT", "10"}});
  EXPECT_EQ(shard_text(both), "8/40 by SLURM_ARRAY_TASK_ID and OMPI_COMM_WORLD_RANK");
}

// a batch script of several tasks is one process, and so is an array of one task
TEST(Shard, IsNoneOfAProcessThatIsAlone) {
  EXPECT_EQ(shard_text({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), "");
  EXPECT_EQ(shard_text({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}), "");
  EXPECT_EQ(shard_text({{"SLURM_ARRAY_TASK_ID", "4"}, {"SLURM_ARRAY_TASK_COUNT", "1"}}), "");
  EXPECT_EQ(shard_text({{"SLURM_ARRAY_TASK_ID", "x"}, {"SLURM_ARRAY_TASK_COUNT", "4"}}), "");
  EXPECT_EQ(shard_text({{"OMPI_COMM_WORLD_RANK", "9"}, {"OMPI_COMM_WORLD_SIZE", "4"}}), "");
}

TEST(Shard, HoldersAreNamedByHostAndTask) {
  EXPECT_EQ(holder_of(of({})), host_name());
  EXPECT_EQ(holder_of(of({{"SLURMD_NODENAME", "n1"}, {"SLURM_JOB_ID", "18"}})), "n1 task 18");
  EXPECT_EQ(holder_of(of({{"SLURMD_NODENAME", "n1"},
                          {"SLURM_JOB_ID", "20"},
                          {"SLURM_ARRAY_JOB_ID", "17"},
                          {"SLURM_ARRAY_TASK_ID", "3"}})),
            "n1 task 17_3");
}

TEST(Shard, TakesTheLongestFirstFromItsPlaceOn) {
  const std::vector<double> durations = {3, 9, 1, 9, 4};
  using Order = std::vector<std::size_t>;
  EXPECT_EQ(longest_first(durations, {}), (Order{1, 3, 4, 0, 2}));
  EXPECT_EQ(longest_first(durations, parse_shard("1/3")), (Order{1, 3, 4, 0, 2}));
  EXPECT_EQ(longest_first(durations, parse_shard("3/3")), (Order{4, 0, 2, 1, 3}));
  EXPECT_EQ(longest_first(durations, parse_shard("7/9")), (Order{3, 4, 0, 2, 1}));
  EXPECT_EQ(longest_first({}, parse_shard("7/9")), Order{});
}

}  // namespace
}  // namespace vic
