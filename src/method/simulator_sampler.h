// Options in a simulated world. There is no table: the states and actions of a batch are numbered
// as they are met, and no two options share a history.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "method/sampler.h"
#include "sim/behaviour.h"
#include "sim/mujoco/physics_episode.h"

namespace vic {

// What the numbers of a state are measured in: their mean and deviation over options of random
// actions, and the deviation of what one action changes. Part of the checkpoint.
struct Scales {
  std::vector<double> mean;       // (n)
  std::vector<double> deviation;  // (n)
  std::vector<double> step;       // (n)
};

Scales measure_scales(const PhysicsWorld& world, std::uint64_t seed);

// How the states, actions and goals of a simulated world enter the nets.
Encoding encode_simulator(const PhysicsWorld& world);

// What final states are counted by: the number of all cells, and that of one; those that are too
// far out count as the last ones.
int cell_count();
int cell_number(BehaviourCell cell);

// The numbers (n) of the state of a row of a simulated batch.
inline std::span<const double> observed_state(const Batch& batch, int n, int row) {
  return std::span(batch.codes->observed)
      .subspan(static_cast<std::size_t>(row) * n, static_cast<std::size_t>(n));
}

class SimulatorSampler : public Sampler {
 public:
  // The world must outlive the sampler.
  SimulatorSampler(const PhysicsWorld& world, const Encoding& encoding, Scales scales, int threads);

  // The goals that options may be conditioned on from now on, as states s_f, (G, n):
  // Beginning::goal is a number below G. No more of them than T times the options of a batch.
  void set_goals(std::span<const double> s_f);

  const PhysicsWorld& world() const { return *world_; }

  // From the start to a state.
  Way way_to(std::span<const double> s);

 protected:
  int most_levels() const override { return world_->T + 1; }
  void begin(Batch& batch, std::span<const Beginning> beginnings) override;
  bool step(Batch& batch, int t, MatrixView<const float> p, double temperature,
            RolloutAddress address) override;

 private:
  void add_level(Batch& batch, int t);
  void add_code(int t, std::span<const double> s);
  void write_goal(double* code, std::span<const double> s_f);
  double scaled(std::span<const double> s, int j) const {
    return (s[j] - scales_.mean[j]) / scales_.deviation[j];
  }
  void decide(Batch& batch, int t, MatrixView<const float> p, double temperature,
              RolloutAddress address);

  const PhysicsWorld* world_;
  int threads_;
  Scales scales_;
  PhysicsBody body_;
  Posture start_;
  std::optional<PhysicsEpisodes> episodes_;
  std::shared_ptr<Codes> codes_;  // of the batch that is being sampled
  std::vector<double> goals_;     // (G, goals.D) the codes of the goals that may be conditioned on
  std::vector<int> roots_;        // (B)
  std::vector<int> levels_;       // (B, M)
  std::vector<double> p_;         // (L) work space
};

}  // namespace vic
