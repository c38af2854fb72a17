#include "model/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <latch>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "support/gradient_check.h"
#include "support/model_case.h"

namespace vic {
namespace {

TEST(Model, ProbabilitiesAreTheExponentialsOfLogPAndSumToOne) {
  const ModelCase k;
  const Model model = k.softmax_model();
  ModelWorkspace work = encoded(model, k);
  const std::vector<float> log_p = log_p_of(model, work, k);
  const MatrixView<const float> p = model.probabilities(work, k.queries, k.table.codes);
  ASSERT_EQ(p.rows, k.queries.size());
  ASSERT_EQ(p.cols, k.world.S);
  for (Index q = 0; q < p.rows; ++q) {
    double sum = 0;
    for (Index j = 0; j < p.cols; ++j) sum += static_cast<double>(p(q, j));
    EXPECT_NEAR(sum, 1, 1e-6);
  }
  for (int m = 0; m < k.targets.size(); ++m) {
    const double of_choice = static_cast<double>(p(k.targets.query[m], k.targets.choice[m]));
    EXPECT_NEAR(std::log(of_choice), static_cast<double>(log_p[m]), 1e-5);
  }
}

// the queries about level t
Queries queries_of_level(const ModelCase& k, int t) {
  Queries part;
  for (int q = 0; q < k.queries.size(); ++q) {
    const int row = k.queries.row[q];
    if (row < k.histories.first[t] || row >= k.histories.first[t + 1]) continue;
    part.row.push_back(row);
    part.action.push_back(k.queries.action[q]);
    part.goal.push_back(k.queries.goal[q]);
  }
  return part;
}

// as in a rollout, level by level: whether the model is added to another one or not, its own logits
// are kept
TEST(Model, AppendedQueriesAreTheSameAsAllAtOnce) {
  const ModelCase k;
  const Model model = k.softmax_model();
  ModelWorkspace whole = encoded(model, k);
  const MatrixView<const float> logits = model.net().query(whole.net, k.queries, k.table.codes);
  const Buffer<float> other = random_matrix<float>(3, model.net().columns(), /*stream=*/4);
  for (const bool with_offset : {false, true}) {
    ModelWorkspace grown;
    int made = 0;
    for (int t = 0; t < k.histories.levels(); ++t) {
      model.net().encode_level(grown.net, k.tree(), t, k.inputs.view());
      const Queries part = queries_of_level(k, t);
      std::vector<int> row;
      for (int q = 0; with_offset && q < part.size(); ++q) row.push_back((made + q) % 3);
      const MatrixView<const float> p =
          model.append_probabilities(grown, part, k.table.codes, {other.view(), row});
      ASSERT_EQ(p.rows, part.size());
      for (int q = 0; q < part.size(); ++q) {
        double sum = 0, of_first = 0;
        for (int j = 0; j < k.world.S; ++j) {
          const float offset = with_offset ? other.view()(row[q], j) : 0;
          const double e = std::exp(static_cast<double>(logits(made + q, j) + offset));
          sum += e;
          if (j == 0) of_first = e;
        }
        EXPECT_NEAR(static_cast<double>(p(q, 0)), of_first / sum, 1e-6);
      }
      made += part.size();
    }
    ASSERT_EQ(made, k.queries.size());
    std::vector<float> log_p, cached;
    model.log_p(log_p, whole, k.queries, k.targets, k.context());
    model.cached_log_p(cached, grown, k.targets);
    EXPECT_EQ(log_p, cached);
    EXPECT_EQ(gradient_of(model, whole, k), gradient_of(model, grown, k));
  }
}

TEST(Model, LogitsOfAnotherModelAreAddedToItsOwn) {
  const ModelCase k;
  const Model model = k.softmax_model();
  ModelWorkspace work = encoded(model, k);
  // a constant added to all logits changes nothing, and a probability of 1 stays 1
  const auto columns = static_cast<int>(model.net().columns());
  Buffer<float> other;
  other.reshape(2, columns);
  other.view().set_zero();
  for (int j = 0; j < columns; ++j) other.row(0)[j] = 2;
  other.row(1)[1] = 50;
  std::vector<float> own, even, sure;
  const std::vector<int> of_even(k.queries.row.size(), 0), of_sure(k.queries.row.size(), 1);
  model.log_p(own, work, k.queries, k.targets, k.context());
  model.log_p(even, work, k.queries, k.targets, k.context(), {other.view(), of_even});
  model.log_p(sure, work, k.queries, k.targets, k.context(), {other.view(), of_sure});
  for (std::size_t m = 0; m < own.size(); ++m) {
    EXPECT_NEAR(own[m], even[m], 1e-5F);
    if (k.targets.choice[m] == 1) {
      EXPECT_NEAR(sure[m], 0, 1e-5F);
    } else {
      EXPECT_LT(sure[m], -20);
    }
  }
}

TEST(Model, AMixtureThatLearnsWithoutSmoothingIsNamed) {
  const ModelCase k;
  const Model model = k.mixture_model();
  ModelWorkspace work = encoded(model, k);
  log_p_of(model, work, k);
  try {
    gradient_of(model, work, k);
    ADD_FAILURE() << "it learned";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "net learns steps, and its workspace has no smoothing");
  }
}

// the kind of a model is its head, which its number of outputs does not show
TEST(Model, HeadsOfTheSameNumberOfOutputsDifferInKind) {
  const ModelCase k;
  const Model steps(k.shape(case_mixture.outputs()), case_mixture, model_address);
  const Model classes(k.shape(case_mixture.outputs()), Factors{.K = case_mixture.outputs()},
                      model_address);
  const Model factors(k.shape(case_mixture.outputs()), Factors{.F = 2, .K = case_mixture.n},
                      model_address);
  ASSERT_EQ(steps.shape().outputs, classes.shape().outputs);
  ASSERT_EQ(steps.net().parameters().values, classes.net().parameters().values);
  EXPECT_FALSE(steps.is_categorical());
  EXPECT_TRUE(classes.is_categorical());
  EXPECT_TRUE(factors.is_categorical());
  // and the same outputs mean something else
  std::vector<float> density, p;
  for (const auto& [model, log_p] : {std::pair{&steps, &density}, std::pair{&classes, &p}}) {
    ModelWorkspace work = encoded(*model, k);
    model->log_p(*log_p, work, k.queries, k.targets, k.context());
  }
  ASSERT_EQ(density.size(), p.size());
  EXPECT_NE(density, p);
}

TEST(Model, AHeadThatDoesNotFitTheNetIsRefused) {
  const ModelCase k;
  EXPECT_THROW(Model(k.shape(4), Factors{.K = 5}, model_address), Error);
  EXPECT_THROW(Model(k.shape(case_mixture.outputs() + 1), case_mixture, model_address), Error);
}

// ----- one const model, many workspaces ----- //

// a part of the queries, with its targets
struct Share {
  Queries queries;
  Targets targets;
  std::vector<float> scale;
};

// every second query, from `begin` on
Share every_second(const ModelCase& k, int begin) {
  Share share;
  for (int q = begin; q < k.queries.size(); q += 2) {
    for (int m = 0; m < k.targets.size(); ++m) {
      if (k.targets.query[m] != q) continue;
      share.targets.query.push_back(share.queries.size());
      share.targets.choice.push_back(k.targets.choice[m]);
      share.scale.push_back(k.scale[m]);
    }
    share.queries.row.push_back(k.queries.row[q]);
    share.queries.action.push_back(k.queries.action[q]);
    share.queries.goal.push_back(k.queries.goal[q]);
  }
  return share;
}

// everything that a model computes for its share, in a separate workspace
struct Computed {
  std::vector<float> p, log_p;
  Block<float> gradient;

