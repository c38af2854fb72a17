#include "info/capacity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "info/entropy.h"

namespace vic {
namespace {

// a distribution over the active inputs, and its consequences
struct Point {
  std::vector<double> p;           // (active)
  std::vector<double> divergence;  // (active) KL(W(. | x) || p(y)), the gradient of I
  double information = 0;          // I(x; y)
};

// An optimal input distribution needs no more letters than there are outputs, so the iteration runs
// on a small set of active inputs, which grows by those that turn out to be missing.
class CapacitySolver {
 public:
  explicit CapacitySolver(const Channel& channel) : channel_(channel) {
    for (int x = 0; x < channel_.inputs; ++x) negentropy_.push_back(-entropy(row(x)));
    // begin with the input of the largest W(y | x) for each output y
    for (int y = 0; y < channel_.outputs; ++y) {
      int best = 0;
      for (int x = 1; x < channel_.inputs; ++x) {
        if (row(x)[y] > row(best)[y]) best = x;
      }
      if (std::find(active_.begin(), active_.end(), best) == active_.end()) active_.push_back(best);
    }
    now_.p.assign(active_.size(), 1.0 / static_cast<double>(active_.size()));
    evaluate(now_);
  }

  // Ascends over the active inputs until certified to be within `gap` of their own capacity.
  void ascend(double gap, double work, Stop stop, Stop enough) {
    StepSize step;
    Point trial;
    work += work_;
    while (work_ < work && !enough.wanted()) {
      stop.check();
      const double best = *std::max_element(now_.divergence.begin(), now_.divergence.end());
      if (best - now_.information <= gap) return;
      const double eta = step.eta();
      const double log_z = proximal_step(trial, eta);
      evaluate(trial);
      double linear = 0;
      for (std::size_t i = 0; i < active_.size(); ++i) linear += trial.p[i] * now_.divergence[i];
      if (step.accept(linear - trial.information, eta * linear - log_z)) std::swap(now_, trial);
    }
  }

  // The largest divergence of any input bounds the capacity from above. Activates the inputs that
  // exceed the present information most, with a small share each.
  double extend() {
    const std::vector<double> log_output = log_outputs(now_);
    std::vector<std::pair<double, int>> better;
    double upper = -std::numeric_limits<double>::infinity();
    for (int x = 0; x < channel_.inputs; ++x) {
      const double d = divergence(x, log_output);
      upper = std::max(upper, d);
      const bool active = std::find(active_.begin(), active_.end(), x) != active_.end();
      if (d > now_.information && !active) better.push_back({-d, x});
    }
    work_ += static_cast<double>(channel_.w.size());
    const std::size_t most = std::min(better.size(), std::size_t(channel_.outputs));
    std::partial_sort(better.begin(), better.begin() + static_cast<long>(most), better.end());
    constexpr double share = 0.01;
    for (double& p : now_.p) p *= most == 0 ? 1 : 1 - share;
    for (std::size_t i = 0; i < most; ++i) {
      active_.push_back(better[i].second);
      now_.p.push_back(share / static_cast<double>(most));
    }
    evaluate(now_);
    return upper;
  }

  double information() const { return now_.information; }
  double work() const { return work_; }

  std::vector<double> input() const {
    std::vector<double> p(channel_.inputs, 0);
    for (std::size_t i = 0; i < active_.size(); ++i) p[active_[i]] = now_.p[i];
    return p;
  }

 private:
  std::span<const double> row(int x) const {
    return std::span(channel_.w).subspan(std::size_t(x) * channel_.outputs, channel_.outputs);
  }

  std::vector<double> log_outputs(const Point& point) const {
    std::vector<double> output(channel_.outputs, 0);
    for (std::size_t i = 0; i < active_.size(); ++i) {
      for (int y = 0; y < channel_.outputs; ++y) output[y] += point.p[i] * row(active_[i])[y];
    }
    // an output that no active input leads to has a large value, not an infinite one
    constexpr double tiny = std::numeric_limits<double>::min();
    for (double& y : output) y = std::log(std::max(y, tiny));
    return output;
  }

  double divergence(int x, const std::vector<double>& log_output) const {
    double cross = 0;
    for (int y = 0; y < channel_.outputs; ++y) cross += row(x)[y] * log_output[y];
    return negentropy_[x] - cross;
  }

  void evaluate(Point& point) {
    const std::vector<double> log_output = log_outputs(point);
    point.divergence.resize(active_.size());
    point.information = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      point.divergence[i] = divergence(active_[i], log_output);
      point.information += point.p[i] * point.divergence[i];
    }
    work_ += 2.0 * static_cast<double>(active_.size()) * channel_.outputs;
  }

  // p'(x) = p(x) exp(eta D_x) / Z; returns log Z
  double proximal_step(Point& to, double eta) const {
    std::vector<double> exponent = now_.divergence;
    for (double& d : exponent) d *= eta;
    const double log_z = log_sum_exp(exponent, now_.p);
    to.p.resize(active_.size());
    for (std::size_t i = 0; i < active_.size(); ++i) {
      to.p[i] = now_.p[i] * std::exp(exponent[i] - log_z);
    }
    return log_z;
  }

  const Channel& channel_;
  std::vector<double> negentropy_;  // (inputs) sum_y W log W
  std::vector<int> active_;         // inputs in use
  Point now_;
  double work_ = 0;  // multiplications so far
};

}  // namespace

Capacity channel_capacity(const Channel& channel, double gap, double work, Stop stop, Stop enough) {
  CapacitySolver solver(channel);
  Capacity capacity{.lower = 0, .upper = std::numeric_limits<double>::infinity(), .input = {}};
  for (;;) {
    // each round may take a tenth of the work left: a set that lacks an input need not be exact
    solver.ascend(gap / 2, 0.1 * (work - solver.work()), stop, enough);
    capacity.lower = solver.information();
    capacity.input = solver.input();
    capacity.upper = std::min(capacity.upper, solver.extend());
    const bool closed = capacity.upper - capacity.lower <= gap;
    if (closed || solver.work() >= work || enough.wanted()) return capacity;
  }
}

bool StepSize::accept(double bregman, double kl) {
  // both are second differences: below this they are rounding, and the last good step is kept
  constexpr double noise = 1e-11;
  if (kl < noise) return true;
  if (eta_ > 1 && eta_ * bregman > kl) {
    eta_ = std::max(1.0, 0.5 * eta_);
    return false;
  }
  eta_ *= 1.3;
  return true;
}

}  // namespace vic
