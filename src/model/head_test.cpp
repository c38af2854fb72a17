// The heads of a model against their definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/model_case.h"

namespace vic {
namespace {

// the same net in double, all levels encoded and all queries made
struct InDouble {
  SequenceModel<double> net;
  SequenceWorkspace<double> work;

  InDouble(const Model& model, const ModelCase& k) : net(model.shape(), {}) {
    const Block<float>& values = model.net().parameters().values;
    net.parameters().values.assign(values.begin(), values.end());
    net.encode(work, k.tree(), k.inputs_double.view());
    net.query(work, k.queries, k.table.codes);
  }
};

// ----- oracle: the heads by their definitions, one target at a time, in double ----- //

double naive_log_p(const double* output, int choice, int classes) {
  double sum = 0;
  for (int j = 0; j < classes; ++j) sum += std::exp(output[j]);
  return output[choice] - std::log(sum);
}

double naive_log_density(const double* output, double x) {
  double total = 0, density = 0;
  for (int j = 0; j < case_mixture.n; ++j) {
    const double u = (x - output[case_mixture.n + j]) / case_mixture.sigma;
    total += std::exp(output[j]);
    density += std::exp(output[j] - u * u / 2);
  }
  return std::log(density / total / case_mixture.sigma / std::sqrt(2 * std::numbers::pi));
}

// the step of target m in the coordinate of the codes
double naive_step(const ModelCase& k, int m) {
  const int from = k.histories.state[k.queries.row[k.targets.query[m]]];
  const std::vector<double>& x = k.table.codes.coordinates;
  return x[k.targets.choice[m]] - x[from];
}

// the gradient of -sum_m scale[m] log_p(m, output), by differences in the outputs of each query and
// the whole model's backward pass from there
Block<double> naive_gradient(InDouble& in_double, const ModelCase& k, const auto& log_p) {
  const MatrixView<const double> made = in_double.work.outputs.view();
  Buffer<double> outputs, doutputs;
  outputs.reshape(made.rows, made.cols);
  std::copy_n(made.data, made.size(), outputs.row(0));
  doutputs.reshape(made.rows, made.cols);
  doutputs.view().set_zero();
  for (int m = 0; m < k.targets.size(); ++m) {
    double* output = outputs.row(k.targets.query[m]);
    for (Index j = 0; j < made.cols; ++j) {
      constexpr double step = 1e-5;
      const double at = output[j];
      output[j] = at + step;
      const double above = log_p(m, output);
      output[j] = at - step;
      const double below = log_p(m, output);
      output[j] = at;
      doutputs.row(k.targets.query[m])[j] -=
          static_cast<double>(k.scale[m]) * (above - below) / (2 * step);
    }
  }
  Block<double> gradient(in_double.net.parameters().values.size(), 0.0);
  in_double.net.backward(gradient, in_double.work, doutputs.view(), k.queries, k.table.codes,
                         k.tree());
  return gradient;
}

void expect_near(const Block<float>& a, const Block<double>& b, double tolerance) {
  double largest = 0;
  for (double x : b) largest = std::max(largest, std::abs(x));
  EXPECT_GT(largest, 0.1) << "a test of zeros shows nothing";
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(a[i]), b[i], tolerance * largest) << "parameter " << i;
  }
}

TEST(Head, SoftmaxEqualsItsDefinitionAndSoDoesItsGradient) {
  const ModelCase k;
  const Model model = k.softmax_model();
  ModelWorkspace work = encoded(model, k);
  const std::vector<float> log_p = log_p_of(model, work, k);
  InDouble in_double(model, k);
  const MatrixView<const double> outputs = in_double.work.outputs.view();
  const auto naive = [&](int m, const double* output) {
    return naive_log_p(output, k.targets.choice[m], k.world.S);
  };
  for (int m = 0; m < k.targets.size(); ++m) {
    EXPECT_NEAR(static_cast<double>(log_p[m]), naive(m, outputs.row(k.targets.query[m])), 1e-5);
  }
  expect_near(gradient_of(model, work, k), naive_gradient(in_double, k, naive), 1e-5);
}

TEST(Head, MixtureIsADensityOfTheStepAndItsGradientIsSmoothed) {
  const ModelCase k;
  const Model model = k.mixture_model();
  ModelWorkspace work = encoded(model, k);
  const std::vector<float> log_p = log_p_of(model, work, k);
  InDouble in_double(model, k);
  const MatrixView<const double> outputs = in_double.work.outputs.view();
  for (int m = 0; m < k.targets.size(); ++m) {
    const double naive = naive_log_density(outputs.row(k.targets.query[m]), naive_step(k, m));
    EXPECT_NEAR(static_cast<double>(log_p[m]), naive, 1e-5 * std::max(1.0, std::abs(naive)));
  }
  Noise<float> noise;
  gauss_hermite_noise(noise, /*nodes=*/5, /*d=*/1);
  const auto smoothed = [&](int m, const double* output) {
    double sum = 0;
    for (Index i = 0; i < noise.points(); ++i) {
      const double z = static_cast<double>(noise.z.row(0)[i]);
      const double weight = static_cast<double>(noise.weight.row(0)[i]);
      sum += weight * naive_log_density(output, naive_step(k, m) + case_mixture.sigma * z);
    }
    return sum;
  };
  work.smoothing = &noise;
  expect_near(gradient_of(model, work, k), naive_gradient(in_double, k, smoothed), 1e-5);
}

}  // namespace
}  // namespace vic
