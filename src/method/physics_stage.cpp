#include "method/physics_stage.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "sim/survey.h"

namespace vic {
namespace {

// places and turns on either side of the start that are told apart
constexpr int places = 100, turns = 40;

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
      scales_(measure_scales(world, static_cast<std::uint64_t>(settings.seed))),
      body_(world),
      start_(body_.posture()) {
  name = world.name;
  states.blind = parse_algorithm(settings.algorithm) == Algorithm::open_loop;
  // time, the numbers of a goal, all numbers, and which way is up
  const int G = world.goal_is_cell ? 2 : static_cast<int>(world.goal.size());
  states.D = 1 + G + world.n + (world.pitch >= 0 ? 2 : 0);
  states.d = world.n;
  states.actions = {.F = world.M, .L = world.L, .level = {}};
  // the code of a state begins with that of a goal, which is told as it is seen from there
  goals.D = 1 + G;
  goals.relative = goals.rates = true;
  A = choices = world.M * world.L;
  cells = (2 * places + 1) * (2 * turns + 1);
}

Way PhysicsStage::way_to(std::span<const double> s) {
  body_.put(s);
  const Posture at = body_.posture();
  return {at.x - start_.x, turns_between(start_, at)};
}

int PhysicsStage::number_of(BehaviourCell cell) {
  return (std::clamp(cell.place, -places, places) + places) * (2 * turns + 1) +
         std::clamp(cell.turns, -turns, turns) + turns;
}

std::span<const double> PhysicsStage::state(int row) const {
  return std::span(met_).subspan(static_cast<std::size_t>(row) * world_->n, world_->n);
}

// the code of a state that was met at time t
void PhysicsStage::add_code(int t, std::span<const double> s) {
  std::vector<double>& code = states.numbers;
  met_.insert(met_.end(), s.begin(), s.end());
  code.push_back(2.0 * t / world_->T - 1);
  if (world_->goal_is_cell) {
    const Way way = way_to(s);
    // metres and quarters of a turn
    code.insert(code.end(), {way.distance, 4 * way.turns});
  } else {
    for (int j : world_->goal) code.push_back(scaled(s, j));
  }
  for (int j = 0; j < world_->n; ++j) code.push_back(scaled(s, j));
  if (world_->pitch >= 0) {
    code.push_back(std::sin(s[world_->pitch]));
    code.push_back(std::cos(s[world_->pitch]));
  }
  for (int j = 0; j < world_->n; ++j) states.coordinates.push_back(s[j] / scales_.step[j]);
}

// the code of a state that an option ended in, or is to end in
void PhysicsStage::write_goal(double* code, std::span<const double> s_f) {
  *code++ = 1;  // the end of time
  if (world_->goal_is_cell) {
    const BehaviourCell cell = rewarded_cell(*world_, way_to(s_f));
    *code++ = world_->bin * cell.place;
    *code++ = 4 * world_->turn_bin() * cell.turns;
  } else {
    for (int j : world_->goal) *code++ = scaled(s_f, j);
  }
}

void PhysicsStage::tell(std::span<const double> s_f) {
  const auto n = static_cast<std::size_t>(world_->n);
  told_.resize(s_f.size() / n * goals.D);
  for (std::size_t g = 0; g * n < s_f.size(); ++g) {
    write_goal(&told_[g * goals.D], s_f.subspan(g * n, n));
  }
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
    batch.cell.push_back(-1);
    if (!end) continue;
    write_goal(&goals.numbers[static_cast<std::size_t>(row) * goals.D], episodes_->state(b));
    batch.cell.back() = number_of(rewarded_cell(*world_, way_to(episodes_->state(b))));
  }
  if (t > 0) batch.histories.close_level();
}

// draws what each option does in level t
void PhysicsStage::decide(Batch& batch, int t, MatrixView<const float> p, double temperature,
                          RolloutAddress address) {
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
      p_.assign(pi, pi + L);
      if (temperature != 1) temper(p_, temperature);
      int level = 0;
      for (double sum = 0; level < L - 1; ++level) {
        sum += p_[level];
        if (u < sum) break;
      }
      levels_[static_cast<std::size_t>(b) * M + i] = level;
    }
  }
  states.actions.level.insert(states.actions.level.end(), levels_.begin(), levels_.end());
}

void PhysicsStage::draw(Batch& batch, HistoryInputs<float>& inputs, const Actor& actor,
                        std::span<const Beginning> beginnings, RolloutAddress address,
                        const LevelVisitor& visit) {
  const int B = static_cast<int>(beginnings.size()), T = world_->T;
  if (!episodes_ || episodes_->B() != B) episodes_.emplace(*world_, B, threads_);
  episodes_->reset();
  batch.clear();
  batch.options = B;
  for (const Beginning& beginning : beginnings) batch.told.push_back(beginning.told);
  met_.clear();
  for (auto* list : {&states.numbers, &states.coordinates}) list->clear();
  states.actions.level.clear();
  // a goal is numbered like the row that ended there; nobody looks back from the rows before, whose
  // numbers are those of the goals that are told
  goals.numbers.assign(static_cast<std::size_t>(B) * (T + 1) * goals.D, 0);
  if (std::any_of(batch.told.begin(), batch.told.end(), [](int told) { return told >= 0; })) {
    if (told_.size() > static_cast<std::size_t>(B) * T * goals.D) {
      throw Error(fmt::format("{} options of {} actions cannot be told {} goals.", B, T,
                              told_.size() / goals.D));
    }
    std::copy(told_.begin(), told_.end(), goals.numbers.begin());
  }
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
    queries_.clear();
    for (int b = 0; b < B; ++b) {
      queries_.row.push_back(t * B + b);
      if (batch.told[b] >= 0) queries_.goal.push_back(batch.told[b]);
    }
    decide(batch, t, actor.say(tree, t, seen, queries_, t * B), actor.temperature, address);
    episodes_->step(levels_);
  }
}

}  // namespace vic
