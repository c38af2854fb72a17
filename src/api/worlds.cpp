// The public worlds (vic/vic.h), as worlds of the registries.
#include <fmt/format.h>
#include <vic/vic.h>

#include <algorithm>

#include "base/random.h"
#include "base/text.h"
#include "sim/world.h"
#include "world/registry.h"

namespace vic::v1 {
namespace {

struct TableSettings {
  int T_max = 0;
  std::string start;

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T_max", T_max, Range{2, 100000}, "actions in an option, the termination included");
    field("start", start, Range{}, "the state every option starts in");
  }
};

void require_name(const std::string& name) {
  if (name.empty() || file_name(name) != name) {
    fail_usage("'{}' cannot be the name of a world; use letters, digits, '-', '_' and '.'.",
               shown(name));
  }
}

// throws if the number is not an index below the size
void require_index(int index, std::size_t size, const char* what) {
  if (index < 0 || static_cast<std::size_t>(index) >= size) {
    fail_usage("There is no {} {}; there are {}, and the first is 0.", what, index, size);
  }
}

void require_shapes(const TableWorld& world) {
  const std::size_t S = world.states.size(), A = world.actions.size();
  if (S == 0 || A == 0) fail_usage("The world {} needs states and actions.", world.name);
  require_index(world.start, S, "state");
  if (!world.reward.empty() && world.reward.size() != S) {
    fail_usage("The world {} has {} rewards; it must have {}, one per state.", world.name,
               world.reward.size(), S);
  }
  if (world.coordinates.size() % S != 0) {
    fail_usage("The world {} has {} coordinates; it must have a multiple of {}, its states.",
               world.name, world.coordinates.size(), S);
  }
  for (const Transition& transition : world.transitions) {
    require_index(transition.from, S, "state");
    require_index(transition.to, S, "state");
    require_index(transition.action, A, "action");
  }
}

TabularWorld built(const TableWorld& world) {
  require_name(world.name);
  require_shapes(world);
  const std::size_t S = world.states.size(), A = world.actions.size();
  const std::size_t d = world.coordinates.size() / S;
  WorldBuilder builder(world.name, world.actions, world.T_max);
  for (std::size_t s = 0; s < S; ++s) {
    const double* at = world.coordinates.data() + s * d;
    const int number = builder.add_state(world.states[s], {at, at + d});
    if (!world.reward.empty()) builder.set_enter_reward(number, world.reward[s]);
  }
  std::vector<std::vector<Outcome>> outcomes(S * A);
  for (const Transition& transition : world.transitions) {
    outcomes[static_cast<std::size_t>(transition.from) * A +
             static_cast<std::size_t>(transition.action)]
        .push_back({transition.to, transition.p});
  }
  for (std::size_t s = 0; s < S; ++s) {
    const auto first = outcomes.begin() + static_cast<std::ptrdiff_t>(s * A);
    const auto last = first + static_cast<std::ptrdiff_t>(A);
    if (std::all_of(first, last, [](const auto& list) { return list.empty(); })) {
      builder.set_absorbing(static_cast<int>(s));
      continue;
    }
    for (auto list = first; list != last; ++list) {
      builder.set_outcomes(static_cast<int>(s), static_cast<int>(list - first), *list);
    }
  }
  return builder.build(world.start);
}

SimulatorSpec spec_of(const std::string& name, const SimulatedWorld& world) {
  SimulatorSpec spec;
  spec.name = name;
  spec.start = world.start();
  spec.T = world.length();
  spec.deterministic = world.deterministic();
  for (std::size_t i = 0; i < spec.start.size(); ++i) {
    spec.state_names.push_back(fmt::format("x{}", i));
  }
  for (const Actuator& actuator : world.actuators()) {
    spec.actuators.push_back({actuator.name, actuator.levels});
  }
  for (const CellAxis& axis : world.cells()) {
    require_index(axis.number, spec.start.size(), "number of the state");
    spec.state_names[static_cast<std::size_t>(axis.number)] = axis.name;
    spec.coordinates.push_back({.name = axis.name,
                                .unit = axis.unit,
                                .bins = {.width = axis.width},
                                .limit = axis.limit,
                                .number = axis.number});
  }
  return spec;
}

class Simulated : public StepSimulator {
 public:
  Simulated(const std::string& name, std::shared_ptr<const SimulatedWorld> world)
      : StepSimulator(spec_of(name, *world)), world_(std::move(world)) {}

  void step(std::span<double> state, std::span<const double> controls,
            const RandomAddress& noise) const override {
    RandomAddress next = noise;
    world_->step(state, controls, [&] {
      // else D, reaching and skills would be evaluated as if nothing was left to chance
      if (spec().deterministic) {
        fail_usage("The world {} draws random numbers in a step; let its deterministic() be false.",
                   spec().name);
      }
      const double u = vic::uniform(next);
      ++next.draw;
      return u;
    });
  }

 private:
  std::shared_ptr<const SimulatedWorld> world_;
};

}  // namespace

void add_world(const TableWorld& world) {
  const auto table = std::make_shared<const TabularWorld>(built(world));
  const TableSettings defaults{.T_max = table->T_max, .start = table->state_names[table->s_0]};
  register_worlds({{.name = world.name,
                    .figure = "-",
                    .summary = fmt::format("a table of {} states", table->S),
                    .settings = [defaults] { return describe("world", defaults); },
                    .make =
                        [defaults, table](Overrides& overrides) {
                          TableSettings settings = defaults;
                          overrides.apply("world", settings);
                          TabularWorld made = started_at(*table, settings.start);
                          made.T_max = settings.T_max;
                          return made;
                        }}});
}

void add_world(const std::string& name, const std::string& summary,
               std::shared_ptr<const SimulatedWorld> world) {
  require_name(name);
  const auto simulator = std::make_shared<const Simulated>(name, std::move(world));
  register_simulators(
      {.name = name,
       .entries = {{.name = name, .figure = "-", .summary = summary}},
       .settings = [](const std::string&) { return std::vector<SettingInfo>(); },
       .load = [simulator](const std::string&, Overrides&, const std::string&) -> SimulatorPtr {
         return simulator;
       }});
}

}  // namespace vic::v1
