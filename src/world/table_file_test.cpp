// Tables of transitions in world files: their meaning, and the errors for mistakes in them.
#include <gtest/gtest.h>

#include "support/world_file_case.h"

namespace vic::table_file_test {
namespace {

// lines are counted from the one with T_max
const std::string small_table = R"(T_max = 3
start = "home"
actions = ["stay", "go"]
states = [
  { name = "home", at = [0, 0] },
  { name = "the sea", at = [1, 0.5], reward = 2 },
  { name = "end", at = [2, 0], absorbing = true },
]
transitions = [
  ["home", "stay", "home"],
  ["home", "go", "the sea", 0.5],
  ["home", "go", "end", 0.5],
  ["the sea", "stay", "the sea", 1],
  ["the sea", "go", "home", 1.0],
]
)";

std::string with(const std::string& from, const std::string& to) {
  return replaced(small_table, from, to);
}

TEST(TableFile, KeepsTheOrderOfStatesAndActions) {
  const TabularWorld world = parse_world(small_table);
  EXPECT_EQ(world.state_names, (std::vector<std::string>{"home", "the sea", "end"}));
  EXPECT_EQ(world.move_names, (std::vector<std::string>{"stay", "go"}));
  EXPECT_EQ(world.s_0, 0);
  EXPECT_EQ(world.starts, std::vector<int>{0});
  EXPECT_TRUE(world.picture.empty());
}

TEST(TableFile, MovesAsTheRowsSay) {
  const TabularWorld world = parse_world(small_table);
  EXPECT_EQ(world.first, (std::vector<int>{0, 1, 3, 4, 5, 5, 5}));
  EXPECT_EQ(world.next, (std::vector<int>{0, 1, 2, 1, 0}));
  EXPECT_EQ(world.p, (std::vector<double>{1, 0.5, 0.5, 1, 1}));
  EXPECT_EQ(world.absorbing, (std::vector<char>{false, false, true}));
  EXPECT_EQ(world.reward(0, 1), 2);
}

TEST(TableFile, ReadsCoordinates) {
  const TabularWorld world = parse_world(small_table);
  EXPECT_EQ(world.d, 2);
  EXPECT_EQ(world.coordinates, (std::vector<double>{0, 0, 1, 0.5, 2, 0}));
}

TEST(TableFile, NeedsNoCoordinates) {
  const TabularWorld world = parse_world(
      "T_max = 3\nstart = 'a'\nactions = ['x']\nstates = [{ name = 'a' }]\n"
      "transitions = [['a', 'x', 'a']]");
  EXPECT_EQ(world.d, 0);
  EXPECT_TRUE(world.coordinates.empty());
}

TEST(TableFile, StartsAtTheFirstOfTheStartsUnlessOneIsChosen) {
  const std::string starts = "starts = [\"the sea\", \"home\"]";
  EXPECT_EQ(parse_world(with("start = \"home\"", starts)).s_0, 1);
  const TabularWorld chosen = parse_world(with("T_max", starts + "\nT_max"));
  EXPECT_EQ(chosen.s_0, 0);
  EXPECT_EQ(chosen.starts, (std::vector<int>{1, 0}));
}

TEST(TableFile, FindsNamesWithSpaces) {
  EXPECT_EQ(parse_world(small_table, {"world.start=the sea"}).s_0, 1);
}

TEST(TableFile, AnswersMistakesInTheStates) {
  const std::string states =
      small_table.substr(small_table.find("states = ["),
                         small_table.find("transitions") - small_table.find("states = ["));
  expect_errors({
      {with(states, ""), "w.toml:1: the file has neither a map nor states; write one of them."},
      {with(states, "states = []\n"),
       "w.toml:4: states = [] is not allowed; it must be a list of "
       "at least one [[states]]."},
      {with("name = \"end\"", "name = \"home\""),
       "w.toml:7: states.name = \"home\" is there twice; every name may be there once."},
      {with("name = \"end\"", "name = \"\""),
       "w.toml:7: states.name = \"\" is not allowed; it must "
       "be text of 1 to 60 bytes without control "
       "characters."},
      {with("at = [1, 0.5]", "at = [1]"),
       "w.toml:6: state the sea has 1 coordinates; it must have "
       "2, as state home has."},
      {with(", at = [1, 0.5]", ""),
       "w.toml:6: state the sea has 0 coordinates; it must have 2, as "
       "state home has."},
      {with("at = [1, 0.5]", "at = [1, inf]"),
       "w.toml:6: states.at = inf is not allowed; it must be a number from -1000000000 to "
       "1000000000."},
      {with("at = [1, 0.5]", "at = []"),
       "w.toml:6: states.at = [] is not allowed; it must be a "
       "list of coordinates such as [0, 1.5]."},
      {with("absorbing = true", "terminal = true"),
       "w.toml:7: there is no key states.terminal; known are name, at, absorbing and reward."},
      {with("  { name = \"home\", at = [0, 0] },\n", "\"home\","),
       "w.toml:5: states = \"home\" is not allowed; it must be a table with the keys name, at, "
       "absorbing, reward."},
      {with("  [\"home\", \"go\", \"end\", 0.5],\n", "  [\"home\", \"go\", \"home\", 0.5],\n"),
       "w.toml:7: absorbing = true at end cannot be reached from any start; open a way to it or "
       "remove it."},
  });
}

TEST(TableFile, AnswersMistakesInTheTransitions) {
  expect_errors({
      {with("  [\"the sea\", \"go\", \"home\", 1.0],\n", ""),
       "w.toml:6: state the sea has no transition for action go; add [\"the sea\", \"go\", TO, "
       "P]."},
      {with("\"the sea\", 0.5]", "\"the sea\", 0.4]"),
       "w.toml:11: the rows [\"home\", \"go\", ...] have p that sum to 0.9; they must sum to 1."},
      {with("\"the sea\", 0.5]", "\"the sea\"]"),
       "w.toml:11: the rows [\"home\", \"go\", ...] have p that sum to 1.5; they must sum to 1."},
      {with("\"the sea\", 0.5]", "\"the sea\", -0.5]"),
       "w.toml:11: p = -0.5 is not allowed; it must be a number from 0 to 1."},
      {with("\"the sea\", 0.5]", "\"the sea\", nan]"),
       "w.toml:11: p = nan is not allowed; it must be a number from 0 to 1."},
      {with("\"the sea\", 0.5]", "\"the see\", 0.5]"),
       "w.toml:11: to = \"the see\" is no state; did you mean the sea?"},
      {with("[\"home\", \"stay\"", "[\"hom\", \"stay\""),
       "w.toml:10: from = \"hom\" is no state; did you mean home?"},
      {with("[\"home\", \"stay\"", "[\"home\", \"jump\\u0007\""),
       "w.toml:10: action = \"jump\\x07\" is no action; known are stay and go."},
      {with("[\"home\", \"stay\", \"home\"]", "[\"home\", \"stay\"]"),
       "w.toml:10: transitions = [...] is not allowed; it must be a row [\"from\", \"action\", "
       "\"to\", p]."},
      {with("[\"home\", \"stay\", \"home\"]", "{ from = \"home\" }"),
       "w.toml:10: transitions = {...} is not allowed; it must be a row [\"from\", \"action\", "
       "\"to\", p]."},
      {with("[\"home\", \"stay\", \"home\"]", "[\"home\", \"stay\", 3]"),
       "w.toml:10: to = 3 is not allowed; it must be text in quotes."},
      {with("[\"home\", \"go\", \"end\", 0.5]", "[\"home\", \"go\", \"the sea\", 0.5]"),
       "w.toml:12: [\"home\", \"go\", \"the sea\"] is on line 11 already; write one row with the "
       "whole p."},
      {with("transitions = [\n", "transitions = [\n  [\"end\", \"stay\", \"end\"],\n"),
       "w.toml:10: state end is absorbing, so nothing leads out of it; remove this row."},
  });
}

TEST(TableFile, AnswersMistakesInActionsAndStarts) {
  expect_errors({
      {with("actions = [\"stay\", \"go\"]\n", ""),
       "w.toml:1: actions is missing; it must be a list of names such as [\"stay\", \"go\"]."},
      {with("[\"stay\", \"go\"]", "[\"stay\", \"go\", \"go\"]"),
       "w.toml:3: actions = \"go\" is there twice; every name may be there once."},
      {with("[\"stay\", \"go\"]", "\"stay\""),
       "w.toml:3: actions = \"stay\" is not allowed; it must be a list of names such as [\"stay\", "
       "\"go\"]."},
      {with("start = \"home\"\n", ""),
       "w.toml:1: no start is given; write start = \"...\", or draw an S on the map."},
      {with("start = \"home\"", "start = \"hme\""),
       "w.toml:2: start = \"hme\" is neither a start nor a state; did you mean home?"},
      {with("start = \"home\"", "start = \"end\""),
       "w.toml:7: absorbing = true at end, a start, leaves no move to make; remove one of the "
       "two."},
      {with("start = \"home\"", "starts = [\"home\", \"home\"]"),
       "w.toml:2: starts = \"home\" is there twice; every name may be there once."},
      {with("start = \"home\"", "starts = [\"hoem\"]"),
       "w.toml:2: starts = \"hoem\" is no state; did you mean home?"},
  });
}

}  // namespace
}  // namespace vic::table_file_test
