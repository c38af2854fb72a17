// Maps in world files: their meaning, and the errors for mistakes in them.
#include <gtest/gtest.h>

#include "support/world_file_case.h"
#include "world/registry.h"

namespace vic::map_file_test {
namespace {

// lines are counted from the one with T_max
const std::string small_map = R"(T_max = 4
map = """
#####
#S.G#
#..x#
#####
"""
[cells]
G = { absorbing = true, reward = 10 }
x = { start = "east" }
[[moves]]
name = "left"
outcomes = [{ dx = -1, p = 0.75 }, { p = 0.25 }]
[[moves]]
name = "right"
outcomes = [{ dx = 1 }]
[[moves]]
name = "down"
outcomes = [{ dy = 1 }]
)";

std::string with(const std::string& from, const std::string& to) {
  return replaced(small_map, from, to);
}

TEST(MapFile, NumbersTheCellsThatAreNoWallInReadingOrder) {
  const TabularWorld world = parse_world(small_map);
  EXPECT_EQ(world.name, "w");
  EXPECT_EQ(world.S, 6);
  EXPECT_EQ(world.T_max, 4);
  EXPECT_EQ(world.d, 2);
  EXPECT_EQ(world.state_names,
            (std::vector<std::string>{"1,1", "2,1", "3,1", "1,2", "2,2", "3,2"}));
  EXPECT_EQ(world.picture.lines[1], "#S.G#");
}

TEST(MapFile, KeepsTheOrderOfTheMoves) {
  const TabularWorld world = parse_world(small_map);
  EXPECT_EQ(world.move_names, (std::vector<std::string>{"left", "right", "down"}));
}

TEST(MapFile, MovesAsTheOutcomesSay) {
  const TabularWorld world = parse_world(small_map);
  const int s = world.find_state("2,1");
  const int e = world.begin(s);
  ASSERT_EQ(world.first[world.A * s + 1], e + 2);
  EXPECT_EQ(world.next[e], world.find_state("1,1"));
  EXPECT_EQ(world.p[e], 0.75);
  EXPECT_EQ(world.next[e + 1], s);
  EXPECT_EQ(world.p[e + 1], 0.25);
}

TEST(MapFile, AbsorbsAndPaysAsTheCellsSay) {
  const TabularWorld world = parse_world(with("T_max", "step_reward = -0.5\nT_max"));
  const int goal = world.find_state("3,1");
  EXPECT_TRUE(world.absorbing[goal]);
  EXPECT_EQ(world.begin(goal), world.end(goal));
  EXPECT_EQ(world.reward(world.find_state("2,1"), goal), 9.5);
  EXPECT_TRUE(world.has_reward);
}

TEST(MapFile, StartsAtTheFirstStartInReadingOrder) {
  const TabularWorld world = parse_world(small_map);
  EXPECT_EQ(world.state_names[world.s_0], "1,1");
  EXPECT_EQ(world.starts, (std::vector<int>{world.s_0, world.find_state("3,2")}));
}

TEST(MapFile, StartsWhereTheFileSays) {
  const TabularWorld named = parse_world(with("T_max", "start = \"east\"\nT_max"));
  EXPECT_EQ(named.state_names[named.s_0], "3,2");
  EXPECT_EQ(named.starts.size(), 2U);
  const TabularWorld cell = parse_world(with("T_max", "start = \"2,2\"\nT_max"));
  EXPECT_EQ(cell.state_names[cell.s_0], "2,2");
  EXPECT_EQ(cell.starts.size(), 3U);
}

TEST(MapFile, NeedsNoStartOnTheMapWhereTheFileNamesACell) {
  const TabularWorld world = parse_world(
      "T_max = 3\nmap = '..'\nstart = '1'\nmoves = [{ name = 'left', outcomes = [{ dx = -1 }] }]");
  EXPECT_EQ(world.s_0, 1);
  EXPECT_EQ(world.starts, std::vector<int>{1});
  EXPECT_EQ(world.d, 1);
}

TEST(MapFile, MovesToTheNeighboursWhereTheFileListsNoMoves) {
  const TabularWorld open = parse_world("T_max = 5\nmap = '''\nS..\n...\n...'''");
  EXPECT_EQ(open.move_names, (std::vector<std::string>{"left", "up", "right", "down"}));
  EXPECT_TRUE(open.deterministic());
  const TabularWorld line = parse_world("T_max = 5\nnoise = 0.3\nmap = '.S.'");
  EXPECT_EQ(line.move_names, (std::vector<std::string>{"left", "right"}));
  // the registered grid and line are the same worlds
  Overrides noisy({{.key = "world.noise", .value = "0.3", .origin = "test"},
                   {.key = "world.size", .value = "3", .origin = "test"}});
  const TabularWorld registered = load_world("line", noisy);
  EXPECT_EQ(line.next, registered.next);
  EXPECT_EQ(line.p, registered.p);
}

TEST(MapFile, CountsCoordinatesFromTheOrigin) {
  const TabularWorld world = parse_world(with("T_max", "origin = [2, 1]\nT_max"));
  EXPECT_EQ(world.state_names[world.s_0], "-1,0");
}

TEST(MapFile, TakesAListedCharacterAtItsWord) {
  const TabularWorld world = parse_world(with("[cells]\n", "[cells]\n\"#\" = {}\n"));
  EXPECT_EQ(world.S, 20);
}

TEST(MapFile, ReadsLineBreaksOfEveryKind) {
  std::string text = small_map;
  for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += 2) {
    text.replace(i, 1, "\r\n");
  }
  EXPECT_EQ(parse_world(text).state_names, parse_world(small_map).state_names);
  EXPECT_EQ(parse_world(with("\"\"\"\n#####\n", "\"\"\"#####\n")).S, 6);
}

