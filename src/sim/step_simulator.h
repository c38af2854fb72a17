// Simulators whose next state is a function of the state and the controls: one function is all that
// they have to write.
#pragma once

#include "base/random.h"
#include "sim/simulator.h"

namespace vic {

class StepSimulator : public Simulator {
 public:
  using Simulator::Simulator;

  // Moves `state`, (n), on by one action, the controls of the actuators, (F). Called by several
  // threads at once. A simulator that is not deterministic draws its noise at `noise`, whose .draw
  // is its own. Throws a SimulationError where it cannot go on.
  virtual void step(std::span<double> state, std::span<const double> controls,
                    const RandomAddress& noise) const = 0;

  // They have snapshots: actions taken, then the state.
  std::unique_ptr<Episodes> make_episodes(int B, int threads) const override;
};

}  // namespace vic
