#include "cli/sweep_monitor.h"

#include <fmt/format.h>

#include "base/print.h"

namespace vic {
namespace {

using namespace std::chrono_literals;

std::string duration_text(double seconds) {
  const long s = static_cast<long>(seconds + 0.5);
  if (s < 120) return fmt::format("{} s", s);
  if (s < 7200) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

}  // namespace

SweepMonitor::SweepMonitor(const Console& console, const std::vector<SweepRun>& runs,
                           const Experiment& experiment)
    : console_(console), runs_(runs), experiment_(experiment) {
  for (const SweepRun& run : runs) {
    if (run.done) {
      ++finished_;
    } else {
      updates_all_ += run.updates;
    }
  }
}

SweepMonitor::~SweepMonitor() {
  erase();
}

void SweepMonitor::progress(std::size_t run, const Training& training) {
  const std::scoped_lock lock(mutex_);
  Active& active = active_[run];
  const Clock::time_point now = Clock::now();
  if (!console_.progress || now - active.looked < 100ms) return;
  active.looked = now;
  // updates of an earlier sweep count as work of this one, for want of a better estimate
  const long update = training.run.learner->state().update;
  updates_done_ += update - active.update;
  active.update = update;
  const double fraction = static_cast<double>(update) / static_cast<double>(runs_[run].updates);
  active.text =
      fmt::format("{:<32} {} {}/{}  I {:.4f}", experiment_.runs[run].name, bar(fraction, 24),
                  update, runs_[run].updates, training.run.learner->I_hat());
  if (now - drawn_ < 100ms) return;
  drawn_ = now;
  draw();
}

void SweepMonitor::done(std::size_t run, const Json& evaluation) {
  const std::scoped_lock lock(mutex_);
  updates_done_ += runs_[run].updates - active_[run].update;
  const double seconds = active_[run].watch.seconds();
  active_.erase(run);
  ++finished_;
  if (console_.progress) return draw();
  const double H = evaluation.at("H").get<double>();
  // the largest H of a simulated world is not known
  std::string beside;
  if (evaluation.contains("H_max")) {
    const double H_max = evaluation.at("H_max").get<double>();
    beside = fmt::format("{:.1f} % of H_max", H_max > 0 ? 100 * H / H_max : 100.0);
  } else {
    beside = fmt::format("{} cells", evaluation.at("cells").get<long>());
  }
  print(console_.err, "[{}/{}] {}  H {:.4f}, {}  {}\n", finished_, runs_.size(),
        experiment_.runs[run].name, H, beside, duration_text(seconds));
  console_.err.flush();
}

std::string SweepMonitor::total_line() const {
  const double elapsed = watch_.seconds();
  const double fraction = static_cast<double>(updates_done_) / static_cast<double>(updates_all_);
  return fmt::format("{:<32} {} {}/{} runs  {} left", "all", bar(fraction, 24), finished_,
                     runs_.size(),
                     fraction > 0 ? duration_text(elapsed * (1 - fraction) / fraction) : "?");
}

void SweepMonitor::erase() {
  if (lines_ > 0) print(console_.err, "\r\x1b[{}A\x1b[J", lines_);
  lines_ = 0;
  console_.err.flush();
}

void SweepMonitor::draw() {
  std::string text;
  for (const auto& [run, active] : active_) text += active.text + "\n";
  text += total_line() + "\n";
  // one write, or the terminal flickers
  if (lines_ > 0) text.insert(0, fmt::format("\r\x1b[{}A\x1b[J", lines_));
  lines_ = static_cast<int>(active_.size()) + 1;
  console_.err << text << std::flush;
}

}  // namespace vic
