#include "sim/mujoco/bare_loop.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "base/tasks.h"

namespace vic {

BareLoop::BareLoop(const MujocoModel& model, int threads) : model_(&model) {
  for (int i = 0; i < threads; ++i) data_.push_back(make_data(model));
}

std::vector<double> BareLoop::run(std::span<const int> levels, int B) {
  const MujocoModel& model = *model_;
  const mjModel* m = model.model.get();
  std::vector<double> ends(static_cast<std::size_t>(B) * model.n);
  std::atomic<int> next = 0;
  std::vector<std::function<void()>> tasks;
  for (auto& own : data_) {
    tasks.push_back([&, d = own.get()] {
      for (int b = next++; b < B; b = next++) {
        std::copy_n(model.start.begin(), m->nq, d->qpos);
        std::fill_n(d->qvel, m->nv, 0);
        std::fill_n(d->qacc_warmstart, m->nv, 0);
        for (int t = 0; t < model.T; ++t) {
          const int* level = levels.data() + (t * B + b) * model.F;
          for (int i = 0; i < model.F; ++i) d->ctrl[i] = model.controls[i * model.L + level[i]];
          for (int k = 0; k < model.frame_skip; ++k) mj_step(m, d);
        }
        double* end = ends.data() + b * model.n;
        std::copy_n(d->qvel, m->nv, std::copy_n(d->qpos, m->nq, end));
      }
    });
  }
  run_tasks(tasks, static_cast<int>(data_.size()));
  return ends;
}

}  // namespace vic
