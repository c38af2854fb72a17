// vic bench --threads: one run on one thread and on two.
#include "bench/threads.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/print.h"
#include "base/process.h"
#include "bench/parts.h"
#include "run/run_folder.h"

namespace vic {
namespace {

Run long_run(const char* algorithm, int threads) {
  Run run = make_run(Overrides({{"run.world", "rooms-35", "bench"},
                                {"train.algorithm", algorithm, "bench"},
                                {"train.warm_up", "0", "bench"},
                                {"train.learning_rate", still_rate, "bench"},
                                {"train.threads", fmt::format("{}", threads), "bench"}}));
  bias_policy(*run.learner, 6, 1);
  return run;
}

double seconds_of(Learner& learner, int updates) {
  const Stopwatch watch;
  for (int i = 0; i < updates; ++i) learner.update();
  return watch.seconds();
}

}  // namespace

void print_threads(std::ostream& out, Stop stop) {
  print(out, "{:<11} {:>10} {:>10} {:>7}\n", "algorithm", "ms with 1", "with 2", "ratio");
  for (const char* algorithm : {"implicit", "transition", "mixture"}) {
    const std::array runs = {long_run(algorithm, 1), long_run(algorithm, 2)};
    constexpr int block = 10, blocks = 21;
    std::array<std::vector<double>, 2> ms;
    std::vector<double> ratios;
    for (int i = 0; i < blocks; ++i) {
      stop.check();
      for (std::size_t k = 0; k < runs.size(); ++k) {
        ms[k].push_back(1e3 / block * seconds_of(*runs[k].learner, block));
      }
      ratios.push_back(ms[0].back() / ms[1].back());
    }
    print(out, "{:<11} {:>10.2f} {:>10.2f} {:>7.2f}\n", algorithm, median(ms[0]), median(ms[1]),
          median(ratios));
    out << std::flush;
  }
}

}  // namespace vic
