// How several processes, on one host or many, share the runs of a sweep. Each takes the longest run
// that is free; its number decides where in the list it begins to look, and nothing else.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vic {

struct SweepShard {
  int index = 0, count = 1;  // counted from 0
  std::string origin;        // what named it: "--shard", "SLURM_ARRAY_TASK_ID"
};

// "3/8" is the third of eight, index 2. Throws a UsageError.
SweepShard parse_shard(const std::string& text);

// The value of a variable of the environment, null where it is not set: std::getenv, mostly.
using Environment = std::function<const char*(const char* name)>;

// The shard that a scheduler has made this process: its place in a Slurm job array, its rank among
// the processes of mpirun or srun, or both, where an array has tasks of several ranks. Nothing
// where it is alone.
std::optional<SweepShard> shard_of(const Environment& environment);

// What locks say of this process: the host, and the task of the scheduler: "n1 task 17_3".
std::string holder_of(const Environment& environment);

// The order in which a process takes runs of these durations, (runs): the longest first, those of
// equal duration as they are; from its own place on, and those before it last.
std::vector<std::size_t> longest_first(std::span<const double> durations,
                                       const std::optional<SweepShard>& shard);

}  // namespace vic
