#include "cli/world_compare.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/json.h"
#include "base/print.h"
#include "sim/survey.h"

namespace vic {
namespace {

struct Difference {
  int option, action;  // where they first differ: the option, and the action before it
  int number;          // index in the state
  double own, other;
};

void require_alike(const SimulatorSpec& world, const SimulatorSpec& other) {
  const auto require = [&](bool same, const char* what) {
    if (same) return;
    fail_usage("{} and {} differ in their {}: there is nothing to compare.", world.name, other.name,
               what);
  };
  require(world.state_names == other.state_names, "states");
  require(world.start == other.start, "first state");
  require(world.T == other.T && world.seconds == other.seconds, "actions and their time");
  require(world.F() == other.F() && world.L() == other.L(), "actuators");
  for (int i = 0; i < world.F(); ++i) {
    require(world.actuators[i].controls == other.actuators[i].controls, "controls");
  }
}

}  // namespace

void compare_worlds(const Simulator& world, const Simulator& other, int options, int seed,
                    const Console& console) {
  const SimulatorSpec& spec = world.spec();
  require_alike(spec, other.spec());
  const auto n = static_cast<std::size_t>(spec.n());
  std::optional<Difference> first;
  double largest = 0;
  for (int b = 0; b < options; ++b) {
    console.stop.check();
    const auto own = random_option(world, static_cast<std::uint64_t>(seed), b);
    const auto theirs = random_option(other, static_cast<std::uint64_t>(seed), b);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i] == theirs[i]) continue;
      largest = std::max(largest, std::abs(own[i] - theirs[i]));
      if (first) continue;
      first = {b, static_cast<int>(i / n), static_cast<int>(i % n), own[i], theirs[i]};
    }
  }
  const auto json = [&]() -> Json {
    return {{"world", spec.name}, {"other", other.spec().name},
            {"options", options}, {"actions", spec.T},
            {"same", !first},     {"largest_difference", largest}};
  };
  console.show(json, [&] {
    print(console.out, "{} and {}: {} options of {} random actions, seed {}\n", spec.name,
          other.spec().name, options, spec.T, seed);
    if (!first) {
      print(console.out, "The same bits in all {} numbers of every state.\n", spec.n());
      return;
    }
    print(console.out,
          "They differ: first in option {} after action {}, where {} is {:.17g} and {:.17g}; by "
          "{:.3g} at most.\n",
          first->option, first->action, spec.state_names[first->number], first->own, first->other,
          largest);
  });
}

}  // namespace vic
