#include "method/critic.h"

#include <algorithm>
#include <cmath>

#include "method/beliefs.h"
#include "method/cell_beliefs.h"
#include "method/counted_skills.h"
#include "nn/lanes.h"

namespace vic {
namespace {

// the smallest argument of a logarithm
constexpr float smallest = 1e-30F;

// sum_c p[c] x[c]
double expectation(const float* p, const float* x, int S) {
  float sum = 0;
  for (int c = 0; c < S; ++c) sum += p[c] * x[c];
  return double(sum);
}

class Critic {
 public:
  Critic(Scores& scores, const Agent& agent, const ScoreInputs& inputs)
      : scores_(scores),
        inputs_(inputs),
        beliefs_(scores, agent, inputs.batch),
        batch_(inputs.batch),
        tree_(inputs.batch.histories),
        own_(scores.of(agent, Role::belief)),
        believes_(rewards_by_belief(agent)),
        control_(believes_ ? static_cast<float>(1 - inputs.more_lambda -
                                                agent.algorithm->lambda_of(agent.settings))
                           : 0),
        once_(least_frequency(agent)),
        S_(beliefs_.S()),
        A_(beliefs_.A()) {}

  void set() {
    const int R = tree_.rows();
    X_.reshape(control_ == 0 ? tree_.roots() : R, S_);
    surprise_.assign(R, 0);
    before_.resize(S_);
    scores_.critic.V.assign(R, 0);
    scores_.critic.Q.clear();
    for (int r = 0; r < R; ++r) {
      if (batch_.forced[r]) {
        set_end(r);
      } else {
        set_X(r);
        set_values(r);
      }
    }
    if (control_ != 0) set_chance();
  }

 private:
  float* X(int row) { return X_.row(control_ == 0 ? tree_.root[row] : row); }

  // where only termination is left
  void set_end(int r) {
    const int x = tree_.parent[r], s = tree_.state[r];
    if (control_ != 0) surprise_[r] = -beliefs_.log_after(x, tree_.action[r], s);
  }

  void set_X(int r) {
    const int x = tree_.parent[r];
    if (x >= 0 && control_ == 0) return;
    float* own = X(r);
    if (!believes_) return count_X(own);
    beliefs_.before(before_.data(), r);
    for (int c = 0; c < S_; ++c) own[c] = -lanes::log(std::max(before_[c], smallest));
    if (x < 0) return;
    const float* past = X(x);
    const auto [logits, log_sum] = beliefs_.logits_after(x, tree_.action[r]);
    for (int c = 0; c < S_; ++c) own[c] = past[c] + control_ * (own[c] + (logits[c] - log_sum));
    surprise_[r] = (expectation(before_.data(), past, S_) - expectation(before_.data(), own, S_)) /
                   double(control_);
  }

  // -log p(s_f | s_0) by running counts, where an unseen state counts as one option
  void count_X(float* own) const {
    for (int c = 0; c < S_; ++c) {
      own[c] = static_cast<float>(-std::log(std::max(inputs_.recent.p(0, c), once_)));
    }
  }

  void set_values(int r) {
    const float *own = X(r), *pi = beliefs_.policy(r);
    double& V = scores_.critic.V[r];
    for (int a = 0; a < A_; ++a) {
      double Q = expectation(beliefs_.after(r, a), own, S_);
      if (control_ != 0) Q -= double(control_) * beliefs_.chance(r, a);
      V += double(pi[a]) * Q;
      scores_.critic.Q.push_back(Q);
    }
    const double stop = double(own[tree_.state[r]]);
    V += double(pi[A_]) * stop;
    scores_.critic.Q.push_back(stop);
  }

