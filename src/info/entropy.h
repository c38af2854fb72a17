// Entropies of finite distributions, and intervals of estimates. In nats, with 0 log 0 = 0.
#pragma once

#include <span>

namespace vic {

// x log x, continued by 0 at 0.
double x_log_x(double x);

// H(p) = -sum p log p.
double entropy(std::span<const double> p);

// log sum_i weight_i exp(x_i), without overflow. Weights must not be negative.
double log_sum_exp(std::span<const double> x, std::span<const double> weight);

// An entropy estimated from counts.
struct EntropyEstimate {
  double H = 0;     // nats
  double ci95 = 0;  // half of its 95 % interval
};

// The entropy of the distribution that the counts were drawn from; zeros are ignored. The numbers
// of states drawn once and twice correct for those not drawn at all (Chao, Wang and Jost, 2013), so
// that many rare states cost little; the remaining bias is part of the interval.
EntropyEstimate estimate_entropy(std::span<const long> counts);

struct Interval {
  double low = 0, high = 0;
};

// Wilson's 95 % interval of a probability, from the share p of n draws: valid near 0 and 1 too.
Interval wilson_interval(double p, double n);

}  // namespace vic
