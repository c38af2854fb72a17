#include "oracle/bracket.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "info/capacity.h"
#include "oracle/open_loop.h"
#include "oracle/reach.h"

namespace vic {
namespace {

constexpr double capacity_gap = 1e-6;

double log_sum(const std::vector<double>& p) {
  double sum = 0;
  for (double x : p) sum += x;
  return std::log(sum);
}

// the probabilities of s_f of the best policy for each goal
Channel goal_channel(const TabularWorld& world, Stop stop) {
  const Unrolled states = unroll_states(world);
  const std::vector<int> goals = world.final_states();
  const int n = static_cast<int>(goals.size()), A = world.A;
  Channel channel{.inputs = n, .outputs = n, .w = {}};
  Policy policy = uniform_policy(states);
  const auto no_gain = [](int, int) { return 0.0; };
  for (int goal : goals) {
    stop.check();
    backward(states, no_gain, [&](int t, int i, std::span<const double> q) {
      const bool ends = q.empty() || world.may_stop;
      double value = ends && states.levels[t].state[i] == goal ? 1 : 0;
      int best = ends ? A : 0;
      for (int a = 0; a < static_cast<int>(q.size()); ++a) {
        if (q[a] > value) value = q[a], best = a;
      }
      double* row = &policy[t][std::size_t(i) * (A + 1)];
      std::fill(row, row + A + 1, 0);
      row[best] = 1;
      return value;
    });
    const Flow reached = flow(states, policy);
    for (int f : goals) channel.w.push_back(reached.p_f[f]);
  }
  return channel;
}

// Sequences that are improved one move at a time.
class SequenceSearch {
 public:
  explicit SequenceSearch(const TabularWorld& world) : world_(world) {}

  // Improves a sequence for the expectation of `value` (S) of the last state, until no single move
  // improves it; its length stays.
  void improve(std::vector<int>& sequence, const std::vector<double>& value) {
    const int n = static_cast<int>(sequence.size());
    for (int pass = 0; pass < most_passes; ++pass) {
      // the value of the rest of the sequence from each state
      worth_.assign(n + 1, value);
      for (int t = n - 1; t > 0; --t) {
        for (int s = 0; s < world_.S; ++s) worth_[t][s] = after(s, sequence[t], worth_[t + 1]);
      }
      std::vector<double> p(world_.S, 0);
      p[world_.s_0] = 1;
      bool changed = false;
      for (int t = 0; t < n; ++t) {
        double best = expected(p, sequence[t], worth_[t + 1]);
        for (int a = 0; a < world_.A; ++a) {
          const double own = expected(p, a, worth_[t + 1]);
          if (own > best + 1e-12) best = own, sequence[t] = a, changed = true;
        }
        p = advance(world_, p, sequence[t]);
        work_ += static_cast<double>(world_.next.size()) * 3;
      }
      if (!changed) return;
    }
  }

  double work() const { return work_; }

 private:
  static constexpr int most_passes = 20;

  double after(int s, int a, const std::vector<double>& worth) const {
    if (world_.absorbing[s]) return worth[s];
    double sum = 0;
    for (int e = world_.begin(s, a); e < world_.end(s, a); ++e) {
      sum += world_.p[e] * worth[world_.next[e]];
    }
    return sum;
  }

  double expected(const std::vector<double>& p, int a, const std::vector<double>& worth) const {
    double sum = 0;
    for (int s = 0; s < world_.S; ++s) {
      if (p[s] > 0) sum += p[s] * after(s, a, worth);
    }
    return sum;
  }

