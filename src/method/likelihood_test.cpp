// The models that are not the policy learn by maximum likelihood: the gradients of an update
// against those of its options one at a time.
#include <gtest/gtest.h>

#include <cmath>

#include "method/learner.h"
#include "support/gradient_check.h"
#include "support/options.h"
#include "support/random_world.h"
#include "world/registry.h"

namespace vic::likelihood_test {
namespace {

constexpr int B = 24;

// the smoothing of Algorithm 2: nodes per axis, or samples per update
struct Smoothing {
  int nodes = 4, samples = 16;
};

// a learning rate of 0 and no averages over updates: Adam's mean is then the last gradient
TrainSettings frozen(const char* algorithm, const Smoothing& how) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.batch = B;
  settings.hidden = 16;
  settings.n_gmm = 3;
  settings.nodes = how.nodes;
  settings.T_smooth = how.samples;
  settings.learning_rate = settings.beta_1 = settings.beta_2 = 0;
  return settings;
}

// ----- oracle: one event of one option at a time, its history alone ----- //

struct Naive {
  const Agent& agent;
  const Histories& tree;
  Noise<float> noise = {};
  std::vector<double> loss = std::vector<double>(4, 0);  // mean -log p of an option, by model
  std::vector<Block<float>> gradient = {};               // by model

  // model i learns that `choice` came after the history of a row
  void learn(std::size_t i, int row, Queries query, int choice) {
    const Model& model = agent.models[i].model;
    const Histories chain = chain_to(tree, row);
    HistoryInputs<float> inputs;
    inputs.append(chain, 0, agent.encoding, *agent.codes);
    query.row = {chain.rows() - 1};
    const Targets target{.query = {0}, .choice = {choice}};
    const QueryContext context{chain, inputs.view(), {chain.first, chain.parent}, *agent.codes};
    const std::vector<float> scale = {1.0F / B};
    ModelWorkspace work;
    work.smoothing = &noise;
    model.net().encode(work.net, context.tree, context.inputs);
    std::vector<float> log_p;
    model.log_p(log_p, work, query, target, context);
    gradient.resize(agent.models.size());
    gradient[i].resize(model.net().parameters().values.size(), 0);
    model.add_gradient(gradient[i], work, query, target, scale, context);
    loss[i] -= static_cast<double>(log_p[0]) / B;
  }

