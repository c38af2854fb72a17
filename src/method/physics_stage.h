// Options of a body that MuJoCo simulates. There is no table: the states and actions of a batch are
// numbered as they are met, and no two options share a history.
#pragma once

#include <optional>
#include <vector>

#include "method/stage.h"
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

class PhysicsStage : public Stage {
 public:
  // The world must outlive the stage.
  PhysicsStage(const PhysicsWorld& world, const TrainSettings& settings);

  void draw(Batch& batch, HistoryInputs<float>& inputs, const Actor& actor,
            std::span<const Beginning> beginnings, RolloutAddress address,
            const LevelVisitor& visit) override;

  // The goals that options may be told from now on, as states s_f, (G, n): Beginning::told is a
  // number below G. No more of them than T times the options of a batch.
  void tell(std::span<const double> s_f);

  const PhysicsWorld& world() const { return *world_; }
  Scales& scales() { return scales_; }

  // The state of a row of the last batch, (n).
  std::span<const double> state(int row) const;

  // The number of a cell; those that are too far out count as the last ones.
  static int number_of(BehaviourCell cell);

  // From the start to a state.
  Way way_to(std::span<const double> s);

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
  std::vector<double> met_;   // (R, n) the states of the batch
  std::vector<double> told_;  // (G, goals.D) the codes of the goals that may be told
  std::vector<int> roots_;    // (B)
  std::vector<int> levels_;   // (B, M)
  std::vector<double> p_;     // (L) work space
  Queries queries_;
};

}  // namespace vic
