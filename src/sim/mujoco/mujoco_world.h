// MuJoCo behind the interface of simulators, and its row of the registry.
#pragma once

#include "sim/mujoco/mujoco_model.h"
#include "sim/world.h"

namespace vic {

class MujocoWorld : public Simulator {
 public:
  explicit MujocoWorld(MujocoModel model);

  // In a snapshot the state is followed by the time and the start of the solver's next search.
  std::unique_ptr<Episodes> make_episodes(int B, int threads) const override;
  std::unique_ptr<Viewer> make_viewer() const override;
  void describe(Behaviour& behaviour) const override;
  std::string model_text() const override { return model_.text; }

  const MujocoModel& model() const { return model_; }

 private:
  MujocoModel model_;
};

// Runs B options in a loop of nothing but mj_step, on a thread for each of `data`, as a baseline
// for benchmarks of episodes. Returns the final states, (B, n). `levels` are those of all actions,
// (T, B, F).
std::vector<double> run_bare_loop(const MujocoModel& model, std::span<const MujocoData> data,
                                  std::span<const int> levels, int B);

// half-cheetah, and every file that ends in .xml.
SimulatorFamily mujoco_family();

// The world of a name or file of that family, for callers that need the model too.
std::shared_ptr<const MujocoWorld> load_mujoco_world(const std::string& name, Overrides& overrides,
                                                     const std::string& copy = "");

}  // namespace vic
