// vic bench --threads: one run on one thread and on two. A table's batch is one shard on one
// thread; on two threads it is one shard or two.
#include "bench/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/print.h"
#include "base/process.h"
#include "bench/parts.h"
#include "run/run_folder.h"

namespace vic {
namespace {

struct ThreadCase {
  const char* world;
  const char* algorithm;
  bool long_options;  // biased: the options of a new policy are short
  int shards;         // of the run on two threads, if the world is a table
  int updates;
};

constexpr std::array thread_cases = {ThreadCase{"rooms-35", "implicit", true, 1, 100},
                                     ThreadCase{"rooms-35", "implicit", true, 2, 100},
                                     ThreadCase{"rooms-35", "transition", true, 1, 60},
                                     ThreadCase{"rooms-35", "transition", true, 2, 60},
                                     ThreadCase{"rooms-35", "mixture", true, 1, 60},
                                     ThreadCase{"rooms-35", "mixture", true, 2, 60},
                                     ThreadCase{"rooms-35", "marginal", true, 1, 100},
                                     ThreadCase{"rooms-35", "marginal", true, 2, 100},
                                     ThreadCase{"half-cheetah", "implicit", false, 0, 5},
                                     ThreadCase{"half-cheetah", "marginal", false, 0, 5}};

Run make_case(const ThreadCase& c, int threads) {
  std::vector<Assignment> settings = {{"run.world", c.world, "bench"},
                                      {"train.algorithm", c.algorithm, "bench"},
                                      {"train.warm_up", "0", "bench"},
                                      {"train.learning_rate", still_rate, "bench"},
                                      {"train.threads", fmt::format("{}", threads), "bench"}};
  if (c.shards > 1 && threads > 1) {
    settings.push_back({"train.shards", fmt::format("{}", c.shards), "bench"});
  }
  Run run = make_run(Overrides(settings));
  if (c.long_options) bias_policy(*run.learner, 6, 1);
  return run;
}

}  // namespace

void print_threads(std::ostream& out, Stop stop) {
  print(out, "{:<13} {:<11} {:>6} {:>10} {:>8} {:>7} {:>12} {:>8} {:>7}\n", "world", "algorithm",
        "shards", "ms with 1", "with 2", "ratio", "best with 1", "with 2", "ratio");
  for (const ThreadCase& c : thread_cases) {
    const std::array runs = {make_case(c, 1), make_case(c, 2)};
    std::array<std::vector<double>, 2> ms;
    std::vector<double> ratios;
    for (int i = 0; i < c.updates; ++i) {
      stop.check();
      for (std::size_t k = 0; k < runs.size(); ++k) {
        const Stopwatch watch;
        runs[k].learner->update();
        ms[k].push_back(1e3 * watch.seconds());
      }
      ratios.push_back(ms[0].back() / ms[1].back());
    }
    const double one = *std::min_element(ms[0].begin(), ms[0].end());
    const double two = *std::min_element(ms[1].begin(), ms[1].end());
    print(out, "{:<13} {:<11} {:>6} {:>10.2f} {:>8.2f} {:>7.2f} {:>12.2f} {:>8.2f} {:>7.2f}\n",
          c.world, c.algorithm, runs[1].learner->shards().size(), median(ms[0]), median(ms[1]),
          median(ratios), one, two, one / two);
    out << std::flush;
  }
}

}  // namespace vic
