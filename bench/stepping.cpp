#include "bench/stepping.h"

#include <memory>

#include "base/process.h"
#include "sim/survey.h"

namespace vic {

Stepping step_shards(const Simulator& world, std::span<const Levels> shards, int threads) {
  const SimulatorSpec& spec = world.spec();
  std::vector<std::unique_ptr<Episodes>> episodes;
  for (const Levels& levels : shards) {
    const auto options = levels.size() / static_cast<std::size_t>(spec.T * spec.F());
    episodes.push_back(world.make_episodes(static_cast<int>(options), 1));
  }
  Stepping stepping;
  const Stopwatch watch;
  run_each(static_cast<int>(shards.size()), threads, [&](int s, int) {
    const std::span<const int> levels(shards[s]);
    const std::size_t step = levels.size() / spec.T;
    for (int t = 0; t < spec.T; ++t) episodes[s]->step(levels.subspan(t * step, step));
  });
  stepping.wall = watch.seconds();
  stepping.processor = watch.processor_seconds();
  for (const auto& shard : episodes) {
    for (int b = 0; b < shard->B(); ++b) {
      const auto state = shard->state(b);
      stepping.end.insert(stepping.end.end(), state.begin(), state.end());
    }
  }
  return stepping;
}

Levels draw_levels(const Simulator& world, int options) {
  const int T = world.spec().T, F = world.spec().F();
  Levels levels(static_cast<std::size_t>(T) * options * F);
  for (int t = 0; t < T; ++t) {
    for (int b = 0; b < options; ++b) {
      random_levels(world, 1, b, t, std::span(levels).subspan((t * options + b) * F, F));
    }
  }
  return levels;
}

std::vector<Levels> cut_levels(const Simulator& world, std::span<const int> levels) {
  constexpr std::size_t shard = 16;  // options
  const auto T = static_cast<std::size_t>(world.spec().T);
  const auto F = static_cast<std::size_t>(world.spec().F());
  const std::size_t options = levels.size() / (T * F);
  std::vector<Levels> shards(options / shard);
  for (std::size_t s = 0; s < shards.size(); ++s) {
    for (std::size_t t = 0; t < T; ++t) {
      const auto own = levels.subspan((t * options + s * shard) * F, shard * F);
      shards[s].insert(shards[s].end(), own.begin(), own.end());
    }
  }
  return shards;
}

}  // namespace vic
