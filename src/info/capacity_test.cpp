#include "info/capacity.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "info/entropy.h"

namespace vic {
namespace {

constexpr double gap = 1e-9;

double binary_entropy(double p) {
  return -x_log_x(p) - x_log_x(1 - p);
}

// both bounds must hold the closed form between them
void expect_capacity(const Channel& channel, double truth) {
  const Capacity capacity = channel_capacity(channel, gap, 1e9);
  EXPECT_LE(capacity.lower, truth + 1e-12);
  EXPECT_GE(capacity.upper, truth - 1e-12);
  EXPECT_LE(capacity.upper - capacity.lower, gap);
}

TEST(Capacity, StopsOnRequest) {
  StopRequest request;
  request.wanted = true;
  const Channel channel{.inputs = 2, .outputs = 2, .w = {0.9, 0.1, 0.4, 0.6}};
  EXPECT_THROW(channel_capacity(channel, gap, 1e9, Stop(request)), Interrupted);
}

TEST(Capacity, OfTheNoiselessChannelIsTheLogarithm) {
  expect_capacity({.inputs = 3, .outputs = 3, .w = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, std::log(3));
}

TEST(Capacity, OfTheBinarySymmetricChannel) {
  for (double e : {0.0, 0.1, 0.3, 0.5}) {
    expect_capacity({.inputs = 2, .outputs = 2, .w = {1 - e, e, e, 1 - e}},
                    std::log(2) - binary_entropy(e));
  }
}

TEST(Capacity, OfTheErasureChannel) {
  constexpr double e = 0.3;
  expect_capacity({.inputs = 2, .outputs = 3, .w = {1 - e, e, 0, 0, e, 1 - e}},
                  (1 - e) * std::log(2));
}

TEST(Capacity, OfTheZChannelIsNotAtTheUniformInput) {
  constexpr double e = 0.5;
  const Channel channel{.inputs = 2, .outputs = 2, .w = {1, 0, e, 1 - e}};
  const double truth = std::log(1 + (1 - e) * std::pow(e, e / (1 - e)));
  expect_capacity(channel, truth);
  EXPECT_NEAR(channel_capacity(channel, gap, 1e9).input[1], 0.4, 1e-4);
}

TEST(Capacity, OfAUselessChannelIsZero) {
  expect_capacity({.inputs = 3, .outputs = 2, .w = {0.4, 0.6, 0.4, 0.6, 0.4, 0.6}}, 0);
}

RC_GTEST_PROP(Capacity, LiesBetweenItsBoundsOnRandomChannels, ()) {
  const int inputs = *rc::gen::inRange(1, 6), outputs = *rc::gen::inRange(1, 6);
  Channel channel{.inputs = inputs, .outputs = outputs, .w = {}};
  for (int x = 0; x < inputs; ++x) {
    std::vector<double> row;
    double sum = 0;
    for (int y = 0; y < outputs; ++y) {
      row.push_back(*rc::gen::inRange(0, 100) + (y == x % outputs ? 1 : 0));
      sum += row.back();
    }
    for (double w : row) channel.w.push_back(w / sum);
  }
  const Capacity capacity = channel_capacity(channel, 1e-6, 1e9);
  RC_ASSERT(capacity.lower >= -1e-12);
  RC_ASSERT(capacity.upper <= std::log(std::min(inputs, outputs)) + 1e-6);
  RC_ASSERT(capacity.upper - capacity.lower <= 1e-6);
  // no input distribution does better than the upper bound: try the corners of the simplex's middle
  std::vector<double> mean(outputs, 0);
  for (int x = 0; x < inputs; ++x) {
    for (int y = 0; y < outputs; ++y) mean[y] += channel.w[x * outputs + y] / inputs;
  }
  double uniform = entropy(mean);
  for (int x = 0; x < inputs; ++x) {
    uniform -= entropy(std::span(channel.w).subspan(x * outputs, outputs)) / inputs;
  }
  RC_ASSERT(uniform <= capacity.upper + 1e-12);
}

TEST(StepSize, NeverRefusesTheStepOfBlahutAndArimoto) {
  StepSize step;
  EXPECT_EQ(step.eta(), 1);
  EXPECT_TRUE(step.accept(/*bregman=*/1, /*kl=*/1));
  EXPECT_GT(step.eta(), 1);
  EXPECT_FALSE(step.accept(/*bregman=*/1, /*kl=*/1));
  EXPECT_EQ(step.eta(), 1);
}

}  // namespace
}  // namespace vic
