// How several processes, on one host or many, share the runs of a sweep. Each takes the longest run
// that is free; its index only decides where in the list it begins to look.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vic {

struct SweepShard {
  int index = 0, count = 1;  // counted from 0
  std::string origin;        // where it comes from: "--shard", "SLURM_ARRAY_TASK_ID"
};

// Reads "3/8", the third of eight, as index 2. Throws a UsageError.
SweepShard parse_shard(const std::string& text);

// The value of an environment variable, null if it is not set: usually std::getenv.
using Environment = std::function<const char*(const char* name)>;

// The shard that a scheduler has assigned to this process: its place in a Slurm job array, its rank
// among the processes of mpirun or srun, or both, if an array has tasks of several ranks. Nothing
// if the process is alone.
std::optional<SweepShard> shard_of(const Environment& environment);

// The name of this process in locks: the host, and the scheduler's task: "n1 task 17_3".
std::string holder_of(const Environment& environment);

// The order in which a process takes runs of these durations, (runs): the longest first, equal ones
// in their order; it starts at the process's own place and wraps around.
std::vector<std::size_t> longest_first(std::span<const double> durations,
                                       const std::optional<SweepShard>& shard);

}  // namespace vic
