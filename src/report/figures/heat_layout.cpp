// Where the states of a world are drawn.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/figures/heat_figure.h"

namespace vic {
namespace {

constexpr double panel_width = 288;

// no two states beside each other and more of them in every row: the picture of a tree
bool is_tree(const Picture& picture) {
  std::map<int, std::vector<int>> rows;
  for (const Cell& cell : picture.cells) rows[cell.row].push_back(cell.column);
  std::size_t above = 0;
  for (auto& [row, columns] : rows) {
    std::sort(columns.begin(), columns.end());
    if (above == 0 ? columns.size() != 1 : columns.size() <= above) return false;
    for (std::size_t i = 1; i < columns.size(); ++i) {
      if (columns[i] - columns[i - 1] < 2) return false;
    }
    above = columns.size();
  }
  return rows.size() > 1;
}

// each node to the closest one of the row above
void add_edges(HeatLayout& layout, const Picture& picture) {
  for (std::size_t i = 0; i < picture.cells.size(); ++i) {
    int parent = -1, closest = 0;
    for (std::size_t j = 0; j < picture.cells.size(); ++j) {
      if (picture.cells[j].row != picture.cells[i].row - 1) continue;
      const int distance = std::abs(picture.cells[j].column - picture.cells[i].column);
      if (parent < 0 || distance < closest) parent = static_cast<int>(j), closest = distance;
    }
    if (parent >= 0) layout.edges.emplace_back(parent, static_cast<int>(i));
  }
}

// a cell for each state, line by line
HeatLayout layout_of(const std::set<std::string>& states) {
  HeatLayout layout;
  layout.cell = 30;
  const int across = 10;
  int i = 0;
  for (const std::string& state : states) {
    layout.places.push_back({state, 1 + 30 * (i % across + 0.5), 1 + 30 * (i / across + 0.5)});
    ++i;
  }
  layout.width = 30 * std::min(i, across) + 2;
  layout.height = 30 * ((i + across - 1) / across) + 2;
  return layout;
}

// the start, and the likeliest ways; the panels of the series come first
void add_start_and_routes(HeatFigure& figure, const WorldReport& world) {
  HeatLayout& layout = figure.layout;
  std::map<std::string, int> place_of;
  for (const auto& place : layout.places) {
    place_of.emplace(place.state, static_cast<int>(place_of.size()));
  }
  if (world.truth && place_of.contains(world.truth->start)) {
    layout.start = place_of.at(world.truth->start);
  }
  if (layout.round || layout.cell >= smallest_with_number) return;
  auto panel = figure.panels.begin();
  for (const Series& series : world.series) {
    const auto runs = series.finished();
    for (const RunFiles* run : runs) {
      std::vector<int> route;
      for (const std::string& state : run->result->route) {
        if (place_of.contains(state)) route.push_back(place_of.at(state));
      }
      if (route.size() < 2) continue;
      panel->routes.emplace_back("seed " + std::to_string(run->seed), std::move(route));
    }
    if (!runs.empty()) ++panel;
  }
}

}  // namespace

HeatLayout layout_of(const Picture& picture, const std::vector<std::string>& states) {
  if (picture.empty()) return layout_of({states.begin(), states.end()});
  HeatLayout layout;
  std::size_t columns = 1;
  for (const std::string& line : picture.lines) columns = std::max(columns, line.size());
  layout.round = is_tree(picture);
  const double unit = std::clamp(std::floor(panel_width / static_cast<double>(columns)), 5.0, 32.0);
  const double step = layout.round ? std::max(unit, 44.0) : unit;
  layout.cell = layout.round ? std::min(2 * unit - 6, 30.0) : unit;
  // circles reach beyond their column
  const double margin = layout.round ? std::max(1.0, (layout.cell - unit) / 2 + 2) : 1;
  const auto place = [&](int row, int column) {
    return std::pair(margin + unit * (column + 0.5),
                     layout.round ? 1 + layout.cell / 2 + step * row : 1 + step * (row + 0.5));
  };
  std::set<std::pair<int, int>> taken;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto [row, column] = picture.cells[i];
    const auto [x, y] = place(row, column);
    layout.places.push_back({states[i], x, y});
    taken.insert({row, column});
  }
  for (int row = 0; row < static_cast<int>(picture.lines.size()); ++row) {
    for (int column = 0; column < static_cast<int>(picture.lines[row].size()); ++column) {
      if (picture.lines[row][column] == '#' && !taken.contains({row, column})) {
        layout.walls.push_back(place(row, column));
      }
    }
  }
  if (layout.round) add_edges(layout, picture);
  const auto rows = static_cast<double>(picture.lines.size());
  layout.width = unit * static_cast<double>(columns) + 2 * margin;
  layout.height = layout.round ? step * (rows - 1) + layout.cell + 2 : step * rows + 2;
  return layout;
}

HeatFigure heat_figure(const WorldReport& world) {
  HeatFigure figure;
  figure.panels = series_panels(world, [](const FinalValues& run) { return run.p_f; });
  if (world.truth) {
    figure.panels.push_back({"the maximiser of H", -1, {{"mean", world.truth->p_f}}});
    if (world.truth->p_f_at_D_max) {
      figure.panels.push_back({"the maximiser of D", -1, {{"mean", *world.truth->p_f_at_D_max}}});
    }
  }
  if (world.truth && !world.truth->picture.empty()) {
    figure.layout = layout_of(world.truth->picture, world.truth->picture_states);
  } else {
    std::set<std::string> states;
    for (const HeatPanel& panel : figure.panels) {
      for (const auto& [choice, distribution] : panel.choices) {
        for (const auto& [state, p] : distribution) states.insert(state);
      }
    }
    figure.layout = layout_of(states);
  }
  add_start_and_routes(figure, world);
  return figure;
}

std::vector<double> on_layout(const HeatLayout& layout, const Distribution& p) {
  std::map<std::string, double> by_state(p.begin(), p.end());
  std::vector<double> values;
  for (const auto& place : layout.places) {
    const auto found = by_state.find(place.state);
    values.push_back(found == by_state.end() ? 0 : found->second);
  }
  return values;
}

}  // namespace vic