TEST(MapFile, AnswersMistakesOnTheMap) {
  expect_errors({
      {with("#..x#", "#..x"),
       "w.toml:5: row 3 of the map is 4 wide; it must be 5 wide, as row 1 is."},
      {with("#..x#", "#..x##"),
       "w.toml:5: row 3 of the map is 6 wide; it must be 5 wide, as row 1 is."},
      {with("\"\"\"\n", "\"\"\"\n\n"),
       "w.toml:3: row 1 of the map is 0 wide; it must be 5 wide, as row 2 is."},
      {with("#S.G#\n", "#S.G#\n\n"),
       "w.toml:5: row 3 of the map is 0 wide; it must be 5 wide, as row 1 is."},
      {with("#S.G#", "#S.Q#"),
       "w.toml:4: 'Q' in column 4 of the map is unknown; add it to [cells]."},
      {with("#S.G#", "#S.\tG"),
       "w.toml:4: column 4 of the map is not a printable ASCII character; only such may be there."},
      {with("#S.G#", "#S\xc3\xbcG#"),
       "w.toml:4: column 3 of the map is not a printable ASCII character; only such may be there."},
      {with("#####\n#S.G#\n#..x#\n#####\n", ""),
       "w.toml:2: map = \"\" is not allowed; it must be lines of characters."},
      {with("#####\n#S.G#\n#..x#\n#####\n", "\n\n"),
       "w.toml:2: map = \"\\n\\n\" is not allowed; it must be lines of characters."},
      {with("#####\n#S.G#\n#..x#\n#####\n", "##\n"),
       "w.toml:2: the map is all walls; it needs a cell to stand on."},
      {with("#..x#", "#.Sx#"),
       "w.toml:5: column 3 of the map has a second 'S'; a start is one "
       "cell, give further ones characters of their own."},
      {with("#S.G#", "#S.##"), ""},
      {with("#S.G#", "#S##G"),
       "w.toml:4: reward = 10 at 4,1 cannot be reached from any start; "
       "open a way to it or remove it."},
      {replaced(with("reward = 10", "reward = 0"), "#S.G#", "#S##G"),
       "w.toml:4: absorbing = true at 4,1 cannot be reached from any start; open a way to it or "
       "remove it."},
      {with("map = \"\"\"\n#####\n#S.G#\n#..x#\n#####\n\"\"\"", "map = \"S.\\n.\""),
       "w.toml:2: row 2 of the map is 1 wide; it must be 2 wide, as row 1 is."},
      {with("map = \"\"\"\n#####\n#S.G#\n#..x#\n#####\n\"\"\"", "map = [\"S.\"]"),
       "w.toml:2: map = [...] is not allowed; it must be lines of characters between \"\"\" and "
       "\"\"\"."},
  });
}

TEST(MapFile, AnswersMistakesInTheCells) {
  expect_errors({
      {with("G = { absorbing = true, reward = 10 }", "GG = { reward = 10 }"),
       "w.toml:9: cells.GG is not one printable ASCII character; write \"G\" = { reward = 1 }."},
      {with("G = { absorbing = true, reward = 10 }", "\"\\u001b\" = {}"),
       "w.toml:9: cells.\\x1b is not one printable ASCII character; write \"G\" = { reward = 1 }."},
      {with("G = { absorbing = true, reward = 10 }", "G = 10"),
       "w.toml:9: cells.G = 10 is not allowed; it must be a table with the keys wall, absorbing, "
       "reward, start."},
      {with("absorbing = true", "absorbs = true"),
       "w.toml:9: there is no key cells.G.absorbs; did you mean absorbing?"},
      {with("absorbing = true", "absorbing = 1"),
       "w.toml:9: cells.G.absorbing = 1 is not allowed; it must be true or false."},
      {with("reward = 10", "reward = nan"),
       "w.toml:9: cells.G.reward = nan is not allowed; it must be a number from -1000000000 to "
       "1000000000."},
      {with("reward = 10", "reward = -inf"),
       "w.toml:9: cells.G.reward = -inf is not allowed; it must be a number from -1000000000 to "
       "1000000000."},
      {with("reward = 10", "wall = true"),
       "w.toml:9: a wall cannot have absorbing; remove wall = true or absorbing."},
      {with("start = \"east\"", "start = \"east\", wall = true"),
       "w.toml:10: a wall cannot have start; remove wall = true or start."},
      {with("start = \"east\"", "start = \"east\", absorbing = true"),
       "w.toml:5: absorbing = true at 3,2, a start, leaves no move to make; remove one of the "
       "two."},
      {with("start = \"east\"", "start = \"S\""),
       "w.toml:10: cells.x.start = \"S\" is not allowed; it must be another name than that of "
       "'S'."},
      {with("start = \"east\"", "start = \"a\\nb\""),
       "w.toml:10: cells.x.start = \"a\\nb\" is not allowed; it must be text of 1 to 60 bytes "
       "without control characters."},
      {with("[cells]", "[cell]"), "w.toml:8: there is no key cell; did you mean cells?"},
      {with("[cells]\n", "cells = 1\n[other]\n"),
       "w.toml:9: there is no key other; the closest are name, start and moves."},
  });
}

