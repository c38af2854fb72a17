#include "sim/enumeration.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"

namespace vic {
namespace {

double move_count(const SimulatorSpec& spec) {
  return std::pow(spec.L(), spec.F());
}

// "+1 -1 0", the controls of a move
std::string move_name(const SimulatorSpec& spec, int move) {
  std::vector<std::string> controls(static_cast<std::size_t>(spec.F()));
  for (int f = spec.F(); f-- > 0; move /= spec.L()) {
    controls[f] = fmt::format("{:g}", spec.actuators[f].controls[move % spec.L()]);
  }
  return joined(controls, " ");
}

std::string cell_name(const SimulatorSpec& spec, const StateCell& cell) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < cell.size(); ++k) {
    parts.push_back(fmt::format("{}={}", spec.coordinates[k].cell_name, cell[k]));
  }
  return joined(parts, ",");
}

// plays all continuations of an episode's actions so far, in the order of their numbers
void play_all(std::vector<std::vector<CellShare>>& ends, const Simulator& simulator,
              Episodes& episode, Viewer& viewer, int t) {
  const SimulatorSpec& spec = simulator.spec();
  if (t == spec.T) {
    const Displacement end = displacement_of(simulator, viewer, episode.state(0));
    ends.push_back({{cell_of(spec, end), 1}});
    return;
  }
  const std::vector<double> here(episode.snapshot(0).begin(), episode.snapshot(0).end());
  std::vector<int> levels(static_cast<std::size_t>(spec.F()), 0);
  for (int move = 0; move < static_cast<int>(move_count(spec)); ++move) {
    for (int f = spec.F(), rest = move; f-- > 0; rest /= spec.L()) levels[f] = rest % spec.L();
    std::copy(here.begin(), here.end(), episode.snapshot(0).begin());
    episode.step(levels);
    play_all(ends, simulator, episode, viewer, t + 1);
  }
}

}  // namespace

double sequence_count(const SimulatorSpec& spec) {
  return std::pow(move_count(spec), spec.T);
}

double history_count(const SimulatorSpec& spec) {
  double sum = 0, level = 1;
  for (int t = 0; t <= spec.T; ++t, level *= move_count(spec)) sum += level;
  return sum;
}

std::vector<int> sequence_levels(const SimulatorSpec& spec, long i) {
  std::vector<int> levels(static_cast<std::size_t>(spec.T) * spec.F());
  for (std::size_t at = levels.size(); at-- > 0; i /= spec.L()) {
    levels[at] = static_cast<int>(i % spec.L());
  }
  return levels;
}

std::vector<std::vector<CellShare>> final_cells_of_all(const Simulator& simulator) {
  const SimulatorSpec& spec = simulator.spec();
  std::vector<std::vector<CellShare>> ends;
  if (spec.deterministic) {
    const auto episode = simulator.make_episodes(/*B=*/1, /*threads=*/1);
    const auto viewer = simulator.make_viewer();
    play_all(ends, simulator, *episode, *viewer, 0);
    return ends;
  }
  for (long i = 0; i < static_cast<long>(sequence_count(spec)); ++i) {
    ends.push_back(simulator.final_cells(sequence_levels(spec, i)));
  }
  return ends;
}

TabularWorld table_of(const Simulator& simulator, double most) {
  const SimulatorSpec& spec = simulator.spec();
  if (sequence_count(spec) > most) {
    fail_usage(
        "{} has {} levels, {} actuators and {} actions: {}^{} sequences, and {:.0f} can be "
        "enumerated; lower world.levels or world.T.",
        spec.name, spec.L(), spec.F(), spec.T, spec.L(), spec.F() * spec.T, most);
  }
  const int A = static_cast<int>(move_count(spec));
  std::vector<std::string> moves;
  for (int a = 0; a < A; ++a) moves.push_back(move_name(spec, a));
  WorldBuilder builder(spec.name, moves, spec.T + 1);
  // the prefixes, level by level: those of a level are consecutive
  std::vector<int> level = {builder.add_state("start", {})};
  for (int t = 1; t < spec.T; ++t) {
    std::vector<int> next;
    for (std::size_t i = 0; i < level.size(); ++i) {
      for (int a = 0; a < A; ++a) {
        next.push_back(builder.add_state(fmt::format("{}:{}", t, next.size()), {}));
        const Outcome certain{next.back(), 1};
        builder.set_outcomes(level[i], a, {&certain, 1});
      }
    }
    level = std::move(next);
  }
  std::map<StateCell, int> ends;
  std::vector<Outcome> outcomes;
  const auto all = final_cells_of_all(simulator);
  for (std::size_t i = 0; i < all.size(); ++i) {
    outcomes.clear();
    for (const auto& [cell, p] : all[i]) {
      const auto [found, is_new] = ends.try_emplace(cell, 0);
      if (is_new) {
        found->second = builder.add_state(cell_name(spec, cell), {});
        builder.set_absorbing(found->second);
      }
      outcomes.push_back({found->second, p});
    }
    builder.set_outcomes(level[i / static_cast<std::size_t>(A)],
                         static_cast<int>(i % static_cast<std::size_t>(A)), outcomes);
  }
  TabularWorld world = builder.build(0);
  world.may_stop = false;
  return world;
}

}  // namespace vic