  // the targets of n, by TD(keep)
  void set_chance() {
    const int R = tree_.rows();
    std::vector<float>&number = own_.targets.number, &scale = own_.targets.number_scale;
    std::vector<double> passing(R, 0), to_come(R, 0);  // sums over the options that pass
    for (int r = R - 1; r >= 0; --r) {
      passing[r] += batch_.ended[r] / batch_.options;
      if (r < tree_.roots()) continue;
      const int x = tree_.parent[r];
      double expected = 0;
      for (int a = 0; a < A_ && !batch_.forced[r]; ++a) {
        expected += double(beliefs_.policy(r)[a]) * beliefs_.chance(r, a);
      }
      const double sum = passing[r] * (surprise_[r] + (1 - keep) * expected) + keep * to_come[r];
      const auto q = static_cast<std::size_t>(beliefs_.query_of(x, tree_.action[r]));
      if (number.size() <= q) {
        number.resize(q + 1, 0);
        scale.resize(q + 1, 0);
      }
      number[q] += static_cast<float>(sum);
      scale[q] += static_cast<float>(passing[r]);
      to_come[x] += sum;
      passing[x] += passing[r];
    }
    for (std::size_t q = 0; q < number.size(); ++q) number[q] /= scale[q];
  }

  static constexpr double keep = 0.9;