  void learn_option(int end) {
    const TabularWorld& world = agent.table();
    const std::size_t models = agent.models.size();
    const std::vector<int> path = path_to(tree, end);
    const int s_f = tree.state[end], T = static_cast<int>(path.size());
    for (int t = 0; t < T; ++t) {
      const int row = path[t];
      const bool ends = t + 1 == T;
      const int a = ends ? world.A : tree.action[path[t + 1]];
      const bool forced = t + 1 == world.T_max || world.absorbing[tree.state[row]];
      if (!forced) learn(1, row, {{}, {}, {s_f}}, a);
      if (ends || models < 4) continue;
      const int s_next = tree.state[path[t + 1]];
      learn(2, row, {{}, {a}, {}}, s_next);
      learn(3, row, {{}, {a}, {s_f}}, s_next);
    }
  }
};

// makes the models' distributions far from uniform
void make_sure(Learner& learner) {
  for (AgentModel& model : learner.agent().models) {
    for (float& x : model.model.net().parameters().values) x *= 5;
  }
}

// checks the gradients of the update of that number
void expect_likelihood(const TabularWorld& world, const char* algorithm, const Smoothing& how = {},
                       std::uint32_t update = 0) {
  SCOPED_TRACE(fmt::format("{} on {}, update {}", algorithm, world.name, update));
  Learner learner(make_agent(&world, frozen(algorithm, how)));
  make_sure(learner);
  for (std::uint32_t u = 0; u <= update; ++u) learner.update();
  const Metrics metrics = learner.metrics();

  // the same options again
  const Agent& agent = learner.agent();
  ActorWorkspace work;
  Batch batch;
  sample_options(batch, agent, *make_sampler(agent), work, B, {.seed = 1, .update = update});
  Naive naive{agent, batch.histories};
  if (world.d > 0 && how.nodes > 0) gauss_hermite_noise(naive.noise, how.nodes, world.d);
  if (how.nodes == 0) {
    sample_noise(naive.noise, {.points = how.samples, .d = world.d},
                 {.seed = 1, .update = update, .step = extra_step::noise});
  }
  for (int end = 0; end < batch.histories.rows(); ++end) {
    for (int i = 0; i < batch.ended[end]; ++i) naive.learn_option(end);
  }
  const std::vector<double> loss = {0, metrics.loss_pi_q, metrics.loss_rho_p, metrics.loss_rho_q};
  for (std::size_t i = 1; i < agent.models.size(); ++i) {
    SCOPED_TRACE(agent.models[i].model.shape().name);
    EXPECT_NEAR(loss[i], naive.loss[i], 1e-5 * std::max(1.0, std::abs(loss[i])));
    const Block<float>& sum = naive.gradient[i];
    const Block<float>& mean = learner.state().optimizers[i].adam.mean;
    ASSERT_EQ(mean.size(), sum.size());
    EXPECT_GT(norm(sum), 0.01) << "a test of zeros shows nothing";
    const double tolerance = 1e-5 * std::max(1.0, norm(sum));
    for (std::size_t j = 0; j < sum.size(); ++j) {
      EXPECT_NEAR(static_cast<double>(mean[j]), static_cast<double>(sum[j]), tolerance);
    }
  }
}

TEST(Likelihood, GradientsOfAnUpdateAreTheSumsOverItsOptions) {
  Overrides none;
  const TabularWorld tree = load_world("tree-noisy", none), line = load_world("line-noisy", none);
  for (const char* algorithm : {"implicit", "transition", "mixture"}) {
    expect_likelihood(tree, algorithm);
    expect_likelihood(line, algorithm);
    for (int seed : {9, 16, 24, 25}) expect_likelihood(random_world(seed), algorithm);
  }
}

// each update has its own smoothing noise
TEST(Likelihood, SmoothingByNewSamplesInEveryUpdate) {
  Overrides none;
  const TabularWorld line = load_world("line-noisy", none);
  for (std::uint32_t update : {0, 1, 2}) {
    expect_likelihood(line, "mixture", {.nodes = 0, .samples = 16}, update);
  }
}

// nodes integrate what many samples estimate: many exactly, four to some per cent
TEST(Likelihood, NodesIntegrateWhatSamplesEstimate) {
  Overrides none;
  for (const char* name : {"line-noisy", "grid-noisy"}) {
    const TabularWorld world = load_world(name, none);
    Learner nodes(make_agent(&world, frozen("mixture", {.nodes = 4}))),
        samples(make_agent(&world, frozen("mixture", {.nodes = 0, .samples = 32768}))),
        many(make_agent(&world, frozen("mixture", {.nodes = 64})));
    for (Learner* learner : {&nodes, &samples, &many}) make_sure(*learner), learner->update();
    for (std::size_t i : {2u, 3u}) {
      const auto gradient = [&](const Learner& learner) {
        return learner.state().optimizers[i].adam.mean;
      };
      const auto distance = [&](const Learner& learner) {
        Block<float> difference = gradient(samples);
        for (std::size_t j = 0; j < difference.size(); ++j) difference[j] -= gradient(learner)[j];
        return norm(difference) / norm(gradient(samples));
      };
      EXPECT_LT(distance(nodes), 0.06) << name;
      EXPECT_LT(distance(many), 0.01) << name;
      EXPECT_GT(distance(many), 0) << name << ": the same is compared with itself";
    }
  }
}

}  // namespace
}  // namespace vic::likelihood_test
