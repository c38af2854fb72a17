#include "sim/behaviour.h"

#include <algorithm>

namespace vic {

Behaviour behaviour_of(const Simulator& simulator, Viewer& viewer, std::span<const double> states) {
  const SimulatorSpec& spec = simulator.spec();
  const auto n = static_cast<std::size_t>(spec.n());
  Behaviour behaviour;
  for (std::size_t at = 0; at + n <= states.size(); at += n) {
    viewer.put(states.subspan(at, n));
    const double z = viewer.posture().z;
    behaviour.height = at == 0 ? z : std::max(behaviour.height, z);
  }
  behaviour.displacement.resize(static_cast<std::size_t>(spec.K()));
  viewer.displacement(behaviour.displacement);
  if (const int k = spec.rotation(); k >= 0) {
    behaviour.flips = full_turns(behaviour.displacement[k]);
  }
  behaviour.cell = cell_of(spec, behaviour.displacement);
  simulator.describe(behaviour);
  return behaviour;
}

}  // namespace vic
