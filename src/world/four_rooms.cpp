// Four rooms joined by doors, Figure 3: 25 x 25, y grows downward. The paper's text gives size,
// starts and T_max; walls and doors are reconstructed. (Here with a side of 13.)
//
//   ......#......
//   ......#......
//   ..1..2#......     1, 2: the two starts, (4,4) and (10,4) on the full map
//   .............     a door
//   ......#......
//   ......#......
//   ###.#####.###
//   ......#......
//   ......#......
//   .............
//   ......#......
//   ......#......
//   ......#......
#include "world/map.h"
#include "world/registry.h"

namespace vic {
namespace {

struct FourRoomsSettings {
  int T_max = 25;
  int size = 25;
  double noise = 0;
  std::string start = "4,4";

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T_max", T_max, Range{2, 100000}, "actions in an option, the termination included");
    field("size", size, Range{13, 10000},
          "cells on a side; 25 has its walls at 12, doors at 6, 18");
    field("noise", noise, Range{0, 1}, "probability that a move stays");
    field("start", start, Range{},
          "the cell x,y every option starts in; the paper's: 4,4 and 10,4");
  }
};

TabularWorld make_four_rooms(const std::string& name, const FourRoomsSettings& settings) {
  const double side = settings.size;
  check_size("world.size", side * side, 4, 2);
  const int wall = settings.size / 2;
  const int doors[] = {wall / 2, wall + wall / 2};
  std::vector<std::string> lines(settings.size, std::string(settings.size, '.'));
  for (int i = 0; i < settings.size; ++i) lines[i][wall] = lines[wall][i] = '#';
  for (int door : doors) lines[door][wall] = lines[wall][door] = '.';
  MapWorld map{.name = name,
               .T_max = settings.T_max,
               .lines = std::move(lines),
               .kinds = {{'.', CellKind{}}, {'#', CellKind{.wall = true}}},
               .moves = sticky_directions({"left", "up", "right", "down"}, settings.noise),
               .starts = {}};
  // on other sizes one of the paper's two starts may be a wall
  for (const Cell cell : {Cell{.row = 4, .column = 4}, Cell{.row = 4, .column = 10}}) {
    if (map.lines[cell.row][cell.column] == '.') map.starts.push_back(cell);
  }
  return started_at(build(map), settings.start);
}

}  // namespace

std::vector<WorldEntry> four_rooms_worlds() {
  return {world_entry<FourRoomsSettings>("four-rooms", "Fig. 3", "four rooms joined by doors",
                                         make_four_rooms, {})};
}

}  // namespace vic
