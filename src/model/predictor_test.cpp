#include "model/predictor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "nn/gradient_check.h"
#include "support/random_world.h"

namespace vic {
namespace {

constexpr Mixture mixture = {.n = 3, .d = 1, .sigma = 0.5};
const Told told = {.action = true, .goal = true};

// a small world with all its histories, asked about every move in hindsight of some final state
struct Case {
  TabularWorld world = random_world(9);
  Encoding encoding = encode_states(world, StateCode::axes);
  Histories histories = *enumerate_histories(world, 10000);
  HistoryInputs<float> inputs;
  HistoryInputs<double> inputs_double;
  Queries queries;
  Outcomes outcomes;
  std::vector<float> scale;  // (M)

  Case() {
    inputs.append(histories, 0, encoding, world.A);
    inputs_double.append(histories, 0, encoding, world.A);
    // the queries that share a move share a query, and so do some of its outcomes
    for (int r = 1; r < histories.rows(); ++r) {
      const bool again = queries.size() > 0 && queries.row.back() == histories.parent[r] &&
                         queries.action.back() == histories.action[r];
      if (!again) {
        queries.row.push_back(histories.parent[r]);
        queries.action.push_back(histories.action[r]);
        queries.goal.push_back(r % world.S);
      }
      outcomes.query.push_back(queries.size() - 1);
      outcomes.choice.push_back(histories.state[r]);
      scale.push_back(0.1F * static_cast<float>(1 + r % 7));
    }
  }

