#include "cli/sweep_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>

#include "base/print.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/text.h"

namespace vic {
namespace {

using namespace std::chrono_literals;

class SweepMonitor {
 public:
  SweepMonitor(const Console& console, const Experiment& experiment, const SweepPlan& plan,
               const SweepShare& share)
      : console_(console), experiment_(experiment), runs_(plan.runs), alone_(!share.shard) {
    // without a terminal the first line comes after a while
    if (!console.progress) drawn_ = Clock::now();
    for (const SweepRun& run : runs_) {
      finished_ += run.done;
      if (!run.done) updates_all_ += run.updates;
    }
  }
  ~SweepMonitor() {
    if (lines_ > 0) console_.err << erasing() << std::flush;
  }
  SweepMonitor(const SweepMonitor&) = delete;
  SweepMonitor& operator=(const SweepMonitor&) = delete;

  // all of these may be called on any thread
  void progress(std::size_t run, const Training& training);
  void busy(std::size_t run, const std::string& what);
  void done(std::size_t run, const Json& evaluation);
  void done_elsewhere(std::size_t run);
  void waiting(std::size_t runs);

 private:
  using Clock = std::chrono::steady_clock;
  // a run in training
  struct Active {
    long update = 0;
    std::string text;
    Stopwatch watch;
    Clock::time_point looked = {};
  };

  void show(Clock::time_point now);
  void draw();
  std::string time_left() const;
  // the width for names and bars
  int columns() const { return std::max(80, console_.err_columns); }
  int bar_width() const { return columns() < 100 ? 12 : 24; }
  std::size_t name_width() const { return columns() < 100 ? 34 : 48; }
  std::string erasing() const { return fmt::format("\r\x1b[{}A\x1b[J", lines_); }

  const Console& console_;
  const Experiment& experiment_;
  const std::vector<SweepRun>& runs_;
  bool alone_;  // no other process takes part, so the remaining work is known
  std::mutex mutex_;
  std::map<std::size_t, Active> active_;
  Stopwatch watch_;
  Clock::time_point drawn_ = {};
  long updates_done_ = 0, updates_all_ = 0;  // of the runs that were not done before
  long finished_ = 0;                        // runs
  std::size_t lines_ = 0;                    // on the terminal now
};

void SweepMonitor::progress(std::size_t run, const Training& training) {
  const std::scoped_lock lock(mutex_);
  Active& active = active_[run];
  const Clock::time_point now = Clock::now();
  if (now - active.looked < 100ms) return;
  active.looked = now;
  // updates of an earlier sweep count as done by this one, for want of a better estimate
  const long update = training.run.learner->state().update;
  updates_done_ += update - active.update;
  active.update = update;
  active.text = fmt::format("{}  I {:.4f}", phase_text(*training.run.learner, bar_width()),
                            training.run.learner->I_hat());
  show(now);
}

void SweepMonitor::busy(std::size_t run, const std::string& what) {
  const std::scoped_lock lock(mutex_);
  Active& active = active_[run];
  const Clock::time_point now = Clock::now();
  if (now - active.looked < 100ms) return;
  active.looked = now;
  active.text = what;
  show(now);
}

void SweepMonitor::show(Clock::time_point now) {
  // without a terminal, a plain line now and then
  if (now - drawn_ < (console_.progress ? Clock::duration(100ms) : Clock::duration(20s))) return;
  drawn_ = now;
  if (console_.progress) return draw();
  print(console_.err, "{}/{} runs done, {} in work{}\n", finished_, runs_.size(), active_.size(),
        time_left());
  console_.err.flush();
}

void SweepMonitor::done(std::size_t run, const Json& evaluation) {
  const std::scoped_lock lock(mutex_);
  updates_done_ += runs_[run].updates - active_[run].update;
  const double seconds = active_[run].watch.seconds();
  active_.erase(run);
  ++finished_;
  if (console_.progress) return draw();
  const double H = evaluation.at("H").get<double>();
  // the largest H of a simulated world is known only if its actions are few
  std::string beside;
  if (const Json* known = evaluation.find("H_max"); known != nullptr && !known->is_null()) {
    const double H_max = known->get<double>();
    beside = fmt::format("{:.1f} % of H_max", H_max > 0 ? 100 * H / H_max : 100.0);
  } else {
    beside = fmt::format("{} cells", evaluation.at("cells").get<long>());
  }
  print(console_.err, "[{}/{}] {}  H {:.4f}, {}  {}\n", finished_, runs_.size(),
        experiment_.runs[run].name, H, beside, duration_text(seconds));
  console_.err.flush();
}

void SweepMonitor::done_elsewhere(std::size_t run) {
  const std::scoped_lock lock(mutex_);
  updates_all_ -= runs_[run].updates;
  ++finished_;
}

void SweepMonitor::waiting(std::size_t runs) {
  const std::scoped_lock lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now - drawn_ < 20s) return;
  drawn_ = now;
  if (console_.progress) draw();
  console_.err << fmt::format("waiting for {} {} of other processes\n", runs,
                              runs == 1 ? "run" : "runs")
               << std::flush;
  lines_ = 0;
}

std::string SweepMonitor::time_left() const {
  const double fraction = static_cast<double>(updates_done_) / static_cast<double>(updates_all_);
  // nothing is known before the first update
  if (!(fraction > 0) || !alone_) return "";
  return fmt::format("  {} left", duration_text(watch_.seconds() * (1 - fraction) / fraction));
}

void SweepMonitor::draw() {
  // a single write avoids flicker; a line that wraps could not be erased
  std::string text = lines_ > 0 ? erasing() : "";
  const auto add = [&](const std::string& name, const std::string& rest) {
    const std::string line =
        padded(cut_middle(name, name_width()), name_width(), Side::left) + " " + rest;
    text += cut_end(line, static_cast<std::size_t>(columns()) - 1) + "\n";
  };
  for (const auto& [run, active] : active_) add(experiment_.runs[run].name, active.text);
  const double fraction = static_cast<double>(updates_done_) / static_cast<double>(updates_all_);
  add("all", fmt::format("{} {}/{} runs{}", bar(fraction, bar_width()), finished_, runs_.size(),
                         time_left()));
  lines_ = active_.size() + 1;
  console_.err << text << std::flush;
}

}  // namespace

SweepWatch watch_on(const Console& console, const Experiment& experiment, const SweepPlan& plan,
                    const SweepShare& share) {
  const auto monitor = std::make_shared<SweepMonitor>(console, experiment, plan, share);
  return {.progress = [=](std::size_t run, const Training& work) { monitor->progress(run, work); },
          .busy = [=](std::size_t run, const std::string& what) { monitor->busy(run, what); },
          .done = [=](std::size_t run, const Json& result) { monitor->done(run, result); },
          .done_elsewhere = [=](std::size_t run) { monitor->done_elsewhere(run); },
          .waiting = [=](std::size_t runs) { monitor->waiting(runs); },
          .warn = warning_to(console)};
}

}  // namespace vic
