// A world of one's own in C++: a river of seven places that carries the swimmer on. It is solved,
// an agent is trained in it and measured, and one of its options is sent to a goal.
#include <vic/vic.h>

#include <algorithm>
#include <cstdio>
#include <exception>

using namespace vic::v1;

namespace {

TableWorld river() {
  TableWorld world{.name = "river", .T_max = 6, .start = 3, .actions = {"up", "down"}};
  const int last = 6;
  for (int place = 0; place <= last; ++place) {
    world.states.push_back(std::to_string(place));
    world.coordinates.push_back(place);
    const int up = std::max(0, place - 1), down = std::min(last, place + 1);
    // against the current it works in six of ten attempts
    world.transitions.push_back({.from = place, .action = 0, .to = up, .p = 0.6});
    world.transitions.push_back({.from = place, .action = 0, .to = down, .p = 0.4});
    world.transitions.push_back({.from = place, .action = 1, .to = down, .p = 1});
  }
  return world;
}

void explore(const std::string& folder) {
  add_world(river());
  const Optima best = exact("river");
  std::printf("H_max %.4f  D_max %.4f\n", best.H_max, best.D_max.value_or(0));

  const TrainedRun run = train("river", folder,
                               {{"train.algorithm", "implicit"},
                                {"train.seed", "1"},
                                {"train.warm_up", "500"},
                                {"train.updates", "2500"}});
  const Measures measures = run.measure();
  std::printf("H %.4f = D %.4f + N %.4f\n", measures.H, *measures.D, *measures.N);

  const Attempt attempt = run.send("1");
  std::printf("to place 1 (success %.3f):", run.success("1"));
  for (const std::string& state : attempt.states) std::printf(" %s", state.c_str());
  std::printf(attempt.reached ? ": reached\n" : ": not reached\n");
}

}  // namespace

int main(int argc, char** argv) try {
  explore(argc > 1 ? argv[1] : "runs/river");
} catch (const std::exception& error) {
  std::fprintf(stderr, "river: %s\n", error.what());
  return 1;
}
