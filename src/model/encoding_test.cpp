#include "model/encoding.h"

#include <gtest/gtest.h>

#include <set>
#include <span>

#include "base/error.h"
#include "support/named_world.h"

namespace vic {
namespace {

std::vector<int> lookup(const EncodedTable& table, int s) {
  const int K = table.encoding.states.K;
  const int* begin = &table.codes.lookup[s * K];
  return {begin, begin + K};
}

std::vector<double> numbers(const EncodedTable& table, int s) {
  const int D = table.encoding.states.D;
  const double* begin = &table.codes.numbers[s * D];
  return {begin, begin + D};
}

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Encoding, OnehotIsARowForEveryState) {
  for (const char* name : {"line", "grid", "tree"}) {
    const TabularWorld world = world_named(name);
    const EncodedTable table = encode_table(world, StateCode::onehot);
    EXPECT_EQ(table.encoding.states.K, 1);
    EXPECT_EQ(table.encoding.states.D, 0);
    EXPECT_EQ(table.encoding.states.table, world.S);
    EXPECT_TRUE(table.codes.numbers.empty());
    for (int s = 0; s < world.S; ++s) EXPECT_EQ(lookup(table, s), std::vector<int>{s});
  }
}

TEST(Encoding, StepsAreMeasuredInTypicalStepsOfTheWorld) {
  // the steps of the paper's worlds are 1 long already: not a bit may change
  for (const WorldEntry& entry : registry()) {
    if (entry.figure == "ours") continue;
    const TabularWorld world = world_named(entry.name.c_str());
    EXPECT_EQ(encode_table(world, StateCode::axes).codes.coordinates, world.coordinates)
        << entry.name;
  }
  const TabularWorld ferry = world_named(VIC_SOURCE_DIR "/examples/ferry.toml");
  std::vector<double> expected = ferry.coordinates;
  for (double& x : expected) x /= 4;  // of nine steps four are 3 long, four 4 and one 6
  EXPECT_EQ(encode_table(ferry, StateCode::axes).codes.coordinates, expected);
  // where nothing moves there is no step to measure by
  WorldBuilder still("still", {"wait"}, 2);
  still.add_state("here", {7});
  still.set_outcomes(0, 0, std::vector<Outcome>{{0, 1}});
  EXPECT_EQ(encode_table(still.build(0), StateCode::axes).codes.coordinates,
            std::vector<double>{7});
}

TEST(Encoding, CoordsFillTheIntervalFromMinusOneToOne) {
  const TabularWorld line = world_named("line"), grid = world_named("grid"),
                     tree = world_named("tree");
  const EncodedTable on_line = encode_table(line, StateCode::coords);
  EXPECT_EQ(on_line.encoding.states.K, 0);
  EXPECT_EQ(on_line.encoding.states.D, 1);
  EXPECT_EQ(on_line.encoding.states.table, 0);
  for (int x = -4; x <= 4; ++x) {
    const int s = line.find_state(fmt::format("{}", x));
    EXPECT_DOUBLE_EQ(numbers(on_line, s)[0], x / 4.0);
  }
  const EncodedTable on_grid = encode_table(grid, StateCode::coords);
  EXPECT_EQ(on_grid.encoding.states.D, 2);
  EXPECT_EQ(numbers(on_grid, grid.find_state("-4,4")), (std::vector<double>{-1, 1}));
  EXPECT_EQ(numbers(on_grid, grid.find_state("2,-1")), (std::vector<double>{0.5, -0.25}));
  // the root is in the middle of the leaves, on the first of four levels
  const EncodedTable on_tree = encode_table(tree, StateCode::coords);
  EXPECT_EQ(numbers(on_tree, tree.find_state("root")), (std::vector<double>{0, -1}));
  EXPECT_EQ(numbers(on_tree, tree.find_state("LLL")), (std::vector<double>{-1, 1}));
  EXPECT_EQ(numbers(on_tree, tree.find_state("RRR")), (std::vector<double>{1, 1}));
}

// states share the row of an axis exactly if they share the coordinate, and no other row
void expect_axes(const TabularWorld& world, const EncodedTable& table) {
  const CodeShape& states = table.encoding.states;
  ASSERT_EQ(states.K, 1 + world.d);
  std::set<int> seen;
  for (int a = 0; a < world.S; ++a) {
    const std::vector<int> of_a = lookup(table, a);
    EXPECT_EQ(of_a[0], a);
    seen.insert(of_a.begin(), of_a.end());
    for (int b = 0; b < world.S; ++b) {
      const std::vector<int> of_b = lookup(table, b);
      for (int j = 0; j < world.d; ++j) {
        const double x_a = world.coordinates[a * world.d + j];
        const double x_b = world.coordinates[b * world.d + j];
        EXPECT_EQ(of_a[1 + j] == of_b[1 + j], x_a == x_b);
        EXPECT_EQ(of_a[1 + j] < of_b[1 + j], x_a < x_b);
      }
    }
  }
  // every row of the table is used, and no two columns share one
  EXPECT_EQ(static_cast<int>(seen.size()), states.table);
  EXPECT_EQ(*seen.begin(), 0);
  EXPECT_EQ(*seen.rbegin(), states.table - 1);
  for (int k = 1; k < states.K; ++k) {
    std::set<int> before, column;
    for (int s = 0; s < world.S; ++s) {
      before.insert(lookup(table, s)[k - 1]);
      column.insert(lookup(table, s)[k]);
    }
    EXPECT_LT(*before.rbegin(), *column.begin());
  }
}

TEST(Encoding, AxesAddARowForEveryValueOnEveryAxis) {
  // 15 nodes of the tree stand on 15 places and 4 levels
  const std::vector<std::pair<const char*, int>> rows = {
      {"line", 9 + 9}, {"grid", 81 + 9 + 9}, {"tree", 15 + 15 + 4}};
  for (const auto& [name, count] : rows) {
    SCOPED_TRACE(name);
    const TabularWorld world = world_named(name);
    const EncodedTable table = encode_table(world, StateCode::axes);
    EXPECT_EQ(table.encoding.states.table, count);
    expect_axes(world, table);
    // and the coordinates are there as they are in coords
    const EncodedTable coords = encode_table(world, StateCode::coords);
    EXPECT_EQ(table.encoding.states.D, coords.encoding.states.D);
    EXPECT_EQ(table.codes.numbers, coords.codes.numbers);
  }
}

TEST(Encoding, RelativeCountsCoordinatesInSteps) {
  const TabularWorld grid = world_named("grid"), rooms = world_named("four-rooms");
  const EncodedTable on_grid = encode_table(grid, StateCode::relative);
  const EncodedTable axes = encode_table(grid, StateCode::axes);
  EXPECT_TRUE(on_grid.encoding.relative);
  EXPECT_FALSE(axes.encoding.relative);
  EXPECT_EQ(on_grid.codes.lookup, axes.codes.lookup);
  EXPECT_EQ(numbers(on_grid, grid.find_state("2,-1")), (std::vector<double>{2, -1}));
  const EncodedTable on_rooms = encode_table(rooms, StateCode::relative);
  const std::vector<double> below_the_start = numbers(on_rooms, rooms.find_state("4,10"));
  EXPECT_DOUBLE_EQ(below_the_start[0], -8);
  EXPECT_DOUBLE_EQ(below_the_start[1], -2);
  // a long axis stays within the range of the nets
  Overrides larger({{.key = "world.size", .value = "49", .origin = "test"}});
  const TabularWorld wide = load_world("four-rooms", larger);
  const EncodedTable on_wide = encode_table(wide, StateCode::relative);
  EXPECT_EQ(numbers(on_wide, wide.find_state("0,48")), (std::vector<double>{-12, 12}));
}

TEST(Encoding, FinalStatesThatAbsorbShareOutputsOfTheirOwnWhereTheyAreRelative) {
  const TabularWorld world = world_named("rooms-35");
  const SharedClasses classes = state_classes(world, StateCode::relative);
  // two axes of fifteen values, each with 29 differences for either kind
  EXPECT_EQ(classes.width, world.S + 2 * 2 * 29);
  for (Index k = 0; k < classes.K(); ++k) {
    std::set<int> rooms, others;
    for (int s = 0; s < world.S; ++s) {
      (world.absorbing[s] ? rooms : others).insert(classes.name[k * world.S + s]);
    }
    for (int name : rooms) EXPECT_FALSE(others.contains(name));
    EXPECT_LT(*rooms.rbegin() + 14, classes.width);
  }
  // where no state absorbs there is one kind
  const TabularWorld grid = world_named("grid-noisy");
  EXPECT_EQ(state_classes(grid, StateCode::relative).width, grid.S + 2 * 17);
}

TEST(Encoding, AnAxisWithoutExtentIsZero) {
  WorldBuilder builder("flat", {"go"}, 2);
  for (int s = 0; s < 2; ++s) {
    builder.add_state(fmt::format("s{}", s), {static_cast<double>(s), 5});
    builder.set_outcomes(s, 0, std::vector<Outcome>{{1 - s, 1}});
  }
  const EncodedTable table = encode_table(builder.build(0), StateCode::axes);
  EXPECT_EQ(table.codes.numbers, (std::vector<double>{-1, 0, 1, 0}));
}

TEST(Encoding, NeedsCoordinatesOnlyWhereThereIsNothingElse) {
  WorldBuilder builder("nowhere", {"go"}, 2);
  for (int s = 0; s < 2; ++s) {
    builder.add_state(fmt::format("s{}", s), {});
    builder.set_outcomes(s, 0, std::vector<Outcome>{{1 - s, 1}});
  }
  const TabularWorld world = builder.build(0);
  EXPECT_EQ(
      message_of([&] { encode_table(world, StateCode::coords); }),
      "nowhere has no coordinates, and train.encoding = coords is nothing else; take onehot.");
  EXPECT_EQ(encode_table(world, StateCode::axes).encoding.states.table, 2);
  EXPECT_EQ(encode_table(world, StateCode::onehot).encoding.states.table, 2);
}

// in a table an action is one choice, and every state is a goal that is coded as the state is
TEST(Encoding, GoalsOfATableAreItsStatesAndActionsAreTheirOwnNumbers) {
  const TabularWorld world = world_named("grid");
  for (const StateCode code :
       {StateCode::onehot, StateCode::coords, StateCode::axes, StateCode::relative}) {
    const auto [encoding, codes] = encode_table(world, code);
    EXPECT_EQ(encoding.goals.K, encoding.states.K);
    EXPECT_EQ(encoding.goals.table, encoding.states.table);
    EXPECT_EQ(encoding.goals.D, encoding.states.D);
    EXPECT_EQ(encoding.goal_numbers(), encoding.states.D);
    EXPECT_EQ(codes.goal_lookup, codes.lookup);
    EXPECT_EQ(codes.goal_numbers, codes.numbers);
    EXPECT_EQ(encoding.d, world.d);
    EXPECT_EQ(codes.coordinates, world.coordinates);
    EXPECT_EQ(encoding.F, 1);
    EXPECT_EQ(encoding.A, world.A);
    // the last choice ends the option
    EXPECT_EQ(encoding.choices, world.A + 1);
    for (int a = 0; a <= world.A; ++a) {
      EXPECT_EQ(codes.choice(encoding, a, /*f=*/0), a);
      EXPECT_EQ(codes.action_lookup(encoding, a, /*f=*/0), a);
    }
  }
}

// two actuators of three levels each
TEST(Encoding, AnActionOfSeveralFactorsHasARowForEachOfThem) {
  Encoding encoding;
  encoding.F = 2;
  encoding.L = 3;
  Codes codes;
  codes.levels = {0, 1, 2, 0};
  EXPECT_EQ(codes.choice(encoding, /*a=*/0, /*f=*/1), 1);
  EXPECT_EQ(codes.choice(encoding, /*a=*/1, /*f=*/0), 2);
  EXPECT_EQ(codes.action_lookup(encoding, /*a=*/0, /*f=*/0), 0);
  EXPECT_EQ(codes.action_lookup(encoding, /*a=*/0, /*f=*/1), 3 + 1);
  EXPECT_EQ(codes.action_lookup(encoding, /*a=*/1, /*f=*/1), 3 + 0);
  std::vector<int> choices = {7};
  codes.append_choices(choices, encoding, /*a=*/1);
  EXPECT_EQ(choices, (std::vector<int>{7, 2, 0}));
}

StateCode code_named(const std::string& name) {
  StateCode code = StateCode::onehot;
  parse_setting({.key = "train.encoding", .value = name, .origin = "--set"}, {}, code);
  return code;
}

TEST(Encoding, NamesAreParsedAndMistypedOnesMeetTheListOfAll) {
  EXPECT_EQ(code_named("onehot"), StateCode::onehot);
  EXPECT_EQ(code_named("coords"), StateCode::coords);
  EXPECT_EQ(code_named("axes"), StateCode::axes);
  EXPECT_EQ(code_named("relative"), StateCode::relative);
  EXPECT_EQ(message_of([] { code_named("one-hot"); }),
            "--set: train.encoding = one-hot is not allowed; it must be onehot, coords, axes or "
            "relative.");
  EXPECT_EQ(message_of([] { code_named("embedding"); }),
            "--set: train.encoding = embedding is not allowed; it must be onehot, coords, axes or "
            "relative.");
}

}  // namespace
}  // namespace vic
