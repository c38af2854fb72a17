// The binary tree of Figures 1c, 2c and 4c. A move goes to a child; at a leaf it stays.
//
//          o            root
//      o       o        L, R
//    o   o   o   o
//   o o o o o o o o     LLL … RRR
#include <fmt/core.h>

#include "world/registry.h"

namespace vic {
namespace {

struct TreeSettings {
  int T_max = 4;
  int depth = 3;
  double noise = 0;
  double swap = 0;
  std::string start = "root";

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T_max", T_max, Range{2, 100000}, "actions in an option, the termination included");
    field("depth", depth, Range{1, 20}, "moves from the root to a leaf");
    field("noise", noise, Range{0, 1}, "probability that a move stays");
    field("swap", swap, Range{0, 1}, "probability that a right that moves goes left instead");
    field("start", start, Range{}, "the node every option starts in: root, L, R, LL, ...");
  }
};

// nodes are numbered level by level: the children of node i are 2 i + 1 and 2 i + 2
TabularWorld make_tree(const std::string& name, const TreeSettings& settings) {
  const int nodes = (2 << settings.depth) - 1;
  check_size("world.depth", nodes, 2, 3);
  WorldBuilder builder(name, {"left", "right"}, settings.T_max);
  Picture picture;
  std::vector<std::string> names;
  for (int i = 0; i < nodes; ++i) {
    int level = 0;
    while ((2 << level) - 1 <= i) ++level;
    const int place = i - ((1 << level) - 1);
    // leaves are 1 apart, and a node stands over the middle of its leaves
    const double span = 1 << (settings.depth - level);
    const double x = (place + 0.5) * span - 0.5;
    names.push_back(i == 0 ? "" : names[(i - 1) / 2] + (i % 2 == 1 ? "L" : "R"));
    builder.add_state(i == 0 ? "root" : names[i], {x, static_cast<double>(level)});
    // twice the leaf distance, so that nodes between two leaves have their own columns
    picture.cells.push_back({level, static_cast<int>(2 * x)});
  }
  picture.lines.assign(settings.depth + 1, std::string((2 << settings.depth) - 1, ' '));
  for (const Cell& cell : picture.cells) picture.lines[cell.row][cell.column] = 'o';

  for (int i = 0; i < nodes; ++i) {
    const bool leaf = 2 * i + 1 >= nodes;
    const int left = leaf ? i : 2 * i + 1, right = leaf ? i : 2 * i + 2;
    const double moves = 1 - settings.noise;
    const Outcome stay{i, settings.noise};
    builder.set_outcomes(i, 0, std::vector<Outcome>{{left, moves}, stay});
    builder.set_outcomes(
        i, 1,
        std::vector<Outcome>{
            {left, moves * settings.swap}, {right, moves * (1 - settings.swap)}, stay});
  }
  builder.set_picture(std::move(picture));
  return started_at(builder.build(0), settings.start);
}

}  // namespace

std::vector<WorldEntry> tree_worlds() {
  return {world_entry<TreeSettings>("tree", "Fig. 1c, 2c", "a binary tree", make_tree, {}),
          world_entry<TreeSettings>("tree-noisy", "Fig. 4c",
                                    "the tree; right mostly goes left, and moves may fail",
                                    make_tree, {.noise = 0.2, .swap = 0.75})};
}

}  // namespace vic
