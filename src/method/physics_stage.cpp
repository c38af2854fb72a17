#include "method/physics_stage.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "world/survey.h"

namespace vic {
namespace {

// places and turns on either side of the start that are told apart
constexpr int places = 100, turns = 40;

// the numbers that a goal is made of: all, or those that the world names
std::vector<int> goal_numbers(const PhysicsWorld& world) {
  if (!world.goal.empty()) return world.goal;
  std::vector<int> all(world.n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

Scales measure_scales(const PhysicsWorld& world, std::uint64_t seed) {
  constexpr int options = 64;
  const int n = world.n;
  Scales scales;
  scales.mean.assign(n, 0);
  scales.deviation.assign(n, 0);
  scales.step.assign(n, 0);
  std::vector<double> squares(n, 0);
  for (int b = 0; b < options; ++b) {
    const std::vector<double> states = random_option(world, seed, b);
    for (std::size_t i = n; i < states.size(); ++i) {
      const double x = states[i], step = x - states[i - n];
      const std::size_t j = i % n;
      scales.mean[j] += x;
      squares[j] += x * x;
      scales.step[j] += step * step;
    }
  }
  const double N = static_cast<double>(options) * world.T;
  for (int j = 0; j < n; ++j) {
    scales.mean[j] /= N;
    const double variance = squares[j] / N - scales.mean[j] * scales.mean[j];
    // what random actions do not move is left as it is
    scales.deviation[j] = variance > 1e-12 ? std::sqrt(variance) : 1;
    scales.step[j] = scales.step[j] > 1e-12 ? std::sqrt(scales.step[j] / N) : 1;
  }
  return scales;
}

PhysicsStage::PhysicsStage(const PhysicsWorld& world, const TrainSettings& settings)
    : world_(&world),
      threads_(settings.threads),
      goal_(goal_numbers(world)),
      scales_(measure_scales(world, static_cast<std::uint64_t>(settings.seed))),
      body_(world) {
  const int G = static_cast<int>(goal_.size());
  name = world.name;
  states.blind = parse_algorithm(settings.algorithm) == Algorithm::open_loop;
  // the numbers of a goal come first, because it is told as it is seen from s_t; then the rest
  states.D = 1 + world.n + (world.pitch >= 0 ? 2 : 0);
  states.d = world.n;
  states.actions = {.F = world.M, .L = world.L, .level = {}};
  goals.D = 1 + G;
  goals.relative = goals.rates = true;
  order_ = goal_;
  for (int j = 0; j < world.n; ++j) {
    if (std::find(goal_.begin(), goal_.end(), j) == goal_.end()) order_.push_back(j);
  }
  A = choices = world.M * world.L;
  cells = (2 * places + 1) * (2 * turns + 1);
}

int PhysicsStage::number_of(BehaviourCell cell) {
  return (std::clamp(cell.place, -places, places) + places) * (2 * turns + 1) +
         std::clamp(cell.turns, -turns, turns) + turns;
}

std::span<const double> PhysicsStage::state(int row) const {
  return std::span(met_).subspan(static_cast<std::size_t>(row) * world_->n, world_->n);
}

// the code of a state that was met at time t: the time, its numbers, and which way is up
void PhysicsStage::add_code(int t, std::span<const double> s) {
  met_.insert(met_.end(), s.begin(), s.end());
  const std::size_t begin = states.numbers.size();
  states.numbers.push_back(2.0 * t / world_->T - 1);
  for (int j : order_) {
    states.numbers.push_back((s[j] - scales_.mean[j]) / scales_.deviation[j]);
  }
  if (world_->pitch >= 0) {
    states.numbers.push_back(std::sin(s[world_->pitch]));
    states.numbers.push_back(std::cos(s[world_->pitch]));
  }
  const auto code = states.numbers.begin() + static_cast<std::ptrdiff_t>(begin);
  const std::vector<double> goal(code, code + goals.D);
  goals.numbers.insert(goals.numbers.end(), goal.begin(), goal.end());
  for (int j = 0; j < world_->n; ++j) states.coordinates.push_back(s[j] / scales_.step[j]);
}

// level t: a row for each option, numbered like its state, and like the action that is taken there
void PhysicsStage::add_level(Batch& batch, int t) {
  const int B = batch.options;
  if (t == 0) {
    roots_.resize(B);
    std::iota(roots_.begin(), roots_.end(), 0);
    batch.histories.begin(roots_);
  }
  for (int b = 0; b < B; ++b) {
    const int row = t * B + b, last = row - B;
    add_code(t, episodes_->state(b));
    if (t > 0) batch.histories.add(last, last, row);
    const bool end = t == world_->T;
    batch.forced.push_back(end);
    batch.ended.push_back(end ? 1 : 0);
    batch.external.push_back(0);
    batch.into.push_back(t > 0 ? last : -1);
    batch.stop.push_back(-1);
    batch.cell.push_back(end ? number_of(rewarded_cell(*world_, body_, episodes_->state(b))) : -1);
  }
  if (t > 0) batch.histories.close_level();
}

// draws what each option does in level t
void PhysicsStage::decide(Batch& batch, int t, MatrixView<const float> p, RolloutAddress address) {
  const int B = batch.options, M = world_->M, L = world_->L;
  levels_.resize(static_cast<std::size_t>(B) * M);
  for (int b = 0; b < B; ++b) {
    batch.decision_row.push_back(t * B + b);
    batch.decision_action.push_back(t * B + b);
    batch.decision_weight.push_back(1.0F / static_cast<float>(B));
    for (int i = 0; i < M; ++i) {
      const double u = uniform({.seed = address.seed,
                                .update = address.update,
                                .row = static_cast<std::uint32_t>(b),
                                .step = static_cast<std::uint32_t>(t),
                                .draw = static_cast<std::uint32_t>(i)});
      const float* pi = p.row(b) + static_cast<std::ptrdiff_t>(i) * L;
      int level = 0;
      for (double sum = 0; level < L - 1; ++level) {
        sum += static_cast<double>(pi[level]);
        if (u < sum) break;
      }
      levels_[static_cast<std::size_t>(b) * M + i] = level;
    }
  }
  states.actions.level.insert(states.actions.level.end(), levels_.begin(), levels_.end());
}

void PhysicsStage::draw(Batch& batch, HistoryInputs<float>& inputs, Predictor& policy,
                        std::span<const Beginning> beginnings, RolloutAddress address,
                        const LevelVisitor& visit) {
  const int B = static_cast<int>(beginnings.size()), T = world_->T;
  if (!episodes_ || episodes_->B() != B) episodes_.emplace(*world_, B, threads_);
  episodes_->reset();
  batch.clear();
  batch.options = B;
  batch.told.assign(B, -1);
  met_.clear();
  for (auto* list : {&states.numbers, &states.coordinates, &goals.numbers}) list->clear();
  states.actions.level.clear();
  // nobody who looks at a level may find it moved when the next one comes
  batch.histories.reserve(B * (T + 1), T + 1);
  inputs.reserve(B * (T + 1), states);
  inputs.lookup.clear();
  for (int t = 0; t <= T; ++t) {
    add_level(batch, t);
    inputs.append(batch.histories, t * B, states, A);
    if (t == T) break;
    batch.decided_levels = t + 1;
    const Tree tree = batch.tree();
    const Inputs<float> seen = inputs.view();
    if (visit) visit(tree, t, seen);
    policy.model().encode_level(tree, t, seen);
    queries_.clear();
    for (int b = 0; b < B; ++b) queries_.row.push_back(t * B + b);
    decide(batch, t, policy.more_probabilities(queries_, t * B), address);
    episodes_->step(levels_);
  }
}

}  // namespace vic
