#include "bench/ranks.h"

#include <algorithm>
#include <vector>

#include "base/print.h"
#include "base/process.h"
#include "base/ranks.h"
#include "bench/parts.h"
#include "run/run_folder.h"

namespace vic {
namespace {

constexpr int rounds = 200;

// the messages of an update, in the sizes that follow from the batch and the number of parameters
struct Messages {
  std::vector<End> ends;        // of a rank's options
  std::vector<float> expected;  // values of the critic, which one rank computes
  std::vector<double> means;    // of a rank's shards
  std::vector<float> slice;     // the gradients that a rank sums
  int parameters = 0;

  Messages(const Agent& agent, const Ranks& ranks) {
    const int R = ranks.size(), rank = ranks.rank();
    for (const AgentModel& model : agent.models) {
      parameters += static_cast<int>(model.model.net().parameters().values.size());
    }
    const int shards = part_of(shard_count(agent), R, rank).size();
    ends.resize(static_cast<std::size_t>(part_of(agent.settings.batch, R, rank).size()));
    if (rank == 0) expected.resize(std::get<LogisticCells>(agent.models[1].model.head()).cells());
    means.resize(static_cast<std::size_t>(shards * 7));
    slice.resize(static_cast<std::size_t>(part_of(parameters, R, rank).size()));
  }

  // what a rank sends to all others
  double bytes(int R) const {
    return (R - 1.0) * double(sizeof(End) * ends.size() + 8 * means.size() + 4 * slice.size()) +
           4.0 * (parameters - double(slice.size()));
  }

  void send(Ranks& ranks) const {
    const int R = ranks.size();
    gather(ranks, ends);
    gather(ranks, expected);
    gather(ranks, means);
    std::vector<Bytes> parts;
    std::vector<int> slices;
    for (int r = 0; r < R; ++r) {
      slices.push_back(4 * part_of(parameters, R, r).size());
      parts.emplace_back(static_cast<std::size_t>(slices.back()));
    }
    const std::vector<int> coming(static_cast<std::size_t>(R), static_cast<int>(4 * slice.size()));
    ranks.exchange(std::move(parts), coming);
    gather(ranks, slice, slices);
  }
};

}  // namespace

void print_ranks(std::ostream& out, Stop stop) {
  Ranks& ranks = ranks_of_job(stop);
  const Run run = make_run(Overrides({{"run.world", "half-cheetah", "bench"},
                                      {"train.algorithm", "marginal", "bench"},
                                      {"train.critic", "belief", "bench"}}));
  const Messages messages(run.learner->agent(), ranks);
  std::vector<double> ms;
  for (int i = 0; i < rounds; ++i) {
    const Stopwatch watch;
    messages.send(ranks);
    ms.push_back(1e3 * watch.seconds());
  }
  ranks.finish();
  if (ranks.rank() > 0) return;
  const double middle = median(ms);
  std::sort(ms.begin(), ms.end());
  print(out, "{:>6} {:>12} {:>16} {:>12} {:>12}\n", "ranks", "parameters", "bytes from each",
        "ms, median", "ms, least");
  print(out, "{:>6} {:>12} {:>16.0f} {:>12.3f} {:>12.3f}\n", ranks.size(), messages.parameters,
        messages.bytes(ranks.size()), middle, ms.front());
}

}  // namespace vic
