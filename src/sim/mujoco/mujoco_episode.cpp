// The episodes of a MuJoCo world, and the bare loop that benchmarks compare them with.
#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>

#include "base/process.h"
#include "base/text.h"
#include "sim/mujoco/mujoco_world.h"

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
                 : warning == mjWARN_BADQVEL || warning == mjWARN_BADQACC ? model.model->nq + info
                                                                          : -1;
  if (at < 0 || at >= model.spec.n()) return text;
  return fmt::format("{}, at {}", text, model.spec.state_names[at]);
}

// "hip 0.5, knee -1"
template <class Name>
std::string named(std::span<const double> values, Name&& name_of) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    parts.push_back(fmt::format("{} {:.6g}", name_of(i), values[i]));
  }
  return joined(parts, ", ");
}

class MujocoEpisodes : public Episodes {
 public:
  MujocoEpisodes(const MujocoModel& model, int B, int threads)
      : Episodes(model.spec, B, threads, 1 + model.model->nv), model_(&model) {
    for (int i = 0; i < workers(); ++i) data_.push_back(make_data(model));
  }

 protected:
  // as HalfCheetah-v3 begins
  void begin(std::span<double> snapshot, const RandomAddress& noise) override {
    const double scale = model_->settings.reset_noise;
    if (scale == 0) return;
    const int nq = model_->model->nq, nv = model_->model->nv;
    RandomAddress at = noise;
    for (int i = 0; i < nq + nv; ++i) {
      at.draw = static_cast<std::uint32_t>(i);
      snapshot[1 + i] += scale * (i < nq ? 2 * uniform(at) - 1 : normal(at));
    }
  }

  void advance(int worker, std::span<double> snapshot, std::span<const double> controls,
               const RandomAddress&) override {
    const mjModel& m = *model_->model;
    mjData& d = *data_[worker];
    const std::span<double> state = snapshot.subspan(1, model_->spec.start.size());
    double *time = &snapshot[1 + state.size()], *warm_start = time + 1;
    std::copy_n(state.data(), m.nq, d.qpos);
    std::copy_n(state.data() + m.nq, m.nv, d.qvel);
    std::copy_n(state.data() + m.nq + m.nv, m.na, d.act);
    d.time = *time;
    std::copy_n(warm_start, m.nv, d.qacc_warmstart);
    std::copy(controls.begin(), controls.end(), d.ctrl);
    if (has_fallen(d)) return;
    for (int k = 0; k < model_->settings.frame_skip; ++k) {
      // on a bad number MuJoCo resets the state and only counts a warning, so the state before is
      // kept for the message
      write_state(state, d);
      const std::string warning = simulate(d);
      if (warning.empty()) continue;
      // an error leaves MuJoCo's stack in disorder, a warning its counters
      mj_resetData(&m, &d);
      fail(warning, snapshot, controls);
    }
    write_state(state, d);
    *time = d.time;
    std::copy_n(d.qacc_warmstart, m.nv, warm_start);
  }

 private:
  // an option that fell has ended: its actions have no effect
  bool has_fallen(mjData& d) const {
    if (model_->healthy.empty()) return false;
    mj_kinematics(model_->model.get(), &d);
    return !is_healthy(*model_, d);
  }

  // one step of MuJoCo; returns its warning, empty for none
  std::string simulate(mjData& d) const {
    try {
      mj_step(model_->model.get(), &d);
    } catch (const MujocoError& error) {
      return fmt::format("an error, \"{}\"", error.what());
    }
    for (int i = 0; i < mjNWARNING; ++i) {
      if (d.warning[i].number > 0) return warning_text(*model_, i, d.warning[i].lastinfo);
    }
    return "";
  }

  void write_state(std::span<double> out, const mjData& d) const {
    const mjModel& m = *model_->model;
    std::copy_n(d.act, m.na, std::copy_n(d.qvel, m.nv, std::copy_n(d.qpos, m.nq, out.begin())));
  }

  [[noreturn]] void fail(const std::string& reason, std::span<const double> snapshot,
                         std::span<const double> controls) const {
    const SimulatorSpec& spec = model_->spec;
    throw SimulationError(fmt::format(
        "{} cannot be simulated: in action {} of {} MuJoCo warns of {}, with the actuators at {}, "
        "in the state {}. A smaller timestep or weaker actuators in the model may help.",
        spec.name, static_cast<int>(snapshot[0]) + 1, spec.T, reason,
        named(controls, [&](std::size_t i) { return spec.actuators[i].name; }),
        named(snapshot.subspan(1, spec.start.size()),
              [&](std::size_t i) { return spec.state_names[i]; })));
  }

  const MujocoModel* model_;
  // an mjData per thread, not per episode: 3 MB each, and the data in use stays in the cache
  std::vector<MujocoData> data_;  // (workers)
};

}  // namespace

std::unique_ptr<Episodes> MujocoWorld::make_episodes(int B, int threads) const {
  return std::make_unique<MujocoEpisodes>(model_, B, threads);
}

std::vector<double> run_bare_loop(const MujocoModel& model, std::span<const MujocoData> data,
                                  std::span<const int> levels, int B) {
  const mjModel& m = *model.model;
  const SimulatorSpec& spec = model.spec;
  std::vector<double> ends(static_cast<std::size_t>(B) * spec.n());
  run_each(B, static_cast<int>(data.size()), [&](int b, int thread) {
    mjData& d = *data[thread];
    std::copy_n(spec.start.begin(), m.nq, d.qpos);
    std::fill_n(d.qvel, m.nv, 0);
    std::fill_n(d.qacc_warmstart, m.nv, 0);
    for (int t = 0; t < spec.T; ++t) {
      const int* level = levels.data() + (t * B + b) * spec.F();
      for (int i = 0; i < m.nu; ++i) d.ctrl[i] = spec.actuators[i].controls[level[i]];
      for (int k = 0; k < model.settings.frame_skip; ++k) mj_step(&m, &d);
    }
    std::copy_n(d.qvel, m.nv, std::copy_n(d.qpos, m.nq, ends.data() + b * spec.n()));
  });
  return ends;
}

}  // namespace vic
