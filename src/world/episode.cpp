#include "world/episode.h"

#include "base/error.h"
#include "base/random.h"

namespace vic {
namespace {

double outcome_probability(const TabularWorld& world, int s, int move, int s_next) {
  for (int e = world.begin(s, move); e < world.end(s, move); ++e) {
    if (world.next[e] == s_next) return world.p[e];
  }
  return 0;
}

}  // namespace

void Episode::step(int action, double u) {
  const TabularWorld& world = *world_;
  if (done_) fail_usage("The episode in {} has ended; begin a new one.", world.name);
  if (action < 0 || action > world.A) {
    fail_usage("{} has no action {}; its actions are 0 to {}.", world.name, action, world.A);
  }
  if (action < world.A && forced()) {
    fail_usage("In state {} of {} only termination, action {}, is left.", world.state_names[state_],
               world.name, world.A);
  }
  if (action == world.A && !forced() && !world.may_stop) {
    fail_usage("In state {} of {} an option may not terminate; world.termination is never.",
               world.state_names[state_], world.name);
  }
  ++actions_taken_;
  if (action == world.A) {
    done_ = true;
    return;
  }
  const int e = world.draw(state_, action, u);
  external_reward_ += world.reward(state_, world.next[e]);
  state_ = world.next[e];
}

std::string draw(const TabularWorld& world, int state, const std::vector<int>& path) {
  std::vector<std::string> lines = world.picture.lines;
  const auto mark = [&](int s, char c) {
    const Cell cell = world.picture.cells[s];
    lines[cell.row][cell.column] = c;
  };
  if (!lines.empty()) {
    for (int s : path) mark(s, '*');
    mark(state, '@');
  }
  std::string text;
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

std::string playthrough(const TabularWorld& world, std::uint64_t seed) {
  Episode episode(world);
  std::string text = fmt::format("world {}, T_max {}, seed {}\n", world.name, world.T_max, seed);
  text += draw(world, episode.state(), {});
  std::vector<int> path;
  while (!episode.forced()) {
    const auto step = static_cast<std::uint32_t>(episode.actions_taken());
    const int s = episode.state();
    const int move = static_cast<int>(world.A * uniform({.seed = seed, .step = step, .draw = 0}));
    episode.step(move, uniform({.seed = seed, .step = step, .draw = 1}));
    path.push_back(s);
    text += fmt::format("t={:<2} {} {} -> {} (p = {:.6g})\n", step, world.state_names[s],
                        world.move_names[move], world.state_names[episode.state()],
                        outcome_probability(world, s, move, episode.state()));
  }
  text += fmt::format("t={:<2} {} terminate\n", episode.actions_taken(),
                      world.state_names[episode.state()]);
  episode.step(world.A, 0);
  text += draw(world, episode.state(), path);
  text += fmt::format("s_f = {}", world.state_names[episode.state()]);
  if (world.has_reward) text += fmt::format(", external reward {:.6g}", episode.external_reward());
  return text + "\n";
}

}  // namespace vic
