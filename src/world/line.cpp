// The line of Figures 1a, 2a and 4a. With T_max = 5 its ends are never felt.
//
//   ....S....
//  -4   0   4
#include "world/map.h"
#include "world/registry.h"

namespace vic {
namespace {

struct LineSettings {
  int T_max = 5;
  int size = 9;
  double noise = 0;
  std::string start = "0";

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T_max", T_max, Range{2, 100000}, "actions in an option, the termination included");
    field("size", size, Range{2, 1000000}, "number of positions; the middle one is 0");
    field("noise", noise, Range{0, 1}, "probability that a move goes the other way");
    field("start", start, Range{}, "the position every option starts in");
  }
};

TabularWorld make_line(const std::string& name, const LineSettings& settings) {
  check_size("world.size", settings.size, 2, 2);
  MapWorld map{.name = name,
               .T_max = settings.T_max,
               .lines = {std::string(settings.size, '.')},
               .kinds = {{'.', CellKind{}}},
               .moves = noisy_directions({"left", "right"}, settings.noise),
               .origin_x = settings.size / 2,
               .starts = {Cell{.row = 0, .column = settings.size / 2}}};
  return started_at(build(map), settings.start);
}

}  // namespace

std::vector<WorldEntry> line_worlds() {
  return {world_entry<LineSettings>("line", "Fig. 1a, 2a", "a line of positions", make_line, {}),
          world_entry<LineSettings>("line-noisy", "Fig. 4a",
                                    "the line; a move goes the other way with probability 0.3",
                                    make_line, {.noise = 0.3})};
}

}  // namespace vic
