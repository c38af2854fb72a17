#include "eval/estimators.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.h"
#include "base/random.h"
#include "eval/hindsight_counts.h"
#include "info/entropy.h"
#include "info/estimators.h"

namespace vic {
namespace {

constexpr int smallest = 16;
// the batch size of the critics' bounds; larger samples are averaged over batches
constexpr int critic_batch = 256;
constexpr double impossible = -std::numeric_limits<double>::infinity();

// n options of the uniform policy.
class Sample {
 public:
  Sample(const Unrolled& tree, const Beliefs& beliefs)
      : passes(tree, beliefs.columns()), tree_(tree), beliefs_(beliefs) {}

  void draw(int n, const RandomAddress& address) {
    passes.clear();
    counts.assign(beliefs_.columns(), 0);
    ends.clear();
    for (int i = 0; i < n; ++i) draw_option(address, static_cast<std::uint32_t>(i));
  }

  PassCounts passes;
  std::vector<long> counts;  // (columns) of final states
  std::vector<int> ends;     // (n) the column in which each option ended

 private:
  void draw_option(RandomAddress address, std::uint32_t option) {
    const TabularWorld& world = *tree_.world;
    path_ = {0};
    address.row = option;
    for (;;) {
      const int t = static_cast<int>(path_.size()) - 1;
      const Level& level = tree_.levels[t];
      if (level.forced(path_[t])) break;
      address.step = static_cast<std::uint32_t>(t);
      const auto [u, v] = uniform_pair(address);
      const int a = static_cast<int>(u * (world.A + 1)), s = level.state[path_[t]];
      if (a == world.A) break;
      path_.push_back(level.child[level.first[path_[t]] + (world.draw(s, a, v) - world.begin(s))]);
    }
    const int last = static_cast<int>(path_.size()) - 1;
    const int f = beliefs_.column(tree_.levels[last].state[path_[last]]);
    for (int t = 0; t <= last; ++t) passes.add(t, path_[t], f);
    ++counts[f];
    ends.push_back(f);
  }

  const Unrolled& tree_;
  const Beliefs& beliefs_;
  std::vector<int> path_;  // the rows of an option, level by level
};

// bounds with the exact critic log p(s_f | Omega) / p(s_f), the best that a critic could learn
struct CriticBounds {
  double info_nce = 0, nwj = 0;

  CriticBounds(const std::vector<int>& ends, const std::vector<double>& p) {
    const int n = std::min<int>(critic_batch, static_cast<int>(ends.size()));
    const int batches = static_cast<int>(ends.size()) / n;
    std::vector<double> critic(std::size_t(n) * n), shifted(critic.size());
    for (int b = 0; b < batches; ++b) {
      const int* y = &ends[std::size_t(b) * n];
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const double f = y[i] == y[j] ? -std::log(p[y[j]]) : impossible;
          critic[std::size_t(i) * n + j] = f;
          shifted[std::size_t(i) * n + j] = f + 1;  // where NWJ's bound is tight
        }
      }
      info_nce += vic::info_nce(critic, n) / batches;
      nwj += vic::nwj(shifted, n) / batches;
    }
  }
};

// Collects the values of each estimator at one size, in the order of first appearance.
class Collector {
 public:
  explicit Collector(EstimatorStudy& study) : study_(study) {}

  void add(const std::string& name, const std::string& of, double value,
           std::optional<double> bound = {}) {
    const auto same = [&](const EstimatorCurve& curve) { return curve.name == name; };
    auto found = std::ranges::find_if(study_.curves, same);
    if (found == study_.curves.end()) {
      const Control& truth = study_.truth;
      const double exact = of == "H" ? truth.H : of == "D" ? truth.D : truth.N;
      found = study_.curves.insert(found, {name, of, exact, {}});
    }
    Values& values = values_[found - study_.curves.begin()];
    values.sum += value, values.square += value * value, values.n += 1;
    if (bound) values.bound = values.bound.value_or(0) + *bound;
  }

  void close(int size) {
    for (auto& [k, v] : values_) {
      EstimatorPoint point{.n = size, .mean = v.sum / v.n, .sd = 0, .bound = {}};
      point.sd =
          std::sqrt(std::max(0.0, v.square / v.n - point.mean * point.mean) * v.n / (v.n - 1));
      if (v.bound) point.bound = *v.bound / v.n;
      study_.curves[k].points.push_back(point);
    }
    values_.clear();
  }

 private:
  struct Values {
    double sum = 0, square = 0, n = 0;
    std::optional<double> bound;
  };
  EstimatorStudy& study_;
  std::map<std::ptrdiff_t, Values> values_;  // by curve
};

void add_entropies(Collector& all, const std::vector<long>& counts) {
  all.add("plug-in", "H", plug_in_entropy(counts));
  all.add("Miller-Madow", "H", miller_madow_entropy(counts));
  all.add("Chao-Shen", "H", chao_shen_entropy(counts));
  all.add("Chao-Wang-Jost", "H", estimate_entropy(counts).H);
  all.add("NSB", "H", nsb_entropy(counts, static_cast<int>(counts.size())));
}

void add_hindsight(Collector& all, const HindsightEstimate& hindsight) {
  all.add("I^VE, eq. 12", "H", hindsight.I(), hindsight.U);
  if (hindsight.N_sigma) {
    all.add("I^VE_sigma, eq. 18", "H", hindsight.D + *hindsight.N_sigma, hindsight.U_sigma);
  }
  all.add("pi_q", "D", hindsight.D);
  all.add("rho_q", "N", hindsight.N);
}

}  // namespace

EstimatorStudy study_estimators(const TabularWorld& world, const EstimatorSettings& settings,
                                const std::function<void(int n)>& step) {
  const auto tree = unroll_histories(world, settings.histories);
  if (!tree) {
    fail_usage("{} has more than {} histories; lower world.T_max or raise estimators.histories.",
               world.name, settings.histories);
  }
  const Policy policy = uniform_policy(*tree);
  const Flow visited = flow(*tree, policy);
  Beliefs beliefs(*tree);
  beliefs.update(policy);
  std::vector<double> p;  // (columns)
  for (int f = 0; f < beliefs.columns(); ++f) p.push_back(visited.p_f[beliefs.final_state(f)]);

  EstimatorStudy study{.truth = measure(*tree, policy, settings.stop),
                       .states_reachable = beliefs.columns(),
                       .curves = {}};
  Collector all(study);
  Sample sample(*tree, beliefs);
  RandomAddress address{.seed = stream_seed(Stream::evaluation, settings.seed)};
  for (int n = smallest; n <= settings.largest; n *= 2) {
    for (int repeat = 0; repeat < settings.repeats; ++repeat, ++address.update) {
      settings.stop.check();
      sample.draw(n, address);
      add_entropies(all, sample.counts);
      const CriticBounds critics(sample.ends, p);
      all.add("InfoNCE", "H", critics.info_nce);
      all.add("NWJ", "H", critics.nwj);
      add_hindsight(all, estimate_in_hindsight(*tree, policy, beliefs, visited, sample.passes,
                                               settings.sigma));
    }
    all.close(n);
    if (step) step(n);
  }
  return study;
}

}  // namespace vic
