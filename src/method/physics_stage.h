// Options of a body that MuJoCo simulates. There is no table: the states and actions of a batch are
// numbered as they are met, and no two options share a history.
#pragma once

#include <optional>
#include <vector>

#include "method/stage.h"
#include "world/behaviour.h"
#include "world/physics_episode.h"

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

  void draw(Batch& batch, HistoryInputs<float>& inputs, Predictor& policy,
            std::span<const Beginning> beginnings, RolloutAddress address,
            const LevelVisitor& visit) override;

  const PhysicsWorld& world() const { return *world_; }
  Scales& scales() { return scales_; }

  // The state of a row of the last batch, (n).
  std::span<const double> state(int row) const;

  // The number of a cell; those that are too far out count as the last ones.
  static int number_of(BehaviourCell cell);

 private:
  // metres and turns since the start
  struct Way {
    double distance, turns;
  };
  Way way_to(std::span<const double> s);
  void add_level(Batch& batch, int t);
  void add_code(int t, std::span<const double> s);
  double turn_bin() const { return world_->pitch_bin > 0 ? world_->pitch_bin : 1; }
  void decide(Batch& batch, int t, MatrixView<const float> p, RolloutAddress address);

  const PhysicsWorld* world_;
  int threads_;
  Scales scales_;
  PhysicsBody body_;
  Posture start_;
  std::optional<PhysicsEpisodes> episodes_;
  std::vector<double> met_;  // (R, n) the states of the batch
  std::vector<int> roots_;   // (B)
  std::vector<int> levels_;  // (B, M)
  Queries queries_;
};

}  // namespace vic
