#include "info/estimators.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "info/entropy.h"

namespace vic {
namespace {

// the logarithm of the gamma function, its first and its second derivative, for x > 0: by
// recurrence from a larger x, where the asymptotic series are accurate to 1e-15
struct Gamma {
  double log = 0, digamma = 0, trigamma = 0;

  explicit Gamma(double x) {
    double product = 1;
    for (; x < 12; x += 1) {
      product *= x;
      digamma -= 1 / x;
      trigamma += 1 / (x * x);
    }
    const double y = 1 / x, z = y * y;
    log = (x - 0.5) * std::log(x) - x + 0.91893853320467274178 - std::log(product) +
          y * (1. / 12 - z * (1. / 360 - z * (1. / 1260 - z * (1. / 1680 - z / 1188))));
    digamma += std::log(x) - y / 2 -
               z * (1. / 12 - z * (1. / 120 - z * (1. / 252 - z * (1. / 240 - z / 132))));
    trigamma += y + z / 2 + z * y * (1. / 6 - z * (1. / 30 - z * (1. / 42 - z / 30)));
  }
};

double total(std::span<const long> counts) {
  double n = 0;
  for (long count : counts) n += static_cast<double>(count);
  return n;
}

// The posterior of the counts under a Dirichlet prior of concentration beta.
class DirichletPosterior {
 public:
  DirichletPosterior(std::span<const long> counts, int states) : K_(states), n_(total(counts)) {
    for (long count : counts) ++often_[count];
    // states that are not listed were not drawn
    often_[0] += states - static_cast<long>(counts.size());
  }

  // the log-likelihood of the counts, plus the log-prior of log beta that makes the mean entropy
  // uniform
  double log_weight(double beta) const {
    const Gamma sum(K_ * beta), one(beta);
    double log_p = sum.log - Gamma(K_ * beta + n_).log;
    for (const auto& [count, states] : often_) {
      if (count > 0)
        log_p += static_cast<double>(states) * (Gamma(double(count) + beta).log - one.log);
    }
    const double slope = K_ * Gamma(K_ * beta + 1).trigamma - Gamma(beta + 1).trigamma;
    return log_p + std::log(slope * beta);
  }

  // the posterior mean of H
  double mean(double beta) const {
    const double all = n_ + K_ * beta;
    double H = Gamma(all + 1).digamma;
    for (const auto& [count, states] : often_) {
      const double here = static_cast<double>(count) + beta;
      H -= static_cast<double>(states) * here / all * Gamma(here + 1).digamma;
    }
    return H;
  }

 private:
  double K_, n_;
  std::map<long, long> often_;  // the number of states that have a count
};

}  // namespace

double plug_in_entropy(std::span<const long> counts) {
  const double n = total(counts);
  double H = 0;
  for (long count : counts) H -= x_log_x(static_cast<double>(count) / n);
  return n > 0 ? H : 0;
}

double miller_madow_entropy(std::span<const long> counts) {
  const double n = total(counts);
  const auto drawn = std::ranges::count_if(counts, [](long count) { return count > 0; });
  return n > 0 ? plug_in_entropy(counts) + static_cast<double>(drawn - 1) / (2 * n) : 0;
}

double chao_shen_entropy(std::span<const long> counts) {
  const double n = total(counts);
  const auto once = static_cast<double>(std::ranges::count(counts, 1));
  // where all were drawn once, the estimated coverage would be 0
  const double covered = once < n ? 1 - once / n : 1 / n;
  double H = 0;
  for (long count : counts) {
    if (count == 0) continue;
    const double p = covered * static_cast<double>(count) / n;
    H -= x_log_x(p) / (p < 1 ? -std::expm1(n * std::log1p(-p)) : 1);
  }
  return H;
}

double nsb_entropy(std::span<const long> counts, int states) {
  if (states < 2) return 0;
  const DirichletPosterior posterior(counts, states);
  // over log beta: the prior falls off exponentially on both sides, and a large sample leaves a
  // peak some sqrt(2 / states) wide
  constexpr double low = -16, high = 16, step = 0.05;
  std::vector<double> log_weight;
  for (double x = low; x <= high; x += step)
    log_weight.push_back(posterior.log_weight(std::exp(x)));
  const double largest = *std::ranges::max_element(log_weight);
  double above = 0, below = 0, x = low;
  for (double log_w : log_weight) {
    // negligible terms are skipped
    if (const double w = std::exp(log_w - largest); w > 1e-15) {
      above += w * posterior.mean(std::exp(x));
      below += w;
    }
    x += step;
  }
  return above / below;
}

double info_nce(std::span<const double> critic, int n) {
  const std::vector<double> even(n, 1.0 / n);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const auto row = critic.subspan(std::size_t(i) * n, n);
    sum += row[i] - log_sum_exp(row, even);
  }
  return sum / n;
}

double nwj(std::span<const double> critic, int n) {
  double joint = 0, apart = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double f = critic[std::size_t(i) * n + j];
      if (i == j) {
        joint += f / n;
      } else {
        apart += std::exp(f - 1);
      }
    }
  }
  return joint - apart / n / (n - 1);
}

}  // namespace vic