TEST(MapFile, AnswersMistakesInTheMoves) {
  const std::string moves = small_map.substr(small_map.find("[[moves]]"));
  expect_errors({
      {with("T_max", "noise = 0.1\nT_max"),
       "w.toml:1: noise belongs to the default moves and this file has [[moves]]; remove one."},
      {"T_max = 3\nnoise = 2\nmap = 'S.'\n",
       "w.toml:2: noise = 2 is not allowed; it must be a number from 0 to 1."},
      {with(moves, "[moves]\nleft = 1\n"),
       "w.toml:11: moves = {...} is not allowed; it must be a list of at least one [[moves]]."},
      {with("p = 0.25", "p = 0.2"),
       "w.toml:13: the outcomes of move left have p that sum to 0.95; "
       "they must sum to 1."},
      {with("p = 0.25", "p = -0.25"),
       "w.toml:13: moves.left.outcomes.p = -0.25 is not allowed; it "
       "must be a number from 0 to 1."},
      {with("p = 0.25", "p = \"0.25\""),
       "w.toml:13: moves.left.outcomes.p = \"0.25\" is not allowed; it must be a number from 0 to "
       "1."},
      {with("p = 0.25", "p = 1979-05-27"),
       "w.toml:13: moves.left.outcomes.p = (a date or time) is not allowed; it must be a number "
       "from 0 to 1."},
      {with("dx = -1", "dx = -0.5"),
       "w.toml:13: moves.left.outcomes.dx = -0.5 is not allowed; it "
       "must be a whole number from -10000000 to 10000000."},
      {with("dx = -1", "dx = 9223372036854775807"),
       "w.toml:13: moves.left.outcomes.dx = 9223372036854775807 is not allowed; it must be a whole "
       "number from -10000000 to 10000000."},
      {with("dx = -1", "x = -1"),
       "w.toml:13: there is no key moves.left.outcomes.x; did you mean dx or p?"},
      {with("[{ dx = 1 }]", "[]"),
       "w.toml:16: moves.right.outcomes = [] is not allowed; it must be a list such as [{ dx = 1, "
       "p = 0.9 }, { p = 0.1 }]."},
      {with("outcomes = [{ dx = 1 }]\n", ""),
       "w.toml:14: moves.right.outcomes is missing; it must be a list such as [{ dx = 1, p = 0.9 "
       "}, { p = 0.1 }]."},
      {with("\"right\"", "\"left\""),
       "w.toml:14: moves.name = \"left\" is there twice; give every move a name of its own."},
      {with("name = \"right\"\n", ""),
       "w.toml:14: moves.name is missing; it must be text of 1 to "
       "60 bytes without control characters."},
      {small_map + "start = \"east\"\n",
       "w.toml:20: there is no key moves.start; write start above the first [table] of the file."},
  });
}

TEST(MapFile, AnswersMistakesInStartAndOrigin) {
  expect_errors({
      {with("T_max", "start = \"est\"\nT_max"),
       "w.toml:1: start = \"est\" is neither a start nor a state; did you mean east?"},
      {with("T_max", "start = \"0,0\"\nT_max"),
       "w.toml:1: start = \"0,0\" is neither a start nor a state; known are S, east, 1,1, 2,1, "
       "3,1, "
       "1,2, 2,2 and 3,2."},
      {with("T_max", "start = \"3,1\"\nT_max"),
       "w.toml:5: absorbing = true at 3,1, a start, leaves no move to make; remove one of the "
       "two."},
      {replaced(with("#S.", "#.."), "G#\n#..x", ".#\n#..x"), ""},
      {replaced(with("#S.", "#.."), "#..x", "#..."),
       "w.toml:1: no start is given; write start = \"...\", or draw an S on the map."},
      {with("T_max", "origin = 3\nT_max"),
       "w.toml:1: origin = 3 is not allowed; it must be [x, y], "
       "the cell whose coordinates are 0,0."},
      {with("T_max", "origin = [3]\nT_max"),
       "w.toml:1: origin = [...] is not allowed; it must be "
       "[x, y], the cell whose coordinates are 0,0."},
      {with("T_max", "origin = [3, 1e9]\nT_max"),
       "w.toml:1: origin = 1000000000.0 is not allowed; it must be a whole number from -10000000 "
       "to "
       "10000000."},
  });
}

}  // namespace
}  // namespace vic::map_file_test
