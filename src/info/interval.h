// Intervals of estimates.
#pragma once

namespace vic {

struct Interval {
  double low = 0, high = 0;
};

// Wilson's 95 % interval of a probability, from the share p of n draws: right near 0 and 1 too.
Interval wilson_interval(double p, double n);

}  // namespace vic
