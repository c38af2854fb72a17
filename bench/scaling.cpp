// vic bench --scaling: time and memory of an update as T_max, the hidden size and the batch double.
#include "bench/scaling.h"

#include <fmt/format.h>
#include <malloc.h>

#include <vector>

#include "base/print.h"
#include "base/process.h"
#include "bench/parts.h"
#include "run/run_folder.h"

namespace vic {
namespace {

// the memory that this process has allocated, in megabytes
double allocated() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

struct Load {
  int T_max = 25, hidden = 64, batch = 128;
};

struct Cost {
  double milliseconds = 0;  // an update
  double megabytes = 0;     // the learner
};

// options of four-rooms that take as many actions as they may, and share little: the worst case
Cost measure(const Load& load) {
  const auto number = [](int x) { return fmt::format("{}", x); };
  const double before = allocated();
  const Run run = make_run(Overrides({{"run.world", "four-rooms", "bench"},
                                      {"world.T_max", number(load.T_max), "bench"},
                                      {"train.algorithm", "mixture", "bench"},
                                      {"train.hidden", number(load.hidden), "bench"},
                                      {"train.batch", number(load.batch), "bench"},
                                      {"train.warm_up", "0", "bench"},
                                      {"train.learning_rate", still_rate, "bench"}}));
  bias_policy(*run.learner, 20, 0);
  std::vector<double> seconds;
  for (int i = 0; i < 12; ++i) {
    const Stopwatch watch;
    run.learner->update();
    seconds.push_back(watch.processor_seconds());
  }
  return {1e3 * median(seconds), (allocated() - before) / 1e6};
}

}  // namespace

void print_scaling(std::ostream& out, Stop stop) {
  print(out, "{:>6} {:>7} {:>6} {:>11} {:>7} {:>8} {:>8}\n", "T_max", "hidden", "batch",
        "ms/update", "ratio", "MB", "ratio");
  const auto doubled = [&](int Load::*size) {
    Load load;
    Cost last = measure(load);
    for (int doubling = 0; doubling <= 2; ++doubling) {
      stop.check();
      const Cost cost = measure(load);
      print(out, "{:>6} {:>7} {:>6} {:>11.2f} {:>7.2f} {:>8.1f} {:>8.2f}\n", load.T_max,
            load.hidden, load.batch, cost.milliseconds, cost.milliseconds / last.milliseconds,
            cost.megabytes, cost.megabytes / last.megabytes);
      last = cost;
      load.*size *= 2;
    }
  };
  for (int Load::*size : {&Load::T_max, &Load::hidden, &Load::batch}) doubled(size);
}

}  // namespace vic
