#include "nn/parameters.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "support/gradient_check.h"

namespace vic {
namespace {

// ----- oracle: one number, as in the paper of Kingma and Ba ----- //

struct Scalar {
  double x, m = 0, v = 0;

  void step(double g, int t, const AdamSettings& s) {
    m = s.beta_1 * m + (1 - s.beta_1) * g;
    v = s.beta_2 * v + (1 - s.beta_2) * g * g;
    const double m_hat = m / (1 - std::pow(s.beta_1, t));
    const double v_hat = v / (1 - std::pow(s.beta_2, t));
    x -= s.learning_rate * m_hat / (std::sqrt(v_hat) + s.epsilon);
  }
};

// runs both on 21 numbers, which leaves a rest after the registers are full
template <class Real>
void expect_equals_scalar(double tolerance) {
  const AdamSettings settings = {.learning_rate = 0.01};
  constexpr Index size = 21;
  Block<Real> values(size), gradients(size);
  std::vector<Scalar> scalars;
  for (std::size_t i = 0; i < size; ++i) {
    values[i] = static_cast<Real>(0.1 * static_cast<double>(i));
    scalars.push_back({.x = static_cast<double>(values[i])});
  }
  AdamState<Real> state(size);
  for (int t = 1; t <= 50; ++t) {
    // the first numbers never have a gradient, those after them only in the beginning
    fill_random(MatrixView<Real>{gradients.data(), 1, size}, static_cast<std::uint32_t>(t));
    std::fill_n(gradients.begin(), t < 10 ? 8 : 16, Real{0});
    for (std::size_t i = 0; i < size; ++i) {
      scalars[i].step(static_cast<double>(gradients[i]), t, settings);
    }
    adam_step(values, state, gradients, settings);
  }
  EXPECT_EQ(state.steps, 50);
  for (std::size_t i = 0; i < size; ++i) {
    EXPECT_NEAR(static_cast<double>(values[i]), scalars[i].x, tolerance) << "number " << i;
  }
}

TEST(Adam, EqualsTheScalarFormula) {
  expect_equals_scalar<double>(1e-13);
}

TEST(Adam, FloatAgreesWithDouble) {
  expect_equals_scalar<float>(2e-6);
}

TEST(Adam, TheFirstStepIsTheLearningRateWhateverTheGradient) {
  Block<double> values(3, 0.0);
  const Block<double> gradients = {1e-3, -5.0, 0.0};
  AdamState<double> state(3);
  adam_step(values, state, gradients, {.learning_rate = 0.1});
  EXPECT_NEAR(values[0], -0.1, 1e-5);
  EXPECT_NEAR(values[1], 0.1, 1e-8);
  EXPECT_EQ(values[2], 0);
}

TEST(Adam, ContinuesFromASavedState) {
  // the second gradient is another one: of equal ones every step is the learning rate
  const Block<float> first(32, 0.3F), second(32, -0.1F);
  Block<float> a(32, 1.0F);
  AdamState<float> state(32);
  adam_step(a, state, first, {});
  Block<float> b = a, c = a;
  AdamState<float> saved = state, fresh(32);
  adam_step(a, state, second, {});
  adam_step(b, saved, second, {});
  adam_step(c, fresh, second, {});
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c) << "a state that is not continued";
}

TEST(Adam, RefusesBlocksOfDifferentLengths) {
  Block<float> values(32);
  AdamState<float> state(32);
  EXPECT_THROW(adam_step(values, state, Block<float>(31), {}), Error);
}

}  // namespace
}  // namespace vic
