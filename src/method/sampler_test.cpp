#include "method/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace vic {
namespace {

TEST(Temper, RaisesToThePowerOfOneByTheTemperature) {
  std::vector<double> p = {0.2, 0.5, 0.3};
  temper(p, 0.5);
  const double sum = 0.04 + 0.25 + 0.09;
  EXPECT_NEAR(p[0], 0.04 / sum, 1e-12);
  EXPECT_NEAR(p[1], 0.25 / sum, 1e-12);
  EXPECT_NEAR(p[2], 0.09 / sum, 1e-12);
}

TEST(Temper, EndsWithTheLargest) {
  for (const double temperature : {0.0, 1e-6, 1e-3}) {
    std::vector<double> p = {0.2, 0.41, 0.39};
    temper(p, temperature);
    EXPECT_NEAR(p[1], 1, 1e-9) << temperature;
    EXPECT_NEAR(p[0] + p[2], 0, 1e-9) << temperature;
  }
}

}  // namespace
}  // namespace vic
