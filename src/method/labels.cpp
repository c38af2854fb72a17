#include "method/labels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vic {
namespace {

ModelShape shape_of(const char* name, Told told, const TabularWorld& world,
                    const TrainSettings& settings) {
  return {name, told, world.A, settings.hidden, settings.options};
}

}  // namespace

Labels::Labels(const TabularWorld& world, const Encoding& states, const TrainSettings& settings)
    : s_0_(world.s_0),
      n_(settings.options),
      every_state_(settings.algorithm == "diayn"),
      q_(shape_of("q", {.goal = true}, world, settings), states,
         {static_cast<std::uint64_t>(settings.seed), 1}),
      prior_(n_, 1.0 / n_),
      query_of_(world.S) {
  start_.begin(s_0_);
  start_inputs_.append(start_, 0, states, world.A);
  if (settings.prior == "learned") {
    learned_prior_.emplace(shape_of("prior", {}, world, settings), states,
                           InitAddress{static_cast<std::uint64_t>(settings.seed), 2});
  } else if (settings.prior != "uniform") {
    fail_usage("train.prior = {} is not allowed; it is uniform or learned.", settings.prior);
  }
}

Encoding Labels::code(int options) {
  Encoding code;
  code.K = 1;
  code.table = options;
  code.lookup.resize(options);
  std::iota(code.lookup.begin(), code.lookup.end(), 0);
  return code;
}

const std::vector<double>& Labels::prior() {
  if (learned_prior_) {
    learned_prior_->model().encode(tree_of(start_, 1), start_inputs_.view());
    const MatrixView<const float> p =
        learned_prior_->probabilities({.row = {0}, .action = {}, .goal = {}});
    for (int i = 0; i < n_; ++i) prior_[i] = double(p(0, i));
    temper(prior_, 1);
  }
  return prior_;
}

void Labels::draw(std::vector<Beginning>& beginnings, int B, RolloutAddress address) {
  const std::vector<double>& p = prior();
  beginnings.resize(B);
  draw_beginnings(beginnings, address, extra_step::label, [&](double u) {
    int label = 0;
    for (double sum = p[0]; label + 1 < n_ && u >= sum; sum += p[label]) ++label;
    return Beginning{.state = s_0_, .told = label};
  });
}

// q is asked once about each state, at the first row: it is told nothing of the option
void Labels::ask(const Batch& batch) {
  const Histories& tree = batch.histories;
  queries_.clear();
  outcomes_.clear();
  weight_.clear();
  judged_.assign(tree.rows(), -1);
  std::fill(query_of_.begin(), query_of_.end(), -1);
  // how many options passed each row
  along_.assign(tree.rows(), 0);
  for (int r = tree.rows() - 1; r >= 0; --r) {
    along_[r] += batch.ended[r];
    if (r >= tree.roots()) along_[tree.parent[r]] += along_[r];
  }
  for (int r = 0; r < tree.rows(); ++r) {
    const bool seen = every_state_ ? r >= tree.roots() : batch.ended[r] > 0;
    if (!seen) continue;
    int& query = query_of_[tree.state[r]];
    if (query < 0) {
      query = queries_.size();
      queries_.row.push_back(0);
      queries_.goal.push_back(tree.state[r]);
    }
    judged_[r] = outcomes_.size();
    outcomes_.query.push_back(query);
    outcomes_.choice.push_back(batch.told[tree.root[r]]);
    const double options = every_state_ ? along_[r] : batch.ended[r];
    weight_.push_back(static_cast<float>(options / batch.options));
  }
}

void Labels::judge(std::vector<double>& reward, const Batch& batch, const Asked& asked) {
  const Histories& tree = batch.histories;
  ask(batch);
  q_.model().encode(asked.tree, asked.inputs, queries_);
  q_.log_p(log_q_, queries_, outcomes_, asked);
  along_.assign(tree.rows(), 0);
  for (int r = 0; r < tree.rows(); ++r) {
    if (every_state_ && r >= tree.roots()) along_[r] = along_[tree.parent[r]];
    if (judged_[r] >= 0) {
      along_[r] += double(log_q_[judged_[r]]) - std::log(prior_[batch.told[tree.root[r]]]);
    }
    if (batch.ended[r] > 0) reward[r] += along_[r];
  }
}

void Labels::learn(const Asked& asked, const AdamSettings& adam, long update) {
  if (outcomes_.size() == 0) return;
  q_.add_gradient(queries_, outcomes_, weight_, asked, {});
  q_.model().step(adam, update);
}

void Labels::learn_prior(const Batch& batch, std::span<const double> gain, const AdamSettings& adam,
                         long update) {
  if (!learned_prior_) return;
  const Histories& tree = batch.histories;
  const Queries start{.row = {0}, .action = {}, .goal = {}};
  Outcomes drawn;
  std::vector<float> scale(tree.roots(), 0), log_p;
  for (int root = 0; root < tree.roots(); ++root) {
    drawn.query.push_back(0);
    drawn.choice.push_back(batch.told[root]);
  }
  for (int r = 0; r < tree.rows(); ++r) {
    scale[tree.root[r]] += static_cast<float>(batch.ended[r] * gain[r] / batch.options);
  }
  learned_prior_->kept_log_p(log_p, drawn);
  learned_prior_->add_gradient(start, drawn, scale,
                               {start_, start_inputs_.view(), tree_of(start_, 1)}, {});
  learned_prior_->model().step(adam, update);
}

double Labels::loss() const {
  double sum = 0;
  for (std::size_t m = 0; m < log_q_.size(); ++m) sum -= double(weight_[m] * log_q_[m]);
  return sum;
}

int Labels::guess(int s_f) {
  q_.model().encode(tree_of(start_, 1), start_inputs_.view());
  const MatrixView<const float> p = q_.probabilities({.row = {0}, .action = {}, .goal = {s_f}});
  return static_cast<int>(std::max_element(p.row(0), p.row(0) + n_) - p.row(0));
}

std::vector<Predictor*> Labels::predictors() {
  std::vector<Predictor*> list = {&q_};
  if (learned_prior_) list.push_back(&*learned_prior_);
  return list;
}

}  // namespace vic
