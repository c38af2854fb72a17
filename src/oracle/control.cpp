#include "oracle/control.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "info/entropy.h"

namespace vic {
namespace {

// logarithms are almost all of the work: they are taken this many at a time
constexpr int together = 8;

// sum x log x of n numbers, a multiple of `together`
double negative_entropy(const double* x, int n) {
  constexpr double tiny = 1e-300;
  double sum = 0;
  for (int i = 0; i < n; i += together) {
    const Eigen::Map<const Eigen::Array<double, together, 1>> some(x + i);
    if (some.maxCoeff() > 0) sum += (some * some.max(tiny).log()).sum();
  }
  return sum;
}

// D and N are sums over s_f, so that they can be computed for a few final states at a time.
class ControlSums {
 public:
  ControlSums(const Unrolled& unrolled, const Policy& policy, const Flow& flow)
      : unrolled_(unrolled), world_(*unrolled.world), policy_(policy), flow_(flow) {}

  // adds the terms of the final states of this block
  void add(std::span<const int> final_states, Control& sums) {
    const int F = static_cast<int>(final_states.size());
    columns_ = (F + together - 1) / together * together;
    column_.assign(world_.S, -1);
    for (int f = 0; f < F; ++f) column_[final_states[f]] = f;
    after_.resize(std::size_t(world_.A) * columns_);
    for (int t = world_.T_max - 1; t >= 0; --t) {
      const Level& level = unrolled_.levels[t];
      const bool chooses = !level.child.empty();
      belief_.assign(chooses ? std::size_t(level.rows()) * columns_ : 0, 0);
      negentropy_.assign(level.rows(), 0);
      leads_here_.assign(level.rows(), false);
      for (int i = 0; i < level.rows(); ++i) {
        leads_here_[i] = can_reach_block(t, i);
        if (leads_here_[i] && !level.forced(i)) add_row(t, i, sums);
      }
      std::swap(belief_, next_belief_);
      std::swap(negentropy_, next_negentropy_);
      std::swap(leads_here_, next_leads_here_);
    }
  }

 private:
  // in a large world most rows are too far from the block to end in it, and contribute nothing
  bool can_reach_block(int t, int i) const {
    const Level& level = unrolled_.levels[t];
    if (column_[level.state[i]] >= 0) return true;
    for (int e = level.first[i]; e < level.first[i + 1]; ++e) {
      if (next_leads_here_[level.child[e]]) return true;
    }
    return false;
  }

  // negentropies sum p log p of the beliefs before the action, after it, and after the transition:
  // the first increase is the agent's information about s_f, the second is chance's
  void add_row(int t, int i, Control& sums) {
    const Level& level = unrolled_.levels[t];
    const Level& next = unrolled_.levels[t + 1];
    const int s = level.state[i];
    const double visit = flow_.visits[t][i];
    const double* pi = &policy_[t][i * (world_.A + 1)];
    double* belief = &belief_[std::size_t(i) * columns_];
    if (column_[s] >= 0) belief[column_[s]] = pi[world_.A];
    std::fill(after_.begin(), after_.end(), 0);
    const int* child = &level.child[level.first[i]];
    double after_action = 0;
    for (int a = 0; a < world_.A; ++a) {
      double* after = &after_[std::size_t(a) * columns_];
      double after_transition = 0;
      for (int e = world_.begin(s, a); e < world_.end(s, a); ++e, ++child) {
        const double p = world_.p[e];
        if (next.forced(*child)) {
          const int f = column_[next.state[*child]];
          if (f >= 0) after[f] += p;
          continue;
        }
        const double* from = &next_belief_[std::size_t(*child) * columns_];
        for (int f = 0; f < columns_; ++f) after[f] += p * from[f];
        after_transition += p * next_negentropy_[*child];
      }
      for (int f = 0; f < columns_; ++f) belief[f] += pi[a] * after[f];
      const double negentropy = negative_entropy(after, columns_);
      after_action += pi[a] * negentropy;
      sums.N += visit * pi[a] * (after_transition - negentropy);
    }
    negentropy_[i] = negative_entropy(belief, columns_);
    sums.D += visit * (after_action - negentropy_[i]);
  }

  const Unrolled& unrolled_;
  const TabularWorld& world_;
  const Policy& policy_;
  const Flow& flow_;
  int columns_ = 0;                                   // of the block, rounded up
  std::vector<int> column_;                           // (S) place in the block, -1 elsewhere
  std::vector<double> belief_, next_belief_;          // (N_t, columns) p(s_f | tau)
  std::vector<double> negentropy_, next_negentropy_;  // (N_t)
  std::vector<char> leads_here_, next_leads_here_;    // (N_t) whether s_f may be in the block
  std::vector<double> after_;                         // (A, columns) p(s_f | tau, a)
};

// The final states in an order in which `width` of them in a row are neighbours: along a Z-order
// curve if they have coordinates, else as they are numbered. Few rows lead to a neighbourhood.
std::vector<int> by_neighbourhood(const TabularWorld& world, std::size_t width) {
  std::vector<int> states = world.final_states();
  if (world.d < 2 || states.size() <= width) return states;
  constexpr int bits = 16;
  const int d = std::min(world.d, 3);
  std::vector<std::uint64_t> code(world.S, 0);
  for (int s : states) {
    for (int bit = bits - 1; bit >= 0; --bit) {
      for (int j = 0; j < d; ++j) {
        const double x = world.coordinates[std::size_t(s) * world.d + j];
        const auto number = static_cast<std::uint64_t>(std::llround(x) + (1 << (bits - 1)));
        code[s] = 2 * code[s] + (number >> bit & 1);
      }
    }
  }
  std::ranges::stable_sort(states, {}, [&](int s) { return code[s]; });
  return states;
}

}  // namespace

Control measure(const Unrolled& unrolled, const Policy& policy, Stop stop) {
  return *measure_until(unrolled, policy, /*enough=*/{}, stop);
}

std::optional<Control> measure_until(const Unrolled& unrolled, const Policy& policy, Stop enough,
                                     Stop stop) {
  const Flow visited = flow(unrolled, policy);
  Control control{.H = entropy(visited.p_f), .p_f = visited.p_f};
  // a block of beliefs of this width stays in the cache
  constexpr std::size_t width = 64;
  const std::vector<int> states = by_neighbourhood(*unrolled.world, width);
  ControlSums sums(unrolled, policy, visited);
  for (std::size_t begin = 0; begin < states.size(); begin += width) {
    stop.check();
    if (enough.wanted()) return std::nullopt;
    const std::size_t count = std::min(width, states.size() - begin);
    sums.add(std::span(states).subspan(begin, count), control);
  }
  return control;
}

double measure_work(const Unrolled& unrolled) {
  return static_cast<double>(unrolled.transitions() + unrolled.rows()) *
         static_cast<double>(unrolled.world->final_states().size());
}

}  // namespace vic
