#include "method/simulator_sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "method/beliefs.h"
#include "sim/survey.h"

namespace vic {

namespace {

// empties the codes, and reuses their memory, a megabyte per shard, unless others still hold them
void renew(std::shared_ptr<Codes>& codes) {
  if (!codes || codes.use_count() > 1) {
    codes = std::make_shared<Codes>();
    return;
  }
  for (auto* list : {&codes->numbers, &codes->coordinates, &codes->goal_numbers, &codes->observed})
    list->clear();
  for (auto* list : {&codes->goal_cell, &codes->levels}) list->clear();
  for (auto* list : {&codes->place, &codes->left, &codes->pushes}) list->clear();
}

// the address of the random number for actuator i of option b in level t
RandomAddress draw_of(RolloutAddress address, int b, int t, int i) {
  return {.seed = address.seed,
          .update = address.update,
          .row = address.first + static_cast<std::uint32_t>(b),
          .step = static_cast<std::uint32_t>(t),
          .draw = static_cast<std::uint32_t>(i)};
}

}  // namespace

Scales measure_scales(const Simulator& world, std::uint64_t seed) {
  constexpr int options = 64;
  const int n = world.spec().n();
  Scales scales;
  scales.mean.assign(n, 0);
  scales.deviation.resize(n);
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
  const double N = static_cast<double>(options) * world.spec().T;
  for (int j = 0; j < n; ++j) {
    scales.mean[j] /= N;
    const double variance = squares[j] / N - scales.mean[j] * scales.mean[j];
    // numbers that random actions do not change are left unscaled
    scales.deviation[j] = variance > 1e-12 ? std::sqrt(variance) : 1;
    scales.step[j] = scales.step[j] > 1e-12 ? std::sqrt(scales.step[j] / N) : 1;
  }
  return scales;
}

Encoding encode_simulator(const Simulator& world, ActionKind actions) {
  const SimulatorSpec& spec = world.spec();
  Encoding encoding;
  // the code of a state begins with numbers in the form of a goal's code, for the difference of the
  // two: time, and the coordinates or chosen numbers of the state
  encoding.goals.D = 1 + (spec.goal ? static_cast<int>(spec.goal->size()) : spec.K());
  encoding.relative = encoding.rates = true;
  // those that are not observed are there too, for that difference alone
  for (int i = 0; i + 1 < encoding.goals.D; ++i) {
    const bool hidden =
        spec.goal ? std::ranges::find(spec.observed, (*spec.goal)[i]) == spec.observed.end()
                  : spec.coordinates[i].hidden;
    if (hidden) encoding.unseen.push_back(1 + i);
  }
  // then all observed numbers, and those that the viewer adds
  encoding.states.D = encoding.goals.D + static_cast<int>(spec.observed.size()) + spec.observations;
  encoding.d = spec.n();
  if (actions == ActionKind::gaussian) {
    // then the last action
    encoding.continuous = spec.F();
    encoding.states.D += spec.F();
    encoding.F = encoding.L = encoding.A = encoding.choices = 0;
    return encoding;
  }
  encoding.F = spec.F();
  encoding.L = spec.L();
  encoding.A = encoding.choices = spec.F() * spec.L();
  return encoding;
}

// the middle of the range plus tanh(u) times half its width
std::vector<double> controls_of(const SimulatorSpec& spec, const Codes& codes, int action) {
  std::vector<double> controls;
  for (int i = 0; i < spec.F(); ++i) {
    const float u = codes.pushes[static_cast<std::size_t>(action) * spec.F() + i];
    const std::vector<double>& range = spec.actuators[i].controls;
    controls.push_back(std::lerp(range.front(), range.back(), (1 + std::tanh(double(u))) / 2));
  }
  return controls;
}

SimulatorSampler::SimulatorSampler(const Simulator& world, const Encoding& encoding, Scales scales,
                                   int threads)
    : Sampler(encoding),
      world_(&world),
      spec_(&world.spec()),
      threads_(threads),
      scales_(std::move(scales)),
      viewer_(world.make_viewer()) {}

// appends the code of a state at time t, reached by the action in row_before
void SimulatorSampler::add_code(int t, std::span<const double> s, int row_before) {
  std::vector<double>& code = codes_->numbers;
  codes_->observed.insert(codes_->observed.end(), s.begin(), s.end());
  code.push_back(2.0 * t / spec_->T - 1);
  codes_->left.push_back(1 - static_cast<float>(t) / static_cast<float>(spec_->T));
  viewer_->put(s);
  seen_.resize(spec_->K());
  viewer_->displacement(seen_);
  if (spec_->goal) {
    for (int j : *spec_->goal) code.push_back(scaled(s, j));
  }
  for (int k = 0; k < spec_->K(); ++k) {
    const Coordinate& coordinate = spec_->coordinates[k];
    if (!spec_->goal) code.push_back(coordinate.code_scale * seen_[k]);
    codes_->place.push_back(static_cast<float>(coordinate.method_bins().place(seen_[k])));
  }
  for (int j : spec_->observed) code.push_back(scaled(s, j));
  seen_.resize(spec_->observations);
  viewer_->observe(seen_);
  code.insert(code.end(), seen_.begin(), seen_.end());
  const int pushes = encoding_.continuous;
  for (int i = 0; i < pushes; ++i) {
    const std::size_t at = static_cast<std::size_t>(row_before) * pushes + i;
    code.push_back(t == 0 ? 0 : std::tanh(double(codes_->pushes[at])));
  }
  for (int j = 0; j < spec_->n(); ++j) codes_->coordinates.push_back(s[j] / scales_.step[j]);
}

// the code of a state as a goal
void SimulatorSampler::write_goal(double* code, std::span<const double> s_f) {
  *code++ = 1;  // time: the end of the option
  if (spec_->goal) {
    for (int j : *spec_->goal) *code++ = scaled(s_f, j);
    return;
  }
  const StateCell cell = method_cell_of(*spec_, displacement_to(s_f));
  for (int k = 0; k < spec_->K(); ++k) {
    const Coordinate& coordinate = spec_->coordinates[k];
    *code++ = coordinate.code_scale * coordinate.method_bins().width * cell[k];
  }
}

void SimulatorSampler::set_goals(std::span<const double> s_f) {
  const auto n = static_cast<std::size_t>(spec_->n());
  const int D = encoding_.goals.D;
  goals_.resize(s_f.size() / n * D);
  goal_cells_.clear();
  for (std::size_t g = 0; g * n < s_f.size(); ++g) {
    write_goal(&goals_[g * D], s_f.subspan(g * n, n));
    goal_cells_.push_back(goal_cell(s_f.subspan(g * n, n)));
  }
}

int SimulatorSampler::add_goals(std::span<const double> codes) {
  std::vector<double>& all = codes_->goal_numbers;
  const std::size_t before = all.size() / static_cast<std::size_t>(encoding_.goals.D);
  all.insert(all.end(), codes.begin(), codes.end());
  return static_cast<int>(before);
}

// the cell of a goal, as b numbers cells
int SimulatorSampler::goal_cell(std::span<const double> s_f) {
  const StateCell cell = method_cell_of(*spec_, displacement_to(s_f));
  return near_cell(*spec_, cell_number(*spec_, cell), near_limit);
}

void SimulatorSampler::begin(Batch& batch, std::span<const Beginning> beginnings,
                             RolloutAddress address) {
  const int B = batch.options, T = spec_->T, D = encoding_.goals.D;
  if (!episodes_ || episodes_->B() != B) episodes_ = world_->make_episodes(B, threads_);
  episodes_->reset(address.seed, address.update, address.first);
  for (std::size_t b = 0; b < starts_.size(); ++b) {
    const std::span<double> episode = episodes_->snapshot(static_cast<int>(b));
    std::ranges::copy(starts_[b], episode.begin());
    episode[0] = 0;
  }
  for (const Beginning& beginning : beginnings) batch.goal.push_back(beginning.goal);
  // a final state has the number of its row as a goal; the goals that options are conditioned on
  // have the numbers of rows in which no option can end
  batch.codes.reset();
  renew(codes_);
  codes_->goal_numbers.assign(static_cast<std::size_t>(B) * (T + 1) * D, 0);
  codes_->goal_cell.assign(static_cast<std::size_t>(B) * (T + 1), 0);
  if (std::any_of(batch.goal.begin(), batch.goal.end(), [](int goal) { return goal >= 0; })) {
    if (goals_.size() > static_cast<std::size_t>(most_goals(B)) * D) {
      throw Error(fmt::format("{} options of {} actions cannot be conditioned on {} goals.", B, T,
                              goals_.size() / D));
    }
    std::copy(goals_.begin(), goals_.end(), codes_->goal_numbers.begin());
    std::copy(goal_cells_.begin(), goal_cells_.end(), codes_->goal_cell.begin());
  }
  batch.codes = codes_;
  roots_.resize(B);
  std::iota(roots_.begin(), roots_.end(), 0);
  batch.histories.begin(roots_);
  going_.clear();
  for (int b = 0; b < B; ++b) going_.push_back({.option = b});
  add_level(batch, 0);
}

// adds level t: a row for each option that has not ended before it
void SimulatorSampler::add_level(Batch& batch, int t) {
  std::size_t kept = 0;
  for (Going option : going_) {
    const std::span<const double> s = episodes_->state(option.option);
    add_code(t, s, option.row);
    // add_code has moved the viewer to s
    const bool ends = t == spec_->T || (t > 0 && spec_->falls && viewer_->posture().fallen);
    const int row = t > 0 ? batch.histories.rows() : option.option;
    if (t > 0) batch.histories.add(option.row, option.row, row);
    batch.forced.push_back(ends);
    batch.ended.push_back(ends ? 1 : 0);
    batch.external.push_back(0);
    batch.into.push_back(option.decision);
    batch.stop.push_back(-1);
    batch.cell.push_back(-1);
    option.row = row;
    if (t > 0 && (ends || all_goals_)) {
      write_goal(&codes_->goal_numbers[static_cast<std::size_t>(row) * encoding_.goals.D], s);
    }
    if (!ends) {
      going_[kept++] = option;
      continue;
    }
    codes_->goal_cell[static_cast<std::size_t>(row)] = goal_cell(s);
    batch.cell.back() = cell_number(*spec_, method_cell_of(*spec_, displacement_to(s)));
  }
  going_.resize(kept);
}

// records a decision of each option in level t, and draws it
void SimulatorSampler::decide(Batch& batch, int t, const Deciding& by, RolloutAddress address) {
  for (Going& option : going_) {
    option.decision = static_cast<int>(batch.decision_row.size());
    batch.decision_row.push_back(option.row);
    batch.decision_action.push_back(option.row);
    batch.decision_weight.push_back(1);
  }
  if (encoding_.continuous > 0) {
    draw_pushes(batch, t, by, address);
  } else {
    draw_levels(batch, t, by, address);
  }
}

// draws a level for each actuator, one after another
void SimulatorSampler::draw_levels(const Batch& batch, int t, const Deciding& by,
                                   RolloutAddress address) {
  const int F = spec_->F(), L = spec_->L();
  // options that have ended take level 0, which has no effect on them
  levels_.assign(static_cast<std::size_t>(batch.options) * F, 0);
  // a factor may depend on those before it, so each level is recorded at once
  codes_->levels.resize(static_cast<std::size_t>(batch.histories.rows()) * F, 0);
  for (int i = 0; i < F; ++i) {
    const MatrixView<const float> p =
        by.actor.factor_probabilities(by.work, batch, by.queries, by.p, i);
    for (const auto& [b, row, decision] : going_) {
      const float* pi = p.row(query_of_[row - batch.histories.first[t]]);
      p_.assign(pi, pi + L);
      if (by.actor.temperature != 1) temper(p_, by.actor.temperature);
      const int level = script_.empty() ? pick_index(p_, uniform(draw_of(address, b, t, i)))
                                        : static_cast<int>(scripted(b, t, i));
      levels_[static_cast<std::size_t>(b) * F + i] = level;
      codes_->levels[static_cast<std::size_t>(row) * F + i] = level;
    }
  }
}

// draws a control for each actuator
void SimulatorSampler::draw_pushes(const Batch& batch, int t, const Deciding& by,
                                   RolloutAddress address) {
  const int F = spec_->F();
  // options that have ended take the first control, which has no effect on them
  controls_.clear();
  for (int b = 0; b < batch.options; ++b) {
    for (const Actuator& actuator : spec_->actuators) controls_.push_back(actuator.controls[0]);
  }
  codes_->pushes.resize(static_cast<std::size_t>(batch.histories.rows()) * F, 0);
  for (const auto& [b, row, decision] : going_) {
    const float* out = by.p.row(query_of_[row - batch.histories.first[t]]);
    for (int i = 0; i < F; ++i) {
      // a normal density to the power of 1 / temperature is normal, sqrt(temperature) times as wide
      const double width = std::sqrt(by.actor.temperature) * squashed_width(double(out[F + i]));
      const double u = script_.empty() ? double(out[i]) + width * normal(draw_of(address, b, t, i))
                                       : scripted(b, t, i);
      codes_->pushes[static_cast<std::size_t>(row) * F + i] = static_cast<float>(u);
    }
    std::ranges::copy(controls_of(*spec_, *codes_, row),
                      &controls_[static_cast<std::size_t>(b) * F]);
  }
}

bool SimulatorSampler::step(Batch& batch, int t, const Deciding& by, RolloutAddress address) {
  if (going_.empty()) return false;
  decide(batch, t, by, address);
  if (encoding_.continuous > 0) {
    episodes_->step_controls(controls_);
  } else {
    episodes_->step(levels_);
  }
  add_level(batch, t + 1);
  return true;
}

}  // namespace vic
