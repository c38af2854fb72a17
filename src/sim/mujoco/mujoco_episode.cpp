#include "sim/mujoco/mujoco_episode.h"

#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <new>

#include "base/tasks.h"
#include "base/text.h"
#include "sim/mujoco/mujoco_errors.h"

namespace vic {
namespace {

// in our words: those of mju_warningText lie in one buffer for all threads
std::string warning_text(const MujocoModel& model, int warning, int info) {
  static constexpr std::array<const char*, mjNWARNING> words = {
      "INERTIA: an inertia matrix that is nearly singular",
      "CONTACTFULL: more contacts than there is room for",
      "CNSTRFULL: more constraints than there is room for",
      "VGEOMFULL: more to draw than there is room for",
      "BADQPOS: a position that is infinite or no number",
      "BADQVEL: a velocity that is infinite or no number",
      "BADQACC: an acceleration that is infinite or no number",
      "BADCTRL: a control that is infinite or no number"};
  std::string text = words[static_cast<std::size_t>(warning)];
  // the degree of freedom it is about
  const int at = warning == mjWARN_BADQPOS                                ? info
                 : warning == mjWARN_BADQVEL || warning == mjWARN_BADQACC ? model.nq + info
                                                                          : -1;
  if (at < 0 || at >= model.n) return text;
  return fmt::format("{}, at {}", text, model.state_names[at]);
}

}  // namespace

MujocoEpisode::MujocoEpisode(const MujocoModel& model)
    : model_(&model),
      layout_(model),
      data_(mj_makeData(model.model.get()), mj_deleteData),
      controls_(static_cast<std::size_t>(model.F)),
      before_(static_cast<std::size_t>(model.n)) {
  if (!data_) throw std::bad_alloc();
  reset();
}

void MujocoEpisode::reset() {
  // as mj_resetData leaves it, which would also clear 3 MB that the next step fills again
  std::vector<double> start(static_cast<std::size_t>(layout_.size), 0);
  std::copy(model_->start.begin(), model_->start.end(), start.begin() + SnapshotLayout::state);
  restore(start);
}

void MujocoEpisode::state(std::span<double> out) const {
  const mjData& d = *data_;
  const auto at = std::copy_n(d.qpos, model_->nq, out.begin());
  std::copy_n(d.act, model_->na, std::copy_n(d.qvel, model_->nv, at));
}

void MujocoEpisode::save(std::span<double> out) const {
  out[SnapshotLayout::actions] = actions_;
  out[SnapshotLayout::time] = data_->time;
  state(out.subspan(SnapshotLayout::state, static_cast<std::size_t>(layout_.n)));
  std::copy_n(data_->qacc_warmstart, model_->nv, out.begin() + layout_.warm_start);
}

void MujocoEpisode::restore(std::span<const double> snapshot) {
  mjData& d = *data_;
  // after an error MuJoCo's stack is not as it should be, after a warning its counters are not
  if (failed_) mj_resetData(model_->model.get(), &d);
  failed_ = false;
  actions_ = static_cast<int>(snapshot[SnapshotLayout::actions]);
  d.time = snapshot[SnapshotLayout::time];
  const double* from = snapshot.data() + SnapshotLayout::state;
  std::copy_n(from, model_->nq, d.qpos);
  std::copy_n(from + model_->nq, model_->nv, d.qvel);
  std::copy_n(from + model_->nq + model_->nv, model_->na, d.act);
  std::copy_n(snapshot.data() + layout_.warm_start, model_->nv, d.qacc_warmstart);
}

void MujocoEpisode::fail(const std::string& reason) {
  failed_ = true;
  const auto named = [](const auto& names, std::span<const double> values, auto name_of) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < values.size(); ++i) {
      parts.push_back(fmt::format("{} {:.6g}", name_of(names[i]), values[i]));
    }
    return joined(parts, ", ");
  };
  throw SimulationError(fmt::format(
      "{} cannot be simulated: in action {} of {} MuJoCo warns of {}, with the actuators at {}, in "
      "the state {}. A smaller timestep or weaker actuators in the model may help.",
      model_->name, actions_ + 1, model_->T, reason,
      named(model_->actuators, controls_,
            [](const MujocoActuator& actuator) { return actuator.name; }),
      named(model_->state_names, before_, [](const std::string& name) { return name; })));
}

