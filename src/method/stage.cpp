#include "method/stage.h"

namespace vic {

TabularStage::TabularStage(const TabularWorld& world, const TrainSettings& settings)
    : rollout_(world, states) {
  name = world.name;
  states = encode_states(world, parse_state_code(settings.encoding));
  states.blind = parse_algorithm(settings.algorithm) == Algorithm::open_loop;
  goals = states;
  A = world.A;
  choices = world.A + 1;
  S = cells = world.S;
}

void TabularStage::draw(Batch& batch, HistoryInputs<float>& inputs, const Actor& actor,
                        std::span<const Beginning> beginnings, RolloutAddress address,
                        const LevelVisitor& visit) {
  rollout_.draw(batch, inputs, actor, beginnings, address, visit);
}

}  // namespace vic
