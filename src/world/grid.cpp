// The open grid of Figures 1b, 2b and 4b. With T_max = 5 its border is never felt.
//
//   .........   y = -4
//   .........
//   .........
//   .........
//   ....S....   y = 0
//   .........
//   .........
//   .........
//   .........   y = 4
#include "world/map.h"
#include "world/registry.h"

namespace vic {
namespace {

struct GridSettings {
  int T_max = 5;
  int size = 9;
  double noise = 0;
  std::string start = "0,0";

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T_max", T_max, Range{2, 100000}, "actions in an option, the termination included");
    field("size", size, Range{2, 10000}, "cells on a side; the middle one is 0,0");
    field("noise", noise, Range{0, 1}, "probability that a move goes another way, in equal shares");
    field("start", start, Range{}, "the cell x,y every option starts in");
  }
};

TabularWorld make_grid(const std::string& name, const GridSettings& settings) {
  const double side = settings.size;
  check_size("world.size", side * side, 4, 4);
  const int middle = settings.size / 2;
  MapWorld map{.name = name,
               .T_max = settings.T_max,
               .lines = std::vector(settings.size, std::string(settings.size, '.')),
               .kinds = {{'.', CellKind{}}},
               .moves = noisy_directions({"left", "up", "right", "down"}, settings.noise),
               .origin_x = middle,
               .origin_y = middle,
               .starts = {Cell{.row = middle, .column = middle}}};
  return started_at(build(map), settings.start);
}

}  // namespace

std::vector<WorldEntry> grid_worlds() {
  return {world_entry<GridSettings>("grid", "Fig. 1b, 2b", "an open grid", make_grid, {}),
          world_entry<GridSettings>("grid-noisy", "Fig. 4b",
                                    "the grid; a move goes each other way with probability 0.1",
                                    make_grid, {.noise = 0.3})};
}

}  // namespace vic
