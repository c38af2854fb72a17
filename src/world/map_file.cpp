// World files, form 1: a map, the meanings of its characters, and moves.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/text.h"
#include "world/map.h"
#include "world/world_file.h"

namespace vic {
namespace {

// No map is wider than this, and a step of this size can be added to a coordinate without overflow.
constexpr Range step_range{-1e7, 1e7};

// the meaning of each character, and the name of the start that it marks
struct Legend {
  std::map<char, CellKind> kinds;
  std::map<char, std::string> starts;
};

// the rows of the map, and the line of the file for each
struct Rows {
  std::vector<std::string> text;  // (height)
  std::vector<int> lines;         // (height)
  std::size_t model = 0;          // the first row that is not blank: all must have its width
};

Rows read_rows(const FileValue& map) {
  if (!map.json().is_string()) map.reject("lines of characters between \"\"\" and \"\"\"");
  const std::string text = map.text();
  Rows rows;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    rows.text.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  while (rows.model < rows.text.size() && rows.text[rows.model].empty()) ++rows.model;
  if (rows.model == rows.text.size()) map.reject("lines of characters");

  // count from the end: a line break after the opening quotes cannot be seen here
  const auto breaks = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  const bool on_one_line = map.json().last_line == map.line();
  for (int row = 0; row < static_cast<int>(rows.text.size()); ++row) {
    const int line = on_one_line ? map.line() : map.json().last_line - breaks + row;
    rows.lines.push_back(std::max(map.line(), line));
  }
  return rows;
}

[[noreturn]] void fail_unknown(const FileValue& map, int line, std::size_t column, char c) {
  if (c < ' ' || c > '~') {
    map.fail_at(line,
                "column {} of the map is not a printable ASCII character; only such may be there.",
                column);
  }
  map.fail_at(line, "'{}' in column {} of the map is unknown; add it to [cells].", c, column);
}

// one entry of [cells]
void read_cell(char c, const FileValue& value, Legend& legend) {
  const FileValue& cell = value.table({"wall", "absorbing", "reward", "start"});
  CellKind kind;
  if (const FileValue wall = cell["wall"]) kind.wall = wall.flag();
  for (const char* key : {"absorbing", "reward", "start"}) {
    if (const FileValue other = cell[key]; other && kind.wall) {
      other.fail("a wall cannot have {}; remove wall = true or {}.", key, key);
    }
  }
  if (const FileValue absorbing = cell["absorbing"]) kind.absorbing = absorbing.flag();
  if (const FileValue reward = cell["reward"]) kind.reward = reward.number(reward_range);
  legend.kinds[c] = kind;
  legend.starts.erase(c);
  if (const FileValue start = cell["start"]) {
    const std::string name = start.name();
    for (const auto& [other, other_name] : legend.starts) {
      if (other_name == name) start.reject(fmt::format("another name than that of '{}'", other));
    }
    legend.starts[c] = name;
  }
}

Legend read_legend(const FileValue& cells) {
  Legend legend{.kinds = {{'.', CellKind{}}, {'#', CellKind{.wall = true}}, {'S', CellKind{}}},
                .starts = {{'S', "S"}}};
  if (!cells) return legend;
  for (const auto& [key, value] : cells.entries()) {
    if (key.size() != 1 || key[0] < ' ' || key[0] > '~') {
      value.fail("cells.{} is not one printable ASCII character; write \"G\" = {{ reward = 1 }}.",
                 shown(key));
    }
    read_cell(key[0], value, legend);
  }
  return legend;
}

Move read_move(const FileValue& value) {
  const FileValue& table = value.table({"name", "outcomes"});
  Move move{.name = table["name"].name(), .shifts = {}};
  const FileValue outcomes = table["outcomes"].called(fmt::format("moves.{}.outcomes", move.name));
  double sum = 0;
  for (const FileValue& element :
       outcomes.list("a list such as [{ dx = 1, p = 0.9 }, { p = 0.1 }]")) {
    const FileValue& outcome = element.table({"dx", "dy", "p"});
    Shift shift{.dx = 0, .dy = 0, .p = 1};
    if (const FileValue dx = outcome["dx"]) shift.dx = dx.whole(step_range);
    if (const FileValue dy = outcome["dy"]) shift.dy = dy.whole(step_range);
    if (const FileValue p = outcome["p"]) shift.p = p.number(Range{0, 1});
    sum += shift.p;
    move.shifts.push_back(shift);
  }
  if (!sums_to_one(sum)) {
    outcomes.fail("the outcomes of move {} have p that sum to {}; they must sum to 1.", move.name,
                  sum);
  }
  return move;
}

// the moves of the file; where it lists none, those to the four neighbours, with its noise
std::vector<Move> read_moves(const FileValue& value, const FileValue& noise, std::size_t height) {
  if (!value) {
    const double p = noise ? noise.number(Range{0, 1}) : 0;
    if (height == 1) return noisy_directions({"left", "right"}, p);
    return noisy_directions({"left", "up", "right", "down"}, p);
  }
  if (noise)
    noise.fail("noise belongs to the default moves and this file has [[moves]]; remove one.");
  std::vector<Move> moves;
  std::unordered_set<std::string> names;
  for (const FileValue& element : value.list("a list of at least one [[moves]]")) {
    moves.push_back(read_move(element));
    if (!names.insert(moves.back().name).second) {
      element.fail("moves.name = \"{}\" is there twice; give every move a name of its own.",
                   moves.back().name);
    }
  }
  return moves;
}

// checks the rows, and records the starts and the line of every cell that is not a wall, in reading
// order
void read_cells(const FileValue& value, const Rows& rows, const Legend& legend, MapWorld& map,
                WrittenWorld& written) {
  Cell any;
  const std::size_t width = rows.text[rows.model].size();
  for (std::size_t y = 0; y < rows.text.size(); ++y) {
    const std::string& row = rows.text[y];
    const int line = rows.lines[y];
    for (std::size_t x = 0; x < row.size(); ++x) {
      const auto kind = legend.kinds.find(row[x]);
      if (kind == legend.kinds.end()) fail_unknown(value, line, x + 1, row[x]);
      if (kind->second.wall) continue;
      const Cell cell{static_cast<int>(y), static_cast<int>(x)};
      if (written.lines.empty()) any = cell;
      written.lines.push_back(line);
      const auto start = legend.starts.find(row[x]);
      if (start == legend.starts.end()) continue;
      if (std::ranges::find(written.start_names, start->second) != written.start_names.end()) {
        value.fail_at(line,
                      "column {} of the map has a second '{}'; a start is one cell, give further "
                      "ones characters of their own.",
                      x + 1, row[x]);
      }
      written.start_names.push_back(start->second);
      map.starts.push_back(cell);
    }
    if (row.size() != width) {
      value.fail_at(line, "row {} of the map is {} wide; it must be {} wide, as row {} is.", y + 1,
                    row.size(), width, rows.model + 1);
    }
  }
  if (written.lines.empty()) value.fail("the map is all walls; it needs a cell to stand on.");
  if (map.starts.empty()) map.starts.push_back(any);
}

// reads origin = [x, y]
void read_origin(const FileValue& value, MapWorld& map) {
  if (!value) return;
  const char* allowed = "[x, y], the cell whose coordinates are 0,0";
  const std::vector<FileValue> numbers = value.list(allowed);
  if (numbers.size() != 2) value.reject(allowed);
  map.origin_x = numbers[0].whole(step_range);
  map.origin_y = numbers[1].whole(step_range);
}

}  // namespace

WrittenWorld read_map_form(const FileValue& file, const CommonKeys& common) {
  const FileValue value = file["map"];
  const Legend legend = read_legend(file["cells"]);
  const Rows rows = read_rows(value);
  MapWorld map{.name = common.name,
               .T_max = common.T_max,
               .lines = rows.text,
               .kinds = legend.kinds,
               .moves = read_moves(file["moves"], file["noise"], rows.text.size()),
               .step_reward = common.step_reward,
               .starts = {}};
  read_origin(file["origin"], map);
  WrittenWorld written;
  read_cells(value, rows, legend, map, written);
  std::size_t widest = 1;
  for (const Move& move : map.moves) widest = std::max(widest, move.shifts.size());
  check_size(fmt::format("{}:{}: map", file.path(), value.line()),
             static_cast<double>(written.lines.size()), static_cast<double>(map.moves.size()),
             static_cast<double>(widest));
  written.world = build(map);
  return written;
}

}  // namespace vic
