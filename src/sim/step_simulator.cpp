#include "sim/step_simulator.h"

#include <algorithm>
#include <functional>

#include "base/tasks.h"

namespace vic {
namespace {

// episodes that a thread takes at a time
constexpr int shard = 16;

class StepEpisodes : public Episodes {
 public:
  StepEpisodes(const StepSimulator& simulator, int B, int threads)
      : Episodes(B), simulator_(&simulator), spec_(&simulator.spec()), threads_(threads) {
    Episodes::reset();
  }

  void reset(const EpisodeSeed& seed) override {
    seed_ = seed;
    snapshots_.clear();
    for (int b = 0; b < B(); ++b) {
      snapshots_.push_back(0);
      snapshots_.insert(snapshots_.end(), spec_->start.begin(), spec_->start.end());
    }
  }

  void step(std::span<const int> levels) override {
    const int F = spec_->F(), L = spec_->L();
    if (levels.size() != static_cast<std::size_t>(B()) * F) {
      fail_usage("{} episodes in {} take {} levels, not {}.", B(), spec_->name, B() * F,
                 levels.size());
    }
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (levels[i] >= 0 && levels[i] < L) continue;
      fail_usage("The actuator {} has no level {}; levels are 0 to {}.",
                 spec_->actuators[i % F].name, levels[i], L - 1);
    }
    std::vector<std::function<void()>> tasks;
    for (int begin = 0; begin < B(); begin += shard) {
      tasks.push_back([&, begin] {
        std::exception_ptr first;
        for (int b = begin; b < std::min(begin + shard, B()); ++b) {
          try {
            step_one(b, levels.subspan(static_cast<std::size_t>(b) * F, F));
          } catch (...) {
            if (!first) first = std::current_exception();
          }
        }
        if (first) std::rethrow_exception(first);
      });
    }
    // throws the error of the first task that had one
    if (!tasks.empty()) run_tasks(tasks, std::max(1, threads_));
  }

  std::span<const double> state(int b) const override { return of(b).subspan(1); }

  int snapshot_size() const override { return 1 + spec_->n(); }
  void save(int b, std::span<double> snapshot) const override {
    std::copy_n(of(b).begin(), snapshot_size(), snapshot.begin());
  }
  void restore(int b, std::span<const double> snapshot) override {
    std::copy_n(snapshot.begin(), snapshot_size(), mutable_of(b).begin());
  }

 private:
  std::span<const double> of(int b) const {
    const auto size = static_cast<std::size_t>(snapshot_size());
    return std::span(snapshots_).subspan(static_cast<std::size_t>(b) * size, size);
  }
  std::span<double> mutable_of(int b) {
    const auto size = static_cast<std::size_t>(snapshot_size());
    return std::span(snapshots_).subspan(static_cast<std::size_t>(b) * size, size);
  }

  void step_one(int b, std::span<const int> levels) {
    const std::span<double> snapshot = mutable_of(b);
    const int taken = static_cast<int>(snapshot[0]);
    if (taken == spec_->T) {
      fail_usage("An option in {} takes {} actions, and no more.", spec_->name, taken);
    }
    std::vector<double> controls;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      controls.push_back(spec_->actuators[i].controls[levels[i]]);
    }
    // one that fails is as it was before
    std::vector<double> next(snapshot.begin() + 1, snapshot.end());
    simulator_->step(next, controls,
                     {.seed = seed_.seed,
                      .update = seed_.update,
                      .row = static_cast<std::uint32_t>(b),
                      .step = static_cast<std::uint32_t>(taken)});
    std::copy(next.begin(), next.end(), snapshot.begin() + 1);
    ++snapshot[0];
  }

  const StepSimulator* simulator_;
  const SimulatorSpec* spec_;
  int threads_;
  EpisodeSeed seed_;
  std::vector<double> snapshots_;  // (B, 1 + n)
};

}  // namespace

std::unique_ptr<Episodes> StepSimulator::make_episodes(int B, int threads) const {
  return std::make_unique<StepEpisodes>(*this, B, threads);
}

}  // namespace vic
