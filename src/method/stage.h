// Where options are lived: what the method needs of a world, whatever that is made of.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "method/rollout.h"
#include "method/settings.h"

namespace vic {

class Stage {
 public:
  virtual ~Stage() = default;

  std::string name;
  Encoding states;  // what histories show; see Encoding for how long it holds
  Encoding goals;   // what hindsight is told of s_f
  int A = 0;        // rows of a table that stand for what was done
  int choices = 0;  // classes that a policy decides among, those of all motors together
  int S = 0;        // states; 0 where they cannot be listed
  int cells = 0;    // what final states are counted by: Batch::cell is below

  // Fills `batch` with an option for each beginning, as Rollout::draw does.
  virtual void draw(Batch& batch, HistoryInputs<float>& inputs, const Actor& actor,
                    std::span<const Beginning> beginnings, RolloutAddress address,
                    const LevelVisitor& visit) = 0;
};

// A world with a table. It must outlive the stage.
class TabularStage : public Stage {
 public:
  // Throws a UsageError where train.encoding does not fit the world.
  TabularStage(const TabularWorld& world, const TrainSettings& settings);

  void draw(Batch& batch, HistoryInputs<float>& inputs, const Actor& actor,
            std::span<const Beginning> beginnings, RolloutAddress address,
            const LevelVisitor& visit) override;

 private:
  Rollout rollout_;
};

}  // namespace vic
