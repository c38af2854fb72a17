// Any text is either a world that keeps its promises, or one clean line about what is wrong.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "require.h"
#include "world/world_file.h"

namespace {

using vic::require;

void check(const vic::TabularWorld& world) {
  require(world.S >= 1 && world.A >= 1 && world.T_max >= 2 && world.T_max <= 100000);
  require(world.s_0 >= 0 && world.s_0 < world.S && !world.starts.empty());
  require(static_cast<int>(world.state_names.size()) == world.S);
  require(static_cast<int>(world.first.size()) == world.S * world.A + 1);
  require(static_cast<int>(world.coordinates.size()) == world.S * world.d);
  require(!vic::has_control(world.name) && world.name.find('/') == std::string::npos);
  for (int s = 0; s < world.S; ++s) {
    require(!vic::has_control(world.state_names[s]));
    require(std::isfinite(world.enter_reward[s]));
    for (int i = s * world.A; i < (s + 1) * world.A; ++i) {
      double sum = 0;
      for (int e = world.first[i]; e < world.first[i + 1]; ++e) {
        require(world.next[e] >= 0 && world.next[e] < world.S && world.p[e] > 0);
        sum += world.p[e];
      }
      require(world.absorbing[s] ? sum == 0 : std::abs(sum - 1) < 1e-12);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    vic::Overrides overrides;
    check(vic::parse_world_file(text, "w.toml", overrides));
  } catch (const vic::UsageError& error) {
    const std::string_view message = error.what();
    require(message.starts_with("w.toml") && !vic::has_control(message) && message.size() < 2000);
  }
  return 0;
}
