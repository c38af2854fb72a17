// The places at which the states of a world are drawn.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/figures/heat_figure.h"

namespace vic {
namespace {

constexpr double panel_width = 288;

// no two states side by side, and more of them in every row: the picture of a tree
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

// joins each node to the closest one of the row above
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

// a name that fits beside or below a cell
std::string short_name(const std::string& state, std::size_t most) {
  if (state.size() <= most) return state;
  std::size_t end = most - 1;
  // never inside a multi-byte letter
  while (end > 0 && (static_cast<unsigned char>(state[end]) & 0xC0) == 0x80) --end;
  return state.substr(0, end) + "…";
}

// a cell for each state: a few in a column with their names, many line by line
HeatLayout layout_of(const std::set<std::string>& states) {
  HeatLayout layout;
  layout.cell = 30;
  const bool few = states.size() <= 12;
  const int across = few ? 1 : 10;
  int i = 0;
  for (const std::string& state : states) {
    const double x = 1 + 30 * (i % across + 0.5), y = 1 + 30 * (i / across + 0.5);
    layout.places.push_back({state, x, y});
    if (few) layout.labels.push_back({x + 22, y + 4, short_name(state, 24), "start"});
    ++i;
  }
  layout.width = few ? 200 : 30 * std::min(i, across) + 2;
  layout.height = 30 * ((i + across - 1) / across) + 2;
  return layout;
}

// circles at the coordinates, y upward, with names below and lines for the moves
HeatLayout layout_of(const StateGraph& graph) {
  constexpr double side = 44, line = 30;
  Extent across, up;
  for (const auto& place : graph.places) across.hold(place.x), up.hold(place.y);
  HeatLayout layout;
  layout.round = true;
  layout.width = across.high > across.low ? panel_width : 2 * side;
  const double scale =
      across.high > across.low ? (layout.width - 2 * side) / (across.high - across.low) : line;
  // as tall as the coordinates make it, within the limits of a page
  const double height = up.high > up.low ? std::clamp(scale * (up.high - up.low), 60.0, 260.0) : 0;
  layout.height = height + 2 * line + 4;
  std::map<std::string, int> place_of;
  for (const auto& [state, x, y] : graph.places) {
    place_of.emplace(state, static_cast<int>(place_of.size()));
    layout.places.push_back(
        {state, across.high > across.low ? side + scale * (x - across.low) : side,
         line / 2 + 4 + (up.high > up.low ? height * (up.high - y) / (up.high - up.low) : 0)});
  }
  // circles do not touch
  double closest = 34;
  for (std::size_t i = 0; i < layout.places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto &a = layout.places[i], &b = layout.places[j];
      closest = std::min(closest, std::hypot(a.x - b.x, a.y - b.y) - 2);
    }
  }
  layout.cell = std::clamp(closest, 6.0, 30.0);
  for (const auto& [from, to] : graph.moves) {
    if (place_of.contains(from) && place_of.contains(to)) {
      layout.edges.emplace_back(place_of[from], place_of[to]);
    }
  }
  // names, if they do not cover each other
  if (layout.places.size() <= 16) {
    for (const auto& [state, x, y] : layout.places) {
      layout.labels.push_back({x, y + layout.cell / 2 + 13, short_name(state, 14), "middle"});
    }
  }
  return layout;
}

// the start, and the likeliest routes; the panels of the series come first
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
  // circles extend beyond their column
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
  } else if (world.truth && !world.truth->graph.places.empty()) {
    figure.layout = layout_of(world.truth->graph);
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