// one step of MuJoCo. On a bad number it goes back to the start by itself and only counts a
// warning, so that the state and controls of before have to be kept for the message
void MujocoEpisode::simulate() {
  state(before_);
  try {
    mj_step(model_->model.get(), data_.get());
  } catch (const MujocoError& error) {
    fail(fmt::format("an error, \"{}\"", error.what()));
  }
  for (int i = 0; i < mjNWARNING; ++i) {
    const mjWarningStat& warning = data_->warning[i];
    if (warning.number > 0) fail(warning_text(*model_, i, warning.lastinfo));
  }
}

void MujocoEpisode::step(std::span<const int> levels) {
  if (static_cast<int>(levels.size()) != model_->F) {
    fail_usage("An action in {} is {} levels, not {}.", model_->name, model_->F, levels.size());
  }
  if (done()) fail_usage("An option in {} takes {} actions, and no more.", model_->name, actions_);
  if (failed_) fail_usage("This option in {} has failed; it must be reset.", model_->name);
  for (int i = 0; i < model_->F; ++i) {
    const int level = levels[static_cast<std::size_t>(i)];
    if (level < 0 || level >= model_->L) {
      fail_usage("The actuator {} has no level {}; levels are 0 to {}.", model_->actuators[i].name,
                 level, model_->L - 1);
    }
    controls_[i] = model_->controls[i * model_->L + level];
  }
  std::copy(controls_.begin(), controls_.end(), data_->ctrl);
  for (int k = 0; k < model_->frame_skip; ++k) simulate();
  ++actions_;
}

MujocoEpisodes::MujocoEpisodes(const MujocoModel& model, int B, int threads)
    : Episodes(B), model_(&model), layout_(model), errors_(static_cast<std::size_t>(B)) {
  const int workers = std::clamp(threads, 1, std::max(1, B));
  for (int i = 0; i < workers; ++i) workers_.emplace_back(model);
  snapshots_.resize(static_cast<std::size_t>(B) * layout_.size);
  reset({});
}

void MujocoEpisodes::reset(const EpisodeSeed&) {
  workers_[0].reset();
  for (int b = 0; b < B(); ++b) {
    workers_[0].save(std::span(snapshots_).subspan(b * layout_.size, layout_.size));
  }
}

int MujocoEpisodes::actions_taken(int b) const {
  return static_cast<int>(snapshots_[b * layout_.size + SnapshotLayout::actions]);
}

std::span<const double> MujocoEpisodes::state(int b) const {
  return std::span(snapshots_).subspan(b * layout_.size + SnapshotLayout::state, layout_.n);
}

void MujocoEpisodes::save(int b, std::span<double> snapshot) const {
  std::copy_n(snapshots_.begin() + b * layout_.size, layout_.size, snapshot.begin());
}

void MujocoEpisodes::restore(int b, std::span<const double> snapshot) {
  std::copy_n(snapshot.begin(), layout_.size, snapshots_.begin() + b * layout_.size);
}

void MujocoEpisodes::step_one(MujocoEpisode& worker, int b, std::span<const int> levels) {
  const auto snapshot = std::span(snapshots_).subspan(b * layout_.size, layout_.size);
  errors_[b] = nullptr;
  try {
    worker.restore(snapshot);
    worker.step(levels.subspan(b * model_->F, model_->F));
    worker.save(snapshot);
  } catch (...) {
    errors_[b] = std::current_exception();
  }
}

void MujocoEpisodes::step(std::span<const int> levels) {
  if (levels.size() != static_cast<std::size_t>(B()) * model_->F) {
    fail_usage("{} episodes in {} take {} levels, not {}.", B(), model_->name, B() * model_->F,
               levels.size());
  }
  // steps on the ground take longer: a free thread takes the next, and none waits long at the
  // end. A thread for each call costs 20 us of some 2 ms
  std::atomic<int> next = 0;
  std::vector<std::function<void()>> tasks;
  for (MujocoEpisode& worker : workers_) {
    tasks.push_back([&, this] {
      for (int b = next++; b < B(); b = next++) step_one(worker, b, levels);
    });
  }
  run_tasks(tasks, static_cast<int>(workers_.size()));
  for (const std::exception_ptr& error : errors_) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace vic
