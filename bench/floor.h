// vic bench --floor: the time of an update compared with the least that its matrix products could
// take.
#pragma once

#include "bench/updates.h"

namespace vic {

// The peak rate of a large product, in floating-point operations per second of processor time.
double product_rate(Stop stop);

struct FloorRow {
  double milliseconds = 0;  // of an update
  double operations = 0;    // of its products
  double share = 0;         // their share of the update at the rate of a large product
  double moves = 0;         // of an option, mean
};

// One thread; the median over the rounds.
FloorRow measure_floor(const UpdateCase& c, double rate, const BenchPlan& plan,
                       const Progress& progress);

}  // namespace vic
