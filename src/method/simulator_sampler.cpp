#include "method/simulator_sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "sim/survey.h"

namespace vic {
namespace {

// places and turns on either side of the start that are distinguished
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

Encoding encode_simulator(const PhysicsWorld& world) {
  Encoding encoding;
  // the code of a state begins with that of a goal, which enters as its difference to the state
  // time, and the cell or chosen numbers of the state
  encoding.goals.D = 1 + (world.goal_is_cell ? 2 : static_cast<int>(world.goal.size()));
  encoding.relative = encoding.rates = true;
  // behind it all numbers, and which way is up
  encoding.states.D = encoding.goals.D + world.n + (world.pitch >= 0 ? 2 : 0);
  encoding.d = world.n;
  encoding.F = world.M;
  encoding.L = world.L;
  encoding.A = encoding.choices = world.M * world.L;
  return encoding;
}

int cell_count() {
  return (2 * places + 1) * (2 * turns + 1);
}

int cell_number(BehaviourCell cell) {
  return (std::clamp(cell.place, -places, places) + places) * (2 * turns + 1) +
         std::clamp(cell.turns, -turns, turns) + turns;
}

SimulatorSampler::SimulatorSampler(const PhysicsWorld& world, const Encoding& encoding,
                                   Scales scales, int threads)
    : Sampler(encoding),
      world_(&world),
      threads_(threads),
      scales_(std::move(scales)),
      body_(world),
      start_(body_.posture()) {}

Way SimulatorSampler::way_to(std::span<const double> s) {
  body_.put(s);
  const Posture at = body_.posture();
  return {at.x - start_.x, turns_between(start_, at)};
}

// the code of a state that was met at time t
void SimulatorSampler::add_code(int t, std::span<const double> s) {
  std::vector<double>& code = codes_->numbers;
  codes_->observed.insert(codes_->observed.end(), s.begin(), s.end());
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
  for (int j = 0; j < world_->n; ++j) codes_->coordinates.push_back(s[j] / scales_.step[j]);
}

// the code of a state that an option ended in, or is to end in
void SimulatorSampler::write_goal(double* code, std::span<const double> s_f) {
  *code++ = 1;  // the end of time
  if (world_->goal_is_cell) {
    const BehaviourCell cell = rewarded_cell(*world_, way_to(s_f));
    *code++ = world_->bin * cell.place;
    *code++ = 4 * world_->turn_bin() * cell.turns;
  } else {
    for (int j : world_->goal) *code++ = scaled(s_f, j);
  }
}

void SimulatorSampler::set_goals(std::span<const double> s_f) {
  const auto n = static_cast<std::size_t>(world_->n);
  const int D = encoding_.goals.D;
  goals_.resize(s_f.size() / n * D);
  for (std::size_t g = 0; g * n < s_f.size(); ++g) {
    write_goal(&goals_[g * D], s_f.subspan(g * n, n));
  }
}

void SimulatorSampler::begin(Batch& batch, std::span<const Beginning> beginnings) {
  const int B = batch.options, T = world_->T, D = encoding_.goals.D;
  if (!episodes_ || episodes_->B() != B) episodes_.emplace(*world_, B, threads_);
  episodes_->reset();
  for (const Beginning& beginning : beginnings) batch.goal.push_back(beginning.goal);
  // a goal is numbered like the row that ended there; no query looks back from the rows before,
  // whose numbers are those of the goals that options are conditioned on
  codes_ = std::make_shared<Codes>();
  codes_->goal_numbers.assign(static_cast<std::size_t>(B) * (T + 1) * D, 0);
  if (std::any_of(batch.goal.begin(), batch.goal.end(), [](int goal) { return goal >= 0; })) {
    if (goals_.size() > static_cast<std::size_t>(B) * T * D) {
      throw Error(fmt::format("{} options of {} actions cannot be conditioned on {} goals.", B, T,
                              goals_.size() / D));
    }
    std::copy(goals_.begin(), goals_.end(), codes_->goal_numbers.begin());
  }
  batch.codes = codes_;
  roots_.resize(B);
  std::iota(roots_.begin(), roots_.end(), 0);
  batch.histories.begin(roots_);
  add_level(batch, 0);
}

// level t: a row for each option, numbered like its state, and like the action that is taken there
void SimulatorSampler::add_level(Batch& batch, int t) {
  const int B = batch.options;
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
    const std::size_t at = static_cast<std::size_t>(row) * encoding_.goals.D;
    write_goal(&codes_->goal_numbers[at], episodes_->state(b));
    batch.cell.back() = cell_number(rewarded_cell(*world_, way_to(episodes_->state(b))));
  }
}

// draws what each option does in level t
void SimulatorSampler::decide(Batch& batch, int t, MatrixView<const float> p, double temperature,
                              RolloutAddress address) {
  const int B = batch.options, M = world_->M, L = world_->L;
  levels_.resize(static_cast<std::size_t>(B) * M);
  for (int b = 0; b < B; ++b) {
    batch.decision_row.push_back(t * B + b);
    batch.decision_action.push_back(t * B + b);
    batch.decision_weight.push_back(1);
    for (int i = 0; i < M; ++i) {
      const double u = uniform({.seed = address.seed,
                                .update = address.update,
                                .row = static_cast<std::uint32_t>(b),
                                .step = static_cast<std::uint32_t>(t),
                                .draw = static_cast<std::uint32_t>(i)});
      const float* pi = p.row(query_of_[b]) + static_cast<std::ptrdiff_t>(i) * L;
      p_.assign(pi, pi + L);
      if (temperature != 1) temper(p_, temperature);
      levels_[static_cast<std::size_t>(b) * M + i] = pick_index(p_, u);
    }
  }
  codes_->levels.insert(codes_->levels.end(), levels_.begin(), levels_.end());
}

bool SimulatorSampler::step(Batch& batch, int t, MatrixView<const float> p, double temperature,
                            RolloutAddress address) {
  if (t == world_->T) return false;
  decide(batch, t, p, temperature, address);
  episodes_->step(levels_);
  add_level(batch, t + 1);
  return true;
}

}  // namespace vic
