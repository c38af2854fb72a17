// vic bench --floor: the time of an update beside the least that its matrix products could take.
#pragma once

#include "bench/updates.h"

namespace vic {

// Floating-point operations per second of processor time of a large product, at its best.
double product_rate(Stop stop);

struct FloorRow {
  double milliseconds = 0;  // of an update
  double operations = 0;    // of its products
  double share = 0;         // what they would take at the rate of a large product, by the whole
  double moves = 0;         // of an option, mean
};

// One thread; the median over the rounds.
FloorRow measure_floor(const UpdateCase& c, double rate, const BenchPlan& plan,
                       const Progress& progress);

}  // namespace vic
