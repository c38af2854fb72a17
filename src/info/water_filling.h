// The capacity of parallel Gaussian channels.
#pragma once

#include <span>
#include <vector>

namespace vic {

struct WaterFilling {
  double capacity = 0;        // nats
  std::vector<double> power;  // (channels)
};

// y_i = gain_i x_i + noise of variance 1, with sum_i E[x_i^2] at most `power`: the optimum fills up
// 1 / gain_i^2, the noise referred to the inputs, to one level. Gains of 0 carry nothing.
WaterFilling water_filling(std::span<const double> gains, double power);

}  // namespace vic