  const TabularWorld& world_;
  std::vector<std::vector<double>> worth_;  // (n + 1)(S)
  double work_ = 0;
};

// the moves of the best policy for a goal along its most likely path, padded to each length
std::vector<int> likely_moves(const TabularWorld& world, const Unrolled& states, int goal) {
  std::vector<std::vector<int>> best(world.T_max);
  const auto no_gain = [](int, int) { return 0.0; };
  backward(states, no_gain, [&](int t, int i, std::span<const double> q) {
    best[t].resize(states.levels[t].rows(), 0);
    if (!q.empty()) {
      best[t][i] = static_cast<int>(std::max_element(q.begin(), q.end()) - q.begin());
    }
    const bool ends = q.empty() || world.may_stop;
    double value = ends && states.levels[t].state[i] == goal ? 1 : 0;
    for (double move : q) value = std::max(value, move);
    return value;
  });
  std::vector<int> moves;
  int row = 0;
  for (int t = 0; t + 1 < world.T_max && !states.levels[t].forced(row); ++t) {
    const Level& level = states.levels[t];
    const int s = level.state[row], a = best[t][row];
    moves.push_back(a);
    int likely = world.begin(s, a);
    for (int e = likely; e < world.end(s, a); ++e) {
      if (world.p[e] > world.p[likely]) likely = e;
    }
    row = level.child[level.first[row] + likely - world.begin(s)];
  }
  moves.resize(world.T_max - 1, moves.empty() ? 0 : moves.back());
  return moves;
}

// The sequences to begin with: for each goal the best of all lengths.
std::set<std::vector<int>> goal_sequences(const TabularWorld& world, SequenceSearch& search,
                                          double work, Stop stop) {
  const Unrolled states = unroll_states(world);
  std::set<std::vector<int>> found;
  for (int goal : world.final_states()) {
    std::vector<double> value(world.S, 0);
    value[goal] = 1;
    const std::vector<int> moves = likely_moves(world, states, goal);
    std::vector<int> best = moves;
    double reached = -1;
    for (int n = world.may_stop ? 0 : world.T_max - 1; n < world.T_max; ++n) {
      stop.check();
      std::vector<int> sequence(moves.begin(), moves.begin() + n);
      if (search.work() < work) search.improve(sequence, value);
      const double own = follow(world, sequence)[goal];
      if (own > reached + 1e-12) reached = own, best = sequence;
    }
    found.insert(best);
  }
  return found;
}

double open_loop_from_below(const TabularWorld& world, double work, Stop stop) {
  SequenceSearch search(world);
  std::set<std::vector<int>> known = goal_sequences(world, search, work / 2, stop);
  const std::vector<int> states = world.final_states();
  double best = 0;
  for (;;) {
    Channel channel{.inputs = 0, .outputs = static_cast<int>(states.size()), .w = {}};
    std::vector<std::vector<double>> ends;
    for (const std::vector<int>& sequence : known) {
      ends.push_back(follow(world, sequence));
      for (int s : states) channel.w.push_back(ends.back()[s]);
      ++channel.inputs;
    }
    const Capacity capacity = channel_capacity(channel, capacity_gap, work, stop);
    const double gained = capacity.lower - best;
    best = std::max(best, capacity.lower);
    if (gained < 1e-3 || search.work() > work) return best;
    // the gradient of I in a sequence is the mean of log W / q: improve each sequence for it
    std::vector<double> mean(world.S, 1e-12);
    for (std::size_t x = 0; x < ends.size(); ++x) {
      for (int s = 0; s < world.S; ++s) mean[s] += capacity.input[x] * ends[x][s];
    }
    std::set<std::vector<int>> more = known;
    std::size_t x = 0;
    for (std::vector<int> sequence : known) {
      const std::vector<double>& end = ends[x++];
      std::vector<double> value(world.S);
      for (int s = 0; s < world.S; ++s) value[s] = std::log(std::max(end[s], 1e-12) / mean[s]);
      stop.check();
      if (search.work() < work) search.improve(sequence, value);
      more.insert(sequence);
    }
    known = std::move(more);
  }
}

// The largest probabilities of ending in each state, for sequences in pieces of `piece` moves.
class PieceSearch {
 public:
  PieceSearch(const TabularWorld& world, int piece) : world_(world), piece_(piece) {}

  std::vector<double> operator()(Stop stop) {
    const int S = world_.S, moves = world_.T_max - 1;
    // (S, S) of ending in f from s after the remaining pieces
    std::vector<double> next(std::size_t(S) * S, 0), value;
    for (int s = 0; s < S; ++s) next[std::size_t(s) * S + s] = 1;
    for (int left = 0; left < moves;) {
      stop.check();
      const int first = moves % piece_;
      const int n = left + piece_ > moves ? first : piece_;
      value.assign(std::size_t(S) * S, 0);
      for (int s = 0; s < S; ++s) {
        std::vector<double> p(S, 0);
        p[s] = 1;
        try_pieces(p, n, next, &value[std::size_t(s) * S]);
      }
      left += n;
      std::swap(value, next);
    }
    return {&next[std::size_t(world_.s_0) * S], &next[std::size_t(world_.s_0) * S] + S};
  }

 private:
  // every continuation of p by up to `left` moves
  void try_pieces(const std::vector<double>& p, int left, const std::vector<double>& next,
                  double* best) {
    const int S = world_.S;
    if (world_.may_stop) {
      for (int f = 0; f < S; ++f) best[f] = std::max(best[f], p[f]);
    }
    if (left == 0) {
      sum_.assign(S, 0);
      for (int s = 0; s < S; ++s) {
        if (p[s] == 0) continue;
        const double* row = &next[std::size_t(s) * S];
        for (int f = 0; f < S; ++f) sum_[f] += p[s] * row[f];
      }
      for (int f = 0; f < S; ++f) best[f] = std::max(best[f], sum_[f]);
      return;
    }
    for (int a = 0; a < world_.A; ++a) try_pieces(advance(world_, p, a), left - 1, next, best);
  }

  const TabularWorld& world_;
  int piece_;
  std::vector<double> sum_;
};

// the longest pieces that `work` allows
int longest_piece(const TabularWorld& world, double work) {
  const double S = world.S, fan = static_cast<double>(world.next.size()) / (S * world.A);
  int piece = 1;
  for (int n = 1; n < world.T_max; ++n) {
    const double ends = std::pow(world.A, n), wide = std::min(S, std::pow(fan, n));
    const double pieces = std::ceil((world.T_max - 1.0) / n);
    if (pieces * S * ends * wide * S <= work) piece = n;
  }
  return piece;
}

}  // namespace

Bracket bracket_control(const TabularWorld& world, Stop stop) {
  const Channel channel = goal_channel(world, stop);
  constexpr double work = 1e9;
  return {channel_capacity(channel, capacity_gap, work, stop).lower,
          log_sum(best_success(world, stop))};
}

Bracket bracket_open_loop(const TabularWorld& world, double D_high, double work, Stop stop) {
  const std::vector<double> best = PieceSearch(world, longest_piece(world, work / 2))(stop);
  return {open_loop_from_below(world, work / 2, stop), std::min(D_high, log_sum(best))};
}

}  // namespace vic
