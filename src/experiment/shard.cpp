#include "experiment/shard.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "base/error.h"
#include "base/folder_lock.h"
#include "base/text.h"

namespace vic {
namespace {

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<int> variable(const Environment& environment, const char* name) {
  const char* text = environment(name);
  return text == nullptr ? std::nullopt : whole_number(text);
}

// a place in a job array, whose numbers may begin anywhere
std::optional<SweepShard> place_in_array(const Environment& environment) {
  const char* name = "SLURM_ARRAY_TASK_ID";
  const auto number = variable(environment, name);
  const auto count = variable(environment, "SLURM_ARRAY_TASK_COUNT");
  if (!number || !count || *count < 2) return std::nullopt;
  const int first = variable(environment, "SLURM_ARRAY_TASK_MIN").value_or(0);
  const int step = std::max(1, variable(environment, "SLURM_ARRAY_TASK_STEP").value_or(1));
  // the numbers of a list such as 3,17 have gaps: then any place will do
  return SweepShard{std::max(0, *number - first) / step % *count, *count, name};
}

// a rank; mpirun comes first, since Slurm may have started its daemons
std::optional<SweepShard> rank_of(const Environment& environment) {
  struct Names {
    const char *rank, *count;
  };
  for (const auto& [name, all] : {Names{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                  Names{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}) {
    const auto rank = variable(environment, name), count = variable(environment, all);
    if (rank && count && *count > 1 && *rank >= 0 && *rank < *count)
      return SweepShard{*rank, *count, name};
  }
  return std::nullopt;
}

}  // namespace

SweepShard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto number = whole_number(std::string_view(text).substr(0, slash));
  const auto count = slash == std::string::npos
                         ? std::nullopt
                         : whole_number(std::string_view(text).substr(slash + 1));
  if (!number || !count || *number < 1 || *number > *count) {
    fail_usage("--shard {} is not allowed; it must be a number of a count, from 1/8 to 8/8.",
               text.empty() ? "''" : shown(text));
  }
  return {*number - 1, *count, "--shard"};
}

std::optional<SweepShard> shard_of(const Environment& environment) {
  const auto place = place_in_array(environment), rank = rank_of(environment);
  if (!place || !rank) return place ? place : rank;
  return SweepShard{place->index * rank->count + rank->index, place->count * rank->count,
                    fmt::format("{} and {}", place->origin, rank->origin)};
}

std::string holder_of(const Environment& environment) {
  const auto text = [&](const char* name) {
    const char* found = environment(name);
    return std::string(found == nullptr ? "" : found);
  };
  std::string host = text("SLURMD_NODENAME"), task = text("SLURM_JOB_ID");
  if (const std::string array = text("SLURM_ARRAY_JOB_ID"); !array.empty()) {
    task = array + "_" + text("SLURM_ARRAY_TASK_ID");
  }
  if (host.empty()) host = host_name();
  return task.empty() ? host : fmt::format("{} task {}", host, task);
}

std::vector<std::size_t> longest_first(std::span<const double> durations,
                                       const std::optional<SweepShard>& shard) {
  std::vector<std::size_t> order(durations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return durations[i]; });
  if (shard && !order.empty()) {
    const auto own = static_cast<std::size_t>(shard->index) % order.size();
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(own), order.end());
  }
  return order;
}

}  // namespace vic