  Scores& scores_;
  const ScoreInputs& inputs_;
  const BatchBeliefs beliefs_;
  const Batch& batch_;
  const Histories& tree_;
  ModelScore& own_;
  bool believes_;  // the reward is computed from b
  float control_;  // 1 - lambda
  double once_;    // the frequency of a state in which one option ended
  int S_, A_;
  Buffer<float> X_;               // (R, S), or (roots, S) where X is that of s_0
  std::vector<double> surprise_;  // (R) KL(b(. | y) || b(. | x, a)) for the move into the row y
  std::vector<float> before_;     // (S) b(. | tau)
};

}  // namespace

namespace {

// w(c), (rows, cells) of b's cells: the mean, by `p` (cells of the reward), of value(x, c) over the
// cells of the reward that count as one for b; unseen(x) where no option ended in any of them
template <class Value, class Unseen>
std::vector<float> cell_values(const Agent& agent, const RunningFrequencies& p, int rows,
                               Value&& value, Unseen&& unseen) {
  const SimulatorSpec& spec = agent.simulator()->spec();
  const LogisticCells& cells = std::get<LogisticCells>(agent.find(Role::belief)->head());
  std::vector<double> mass(cells.cells(), 0);
  std::vector<std::pair<int, Index>> seen;  // a cell of the reward, and that of b which it is in
  for (int c = 0; c < p.S && p.knows(0); ++c) {
    if (p.p(0, c) <= 0) continue;
    seen.emplace_back(c, cells.representative(near_cell(spec, c, near_limit)));
    mass[seen.back().second] += p.p(0, c);
  }
  std::vector<float> w;
  std::vector<double> own(cells.cells());
  for (int x = 0; x < rows; ++x) {
    std::ranges::fill(own, 0);
    for (const auto& [c, near] : seen) own[near] += p.p(0, c) / mass[near] * value(x, c);
    for (Index c = 0; c < cells.cells(); ++c) {
      const Index near = cells.representative(c);
      w.push_back(static_cast<float>(mass[near] > 0 ? own[near] : unseen(x)));
    }
  }
  return w;
}

}  // namespace

std::vector<float> cell_surprise(const Agent& agent, const Batch& batch,
                                 const RunningFrequencies& recent) {
  if (rewards_by_belief(agent)) return surprise_at_start(agent, batch);
  return cell_values(
      agent, recent, 1, [&](int, int c) { return -std::log(recent_frequency(agent, recent, c)); },
      [&](int) { return -std::log(least_frequency(agent)); });
}

std::vector<float> skill_surprise(const Agent& agent, const RunningFrequencies& recent,
                                  const RunningFrequencies& by_skill, double more_lambda) {
  const double lambda = agent.algorithm->lambda_of(agent.settings) + more_lambda;
  const auto reward = [&](int skill, double p, double given) {
    const double n = options_of_skill(agent.settings, by_skill, skill);
    const double control = skill_control(p, given, n);
    return control + lambda * (-std::log(p) - control);
  };
  return cell_values(
      agent, recent, static_cast<int>(by_skill.weight.size()),
      [&](int skill, int c) {
        return reward(skill, recent_frequency(agent, recent, c),
                      by_skill.knows(skill) ? by_skill.p(skill, c) : 0);
      },
      [&](int skill) { return reward(skill, least_frequency(agent), 0); });
}

namespace {

// in a simulated world: it has too many actions to compare, and b has its own grid of cells
void set_cell_critic(Scores& scores, const Agent& agent, const ScoreInputs& inputs) {
  const Model& b = *agent.find(Role::belief);
  ModelScore& own = scores.of(agent, Role::belief);
  std::vector<float> of_batch;
  if (agent.algorithm->counts_skills && inputs.by_skill == nullptr) {
    throw Error("The critic of skills needs the counts of their training, and there are none.");
  }
  if (inputs.surprise.empty()) {
    of_batch = agent.algorithm->counts_skills
                   ? skill_surprise(agent, inputs.recent, *inputs.by_skill, inputs.more_lambda)
                   : cell_surprise(agent, inputs.batch, inputs.recent);
  }
  const std::span<const float> w = inputs.surprise.empty() ? of_batch : inputs.surprise;
  // b's first queries are about the rows that have a choice, before their first factor
  const int Q = scores.decisions.queries.size();
  std::vector<int> skill;
  if (agent.algorithm->counts_skills) {
    for (int q = 0; q < Q; ++q) {
      skill.push_back(inputs.batch.goal[inputs.batch.histories.root[own.queries.row[q]]]);
    }
  }
  std::vector<float> expected;
  b.expectation(expected, own.work, w, Q, skill);
  scores.critic.V.assign(inputs.batch.histories.rows(), 0);
  for (int q = 0; q < Q; ++q) scores.critic.V[own.queries.row[q]] = double(expected[q]);
}

}  // namespace

void set_critic(Scores& scores, const Agent& agent, const ScoreInputs& inputs) {
  CriticValues& critic = scores.critic;
  if (agent.simulator() == nullptr) {
    Critic(scores, agent, inputs).set();
  } else {
    set_cell_critic(scores, agent, inputs);
  }
  if (critic.reward.empty()) critic.reward = scores.reward;
  if (critic.weight == 1) return;
  for (double& v : critic.V) v *= critic.weight;
  for (double& q : critic.Q) q *= critic.weight;
}

CriticMoments critic_moments(const Scores& scores, const Batch& batch) {
  CriticMoments moments = {};
  if (!scores.has_critic()) return moments;
  const Histories& tree = batch.histories;
  auto& [all, V, R, VV, VR, RR, more] = moments;
  // over the options that pass a row: their share, and sums of their rewards and of the squares
  std::vector<double> n(tree.rows(), 0), sum(tree.rows(), 0), squares(tree.rows(), 0);
  for (int r = tree.rows() - 1; r >= 0; --r) {
    const double ended = batch.ended[r] / batch.options,
                 reward = ended > 0 ? scores.critic.reward[r] : 0;
    n[r] += ended;
    sum[r] += ended * reward;
    squares[r] += ended * reward * reward;
    if (ended > 0) more += ended * (reward - scores.critic.V[tree.root[r]]);
    if (r >= tree.roots()) {
      const int x = tree.parent[r];
      n[x] += n[r], sum[x] += sum[r], squares[x] += squares[r];
    }
    if (batch.forced[r]) continue;
    const double v = scores.critic.V[r];
    all += n[r], V += n[r] * v, VV += n[r] * v * v;
    R += sum[r], VR += v * sum[r], RR += squares[r];
  }
  return moments;
}

double critic_correlation(const CriticMoments& moments) {
  const auto& [all, V, R, VV, VR, RR, more] = moments;
  if (all == 0) return 0;
  const double spread = (VV - V * V / all) * (RR - R * R / all);
  return spread > 0 ? (VR - V * R / all) / std::sqrt(spread) : 0;
}

void shift_critic(Scores& scores, const Agent& agent, const CriticMoments& moments) {
  if (agent.simulator() == nullptr) return;
  for (double& v : scores.critic.V) v += moments.back();
}

}  // namespace vic