  Tree tree() const { return {histories.first, histories.parent}; }
  Asked asked() const { return {histories, inputs.view(), tree()}; }
  ModelShape shape(Index outputs) const {
    return {"net", told, world.A, /*hidden=*/8, static_cast<int>(outputs)};
  }
};

// weights far from their small beginning
void stir(Predictor& predictor) {
  for (float& x : predictor.model().parameters().values) x *= 5;
}

// the same net in double, all levels encoded
SequenceModel<double> in_double(const Predictor& predictor, const Case& k) {
  SequenceModel<double> model(predictor.model().shape(), k.encoding, {});
  const Block<float>& values = predictor.model().parameters().values;
  model.parameters().values.assign(values.begin(), values.end());
  model.encode(k.tree(), k.inputs_double.view());
  return model;
}

// ----- oracle: the heads by their definitions, one outcome at a time, in double ----- //

double naive_log_p(const double* output, int choice, int classes) {
  double sum = 0;
  for (int j = 0; j < classes; ++j) sum += std::exp(output[j]);
  return output[choice] - std::log(sum);
}

double naive_log_density(const double* output, double x) {
  double total = 0, density = 0;
  for (int j = 0; j < mixture.n; ++j) {
    const double u = (x - output[mixture.n + j]) / mixture.sigma;
    total += std::exp(output[j]);
    density += std::exp(output[j] - u * u / 2);
  }
  return std::log(density / total / mixture.sigma / std::sqrt(2 * std::numbers::pi));
}

// the step of outcome m in the world's coordinate
double naive_step(const Case& k, int m) {
  const int from = k.histories.state[k.queries.row[k.outcomes.query[m]]];
  return k.world.coordinates[k.outcomes.choice[m]] - k.world.coordinates[from];
}

// the gradient of -sum_m scale[m] loss(m, output), by differences in the outputs of each query and
// the whole model's backward pass from there
Block<double> naive_gradient(SequenceModel<double>& model, const Case& k, const auto& log_p) {
  const MatrixView<const double> answer = model.answer(k.queries);
  Buffer<double> outputs, doutputs;
  outputs.reshape(answer.rows, answer.cols);
  std::copy_n(answer.data, answer.size(), outputs.row(0));
  doutputs.reshape(answer.rows, answer.cols);
  doutputs.view().set_zero();
  for (int m = 0; m < k.outcomes.size(); ++m) {
    double* output = outputs.row(k.outcomes.query[m]);
    for (Index j = 0; j < answer.cols; ++j) {
      constexpr double step = 1e-5;
      const double at = output[j];
      output[j] = at + step;
      const double above = log_p(m, output);
      output[j] = at - step;
      const double below = log_p(m, output);
      output[j] = at;
      doutputs.row(k.outcomes.query[m])[j] -=
          static_cast<double>(k.scale[m]) * (above - below) / (2 * step);
    }
  }
  model.backward(doutputs.view(), k.queries, k.tree());
  return model.parameters().gradients;
}

void expect_near(const Block<float>& a, const Block<double>& b, double tolerance) {
  double largest = 0;
  for (double x : b) largest = std::max(largest, std::abs(x));
  EXPECT_GT(largest, 0.1) << "a test of zeros shows nothing";
  for (std::size_t i = 0; i < b.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(a[i]), b[i], tolerance * largest) << "parameter " << i;
  }
}

TEST(Predictor, ProbabilitiesAreTheExponentialsOfLogPAndSumToOne) {
  const Case k;
  Predictor predictor(k.shape(k.world.S), k.encoding, {.seed = 3, .stream = 0});
  stir(predictor);
  predictor.model().encode(k.tree(), k.inputs.view());
  std::vector<float> log_p;
  predictor.log_p(log_p, k.queries, k.outcomes, k.asked());
  const MatrixView<const float> p = predictor.probabilities(k.queries);
  ASSERT_EQ(p.rows, k.queries.size());
  ASSERT_EQ(p.cols, k.world.S);
  for (Index q = 0; q < p.rows; ++q) {
    double sum = 0;
    for (Index j = 0; j < p.cols; ++j) sum += static_cast<double>(p(q, j));
    EXPECT_NEAR(sum, 1, 1e-6);
  }
  for (int m = 0; m < k.outcomes.size(); ++m) {
    const double of_choice = static_cast<double>(p(k.outcomes.query[m], k.outcomes.choice[m]));
    EXPECT_NEAR(std::log(of_choice), static_cast<double>(log_p[m]), 1e-5);
  }
}

TEST(Predictor, SoftmaxEqualsItsDefinitionAndSoDoesItsGradient) {
  const Case k;
  Predictor predictor(k.shape(k.world.S), k.encoding, {.seed = 3, .stream = 0});
  stir(predictor);
  predictor.model().encode(k.tree(), k.inputs.view());
  std::vector<float> log_p;
  predictor.log_p(log_p, k.queries, k.outcomes, k.asked());
  SequenceModel<double> model = in_double(predictor, k);
  const MatrixView<const double> outputs = model.answer(k.queries);
  const auto naive = [&](int m, const double* output) {
    return naive_log_p(output, k.outcomes.choice[m], k.world.S);
  };
  for (int m = 0; m < k.outcomes.size(); ++m) {
    EXPECT_NEAR(static_cast<double>(log_p[m]), naive(m, outputs.row(k.outcomes.query[m])), 1e-5);
  }
  predictor.add_gradient(k.queries, k.outcomes, k.scale, k.asked(), {});
  expect_near(predictor.model().parameters().gradients, naive_gradient(model, k, naive), 1e-5);
}

TEST(Predictor, MixtureIsADensityOfTheStepAndItsGradientIsSmoothed) {
  const Case k;
  Predictor predictor(k.shape(mixture.outputs()), k.encoding, k.encoding, {.seed = 3, .stream = 0},
                      mixture);
  stir(predictor);
  predictor.model().encode(k.tree(), k.inputs.view());
  std::vector<float> log_p;
  predictor.log_p(log_p, k.queries, k.outcomes, k.asked());
  SequenceModel<double> model = in_double(predictor, k);
  const MatrixView<const double> outputs = model.answer(k.queries);
  for (int m = 0; m < k.outcomes.size(); ++m) {
    const double naive = naive_log_density(outputs.row(k.outcomes.query[m]), naive_step(k, m));
    EXPECT_NEAR(static_cast<double>(log_p[m]), naive, 1e-5 * std::max(1.0, std::abs(naive)));
  }
  Noise<float> noise;
  gauss_hermite_noise(noise, /*nodes=*/5, /*d=*/1);
  const auto smoothed = [&](int m, const double* output) {
    double sum = 0;
    for (Index i = 0; i < noise.points(); ++i) {
      const double z = static_cast<double>(noise.z.row(0)[i]);
      const double weight = static_cast<double>(noise.weight.row(0)[i]);
      sum += weight * naive_log_density(output, naive_step(k, m) + mixture.sigma * z);
    }
    return sum;
  };
  predictor.add_gradient(k.queries, k.outcomes, k.scale, k.asked(), noise);
  expect_near(predictor.model().parameters().gradients, naive_gradient(model, k, smoothed), 1e-5);
}

}  // namespace
}  // namespace vic
