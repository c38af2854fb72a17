// World files as a whole: what both forms share, settings, sizes and the examples.
#include "world/world_file.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"
#include "support/world_file_case.h"

namespace vic {
namespace {

const std::string moves = "[[moves]]\nname = \"right\"\noutcomes = [{ dx = 1 }]\n";
const std::string corridor =
    "T_max = 4\nmap = \"S..e\"\n" + moves + "[cells]\ne = { start = \"far\" }\n";

std::string with(const std::string& from, const std::string& to) {
  return replaced(corridor, from, to);
}

TabularWorld load(const std::string& path) {
  Overrides overrides;
  return load_world_file(path, overrides);
}

// the error of load_world_file for a path
std::string error_of_path(const std::string& path) {
  try {
    load(path);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

// the invariants of any world, whatever it was read from
void expect_sound(const TabularWorld& world) {
  ASSERT_GE(world.S, 1);
  ASSERT_GE(world.A, 1);
  ASSERT_GE(world.T_max, 2);
  ASSERT_EQ(static_cast<int>(world.state_names.size()), world.S);
  ASSERT_TRUE(world.s_0 >= 0 && world.s_0 < world.S);
  ASSERT_EQ(static_cast<int>(world.first.size()), world.S * world.A + 1);
  for (int i = 0; i < world.S * world.A; ++i) {
    if (world.absorbing[i / world.A]) continue;
    double sum = 0;
    for (int e = world.first[i]; e < world.first[i + 1]; ++e) sum += world.p[e];
    ASSERT_NEAR(sum, 1, 1e-12);
  }
}

TEST(WorldFile, IsNamedAfterTheFileUnlessItSaysOtherwise) {
  Overrides overrides;
  EXPECT_EQ(parse_world_file(corridor, "some/where/my maze.v2.toml", overrides).name, "my-maze.v2");
  EXPECT_EQ(parse_world(with("T_max", "name = \"Long-corridor_4\"\nT_max")).name,
            "Long-corridor_4");
}

TEST(WorldFile, TakesSettingsFromTheCommandLine) {
  const TabularWorld world = parse_world(corridor, {"world.T_max=9", "world.start=far"});
  EXPECT_EQ(world.T_max, 9);
  EXPECT_EQ(world.s_0, 3);
  EXPECT_EQ(world.starts, (std::vector<int>{0, 3}));
  EXPECT_EQ(parse_world(corridor, {"world.start=2"}).s_0, 2);
}

TEST(WorldFile, AnswersWrongSettings) {
  EXPECT_EQ(error_of(corridor, {"world.T_max=1"}),
            "--set: world.T_max = 1 is not allowed; it must be a whole number from 2 to 100000.");
  EXPECT_EQ(
      error_of(corridor, {"world.start=fra\n"}),
      "w.toml: world.start = fra\\n is neither a start nor a state; known are S, far, 0, 1, 2 "
      "and 3.");
  EXPECT_EQ(error_of(corridor, {"world.noise=0.5"}),
            "--set: there is no setting world.noise; known are world.T_max and world.start.");
}

TEST(WorldFile, AnswersMistakesThatBothFormsShare) {
  const std::string one_to_sixty = "text of 1 to 60 bytes without control characters.";
  expect_errors({
      {"", "w.toml:1: T_max is missing; it must be a whole number from 2 to 100000."},
      {"T_max = 5", "w.toml:1: the file has neither a map nor states; write one of them."},
      {with("T_max = 4", "T_max = 1"),
       "w.toml:1: T_max = 1 is not allowed; it must be a whole number from 2 to 100000."},
      {with("T_max = 4", "T_max = 100001"),
       "w.toml:1: T_max = 100001 is not allowed; it must be a whole number from 2 to 100000."},
      {with("T_max = 4", "T_max = 4.0"),
       "w.toml:1: T_max = 4.0 is not allowed; it must be a whole number from 2 to 100000."},
      {with("T_max = 4", "T_max = \"" + std::string(1000, 'x') + "\""),
       "w.toml:1: T_max = \"" + std::string(60, 'x') +
           "...\" is not allowed; it must be a whole number from 2 to 100000."},
      {with("T_max", "tmax"), "w.toml:1: there is no key tmax; did you mean T_max?"},
      {with("T_max", "\"T_\\u001b[31m\\n\""),
       "w.toml:1: there is no key T_\\x1b[31m\\n; the closest are T_max, name and start."},
      {with("T_max", "name = \"../x\"\nT_max"),
       "w.toml:1: name = \"../x\" is not allowed; it must be made of letters, digits and - _ . + "
       "and not begin with a dot."},
      {with("T_max", "name = \"\"\nT_max"),
       "w.toml:1: name = \"\" is not allowed; it must be " + one_to_sixty},
      {with("T_max", "step_reward = true\nT_max"),
       "w.toml:1: step_reward = true is not allowed; it must be a number from -1000000000 to "
       "1000000000."},
      {with("T_max", "start = 3\nT_max"),
       "w.toml:1: start = 3 is not allowed; it must be " + one_to_sixty},
      {with("T_max", "states = []\nT_max"),
       "w.toml:1: states belongs to a table of transitions and this file has a map; remove one."},
      {with("map = \"S..e\"\n", ""),
       "w.toml:5: cells belongs to a map and this file has none; write map = \"\"\"...\"\"\"."},
      {with("map", "map = 1\nmap"),
       "w.toml:3: this is not TOML: Error while parsing key-value "
       "pair: cannot redefine existing integer 'map'."},
      {"T_max = \n",
       "w.toml:1: this is not TOML: Error while parsing key-value pair: expected "
       "value, saw '\\n'."},
      {"T_max = \"\xff\"\n", "w.toml is not a text file in UTF-8, and so no TOML."},
      {"a.b.c.d.e.f.g.h.i = 1\n",
       "w.toml:1: a key has more than 8 parts with dots between them; use fewer."},
  });
}

TEST(WorldFile, AnswersPathsThatAreNoFiles) {
  EXPECT_EQ(error_of_path("/no/such.toml"),
            "Cannot open /no/such.toml: No such file or directory.");
  EXPECT_EQ(error_of_path(VIC_SOURCE_DIR),
            std::string(VIC_SOURCE_DIR) + " is a folder; give the path of a file.");
}

TEST(WorldFile, SurvivesDeepNesting) {
  constexpr int deep = 100000;
  std::string dotted = "a";
  for (int i = 0; i < deep; ++i) dotted += ".a";
  EXPECT_NE(error_of(dotted + " = 1"), "");
  EXPECT_NE(error_of("[" + dotted + "]"), "");
  EXPECT_NE(error_of("x = '''''' \n[" + dotted + "]"), "");
  EXPECT_NE(error_of("map = " + std::string(deep, '[')), "");
}

TEST(WorldFile, ReadsAMapOfAMillionCells) {
  std::string text = "T_max = 4\nmap = \"\"\"\n";
  for (int y = 0; y < 1000; ++y) text += (y == 0 ? 'S' : '.') + std::string(999, '.') + '\n';
  EXPECT_EQ(parse_world(text + "\"\"\"\n" + moves).S, 1000000);
}

TEST(WorldFile, RefusesMoreStatesThanAreAllowed) {
  const std::string text = "T_max = 4\nmap = \"S" + std::string(3000000, '.') + "\"\n" + moves;
  EXPECT_EQ(error_of(text),
            "w.toml:2: map makes 3000001 states and up to 3000001 transitions; at "
            "most 2097152 and 33554432 are allowed.");
}

TEST(WorldFile, ReadsTheExamples) {
  const TabularWorld rooms = load(VIC_SOURCE_DIR "/examples/two-rooms.toml");
  EXPECT_EQ(rooms.name, "two-rooms");
  EXPECT_EQ(rooms.state_names[rooms.s_0], "-5,0");
  EXPECT_EQ(rooms.starts.size(), 2U);
  expect_sound(rooms);
  const TabularWorld ferry = load(VIC_SOURCE_DIR "/examples/ferry.toml");
  EXPECT_EQ(ferry.name, "ferry");
  EXPECT_EQ(ferry.d, 2);
  expect_sound(ferry);
}

TEST(WorldFile, ReadsWhatTheDocsShow) {
  const std::string docs = read_file(VIC_SOURCE_DIR "/docs/world-files.md");
  const std::string open = "```toml\n", close = "```\n";
  int shown_files = 0;
  for (std::size_t at = docs.find(open); at != std::string::npos; at = docs.find(open, at + 1)) {
    const std::size_t begin = at + open.size();
    const std::string text = docs.substr(begin, docs.find(close, begin) - begin);
    EXPECT_EQ(error_of(text), "") << text;
    ++shown_files;
  }
  EXPECT_EQ(shown_files, 3);
}

}  // namespace
}  // namespace vic