  bool operator==(const Computed&) const = default;
};

Computed compute(const Model& model, const ModelCase& k, const Share& share) {
  Noise<float> noise;
  gauss_hermite_noise(noise, /*nodes=*/5, /*d=*/1);
  ModelWorkspace work;
  work.smoothing = &noise;
  model.net().encode(work.net, k.tree(), k.inputs.view(), share.queries);
  Computed out;
  if (model.is_categorical()) {
    const MatrixView<const float> p = model.probabilities(work, share.queries, k.table.codes);
    out.p.assign(p.data, p.data + p.size());
  }
  model.log_p(out.log_p, work, share.queries, share.targets, k.context());
  out.gradient.assign(model.net().parameters().values.size(), 0.0F);
  model.add_gradient(out.gradient, work, share.queries, share.targets, share.scale, k.context());
  return out;
}

TEST(Model, TwoThreadsAtOnceGetTheBytesThatOneGets) {
  const ModelCase k;
  const Share shares[] = {every_second(k, 0), every_second(k, 1)};
  ASSERT_GT(shares[1].queries.size(), 5);
  for (const Model& model : {k.softmax_model(), k.mixture_model()}) {
    const Computed alone[] = {compute(model, k, shares[0]), compute(model, k, shares[1])};
    ASSERT_NE(alone[0], alone[1]) << "threads that do the same cannot disturb each other";
    constexpr int times = 500;
    int same[] = {0, 0};
    std::latch start(2);
    const auto work = [&](int i) {
      start.arrive_and_wait();
      for (int n = 0; n < times; ++n) same[i] += compute(model, k, shares[i]) == alone[i];
    };
    std::thread first(work, 0), second(work, 1);
    first.join();
    second.join();
    EXPECT_EQ(same[0], times);
    EXPECT_EQ(same[1], times);
  }
}

// a workspace belongs to no model: it serves one after the other
TEST(Model, AWorkspaceThatAnotherModelUsedIsNotDisturbed) {
  const ModelCase k;
  const Model model = k.softmax_model(), other = k.mixture_model();
  std::vector<float> fresh, used;
  ModelWorkspace work = encoded(model, k);
  model.log_p(fresh, work, k.queries, k.targets, k.context());
  const Block<float> gradient = gradient_of(model, work, k);
  other.net().encode(work.net, k.tree(), k.inputs.view());
  other.log_p(used, work, k.queries, k.targets, k.context());
  EXPECT_NE(fresh, used);
  model.net().encode(work.net, k.tree(), k.inputs.view());
  model.log_p(used, work, k.queries, k.targets, k.context());
  EXPECT_EQ(fresh, used);
  EXPECT_EQ(gradient, gradient_of(model, work, k));
}

}  // namespace
}  // namespace vic
