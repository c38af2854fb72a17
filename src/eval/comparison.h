// Reward calibration: the reward of options compared with the number that it estimates.
#pragma once

#include <algorithm>
#include <cmath>

#include "eval/evaluate.h"

namespace vic {

// A weighted sample of (reward, -log p(s_f)), one pair per option.
class Comparison {
 public:
  void add(double weight, double reward, double surprise) {
    const double error = reward - surprise;
    weight_ += weight;
    error_ += weight * error;
    error_square_ += weight * error * error;
    x_ += weight * reward;
    y_ += weight * surprise;
    xx_ += weight * reward * reward;
    yy_ += weight * surprise * surprise;
    xy_ += weight * reward * surprise;
  }

  Calibration result() const {
    const double bias = error_ / weight_;
    const auto covariance = [&](double product, double a, double b) {
      return product / weight_ - a / weight_ * b / weight_;
    };
    const double spread = std::sqrt(covariance(xx_, x_, x_) * covariance(yy_, y_, y_));
    return {.bias = bias,
            .deviation = std::sqrt(std::max(0.0, error_square_ / weight_ - bias * bias)),
            .correlation = spread > 0 ? covariance(xy_, x_, y_) / spread : 0};
  }

 private:
  double weight_ = 0, error_ = 0, error_square_ = 0;
  double x_ = 0, y_ = 0, xx_ = 0, yy_ = 0, xy_ = 0;
};

}  // namespace vic
