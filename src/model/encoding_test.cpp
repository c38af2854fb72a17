#include "model/encoding.h"

#include <gtest/gtest.h>

#include <set>
#include <span>

#include "base/error.h"
#include "support/named_world.h"

namespace vic {
namespace {

std::vector<int> lookup(const Encoding& encoding, int s) {
  const int* begin = &encoding.lookup[s * encoding.K];
  return {begin, begin + encoding.K};
}

std::vector<double> numbers(const Encoding& encoding, int s) {
  const double* begin = &encoding.numbers[s * encoding.D];
  return {begin, begin + encoding.D};
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
    const Encoding encoding = encode_states(world, StateCode::onehot);
    EXPECT_EQ(encoding.K, 1);
    EXPECT_EQ(encoding.D, 0);
    EXPECT_EQ(encoding.table, world.S);
    EXPECT_TRUE(encoding.numbers.empty());
    for (int s = 0; s < world.S; ++s) EXPECT_EQ(lookup(encoding, s), std::vector<int>{s});
  }
}

TEST(Encoding, CoordsFillTheIntervalFromMinusOneToOne) {
  const TabularWorld line = world_named("line"), grid = world_named("grid"),
                     tree = world_named("tree");
  const Encoding on_line = encode_states(line, StateCode::coords);
  EXPECT_EQ(on_line.K, 0);
  EXPECT_EQ(on_line.D, 1);
  EXPECT_EQ(on_line.table, 0);
  for (int x = -4; x <= 4; ++x) {
    const int s = line.find_state(fmt::format("{}", x));
    EXPECT_DOUBLE_EQ(numbers(on_line, s)[0], x / 4.0);
  }
  const Encoding on_grid = encode_states(grid, StateCode::coords);
  EXPECT_EQ(on_grid.D, 2);
  EXPECT_EQ(numbers(on_grid, grid.find_state("-4,4")), (std::vector<double>{-1, 1}));
  EXPECT_EQ(numbers(on_grid, grid.find_state("2,-1")), (std::vector<double>{0.5, -0.25}));
  // the root is in the middle of the leaves, on the first of four levels
  const Encoding on_tree = encode_states(tree, StateCode::coords);
  EXPECT_EQ(numbers(on_tree, tree.find_state("root")), (std::vector<double>{0, -1}));
  EXPECT_EQ(numbers(on_tree, tree.find_state("LLL")), (std::vector<double>{-1, 1}));
  EXPECT_EQ(numbers(on_tree, tree.find_state("RRR")), (std::vector<double>{1, 1}));
}

// states share the row of an axis exactly if they share the coordinate, and no other row
void expect_axes(const TabularWorld& world, const Encoding& encoding) {
  ASSERT_EQ(encoding.K, 1 + world.d);
  std::set<int> seen;
  for (int a = 0; a < world.S; ++a) {
    const std::vector<int> of_a = lookup(encoding, a);
    EXPECT_EQ(of_a[0], a);
    seen.insert(of_a.begin(), of_a.end());
    for (int b = 0; b < world.S; ++b) {
      const std::vector<int> of_b = lookup(encoding, b);
      for (int j = 0; j < world.d; ++j) {
        const double x_a = world.coordinates[a * world.d + j];
        const double x_b = world.coordinates[b * world.d + j];
        EXPECT_EQ(of_a[1 + j] == of_b[1 + j], x_a == x_b);
        EXPECT_EQ(of_a[1 + j] < of_b[1 + j], x_a < x_b);
      }
    }
  }
  // every row of the table is somebody's, and no two columns share one
  EXPECT_EQ(static_cast<int>(seen.size()), encoding.table);
  EXPECT_EQ(*seen.begin(), 0);
  EXPECT_EQ(*seen.rbegin(), encoding.table - 1);
  for (int k = 1; k < encoding.K; ++k) {
    std::set<int> before, column;
    for (int s = 0; s < world.S; ++s) {
      before.insert(lookup(encoding, s)[k - 1]);
      column.insert(lookup(encoding, s)[k]);
    }
    EXPECT_LT(*before.rbegin(), *column.begin());
  }
}

TEST(Encoding, AxesAddARowForEveryValueOnEveryAxis) {
  // 15 nodes of the tree stand on 15 places and 4 levels
  const std::vector<std::pair<const char*, int>> rows = {
      {"line", 9 + 9}, {"grid", 81 + 9 + 9}, {"tree", 15 + 15 + 4}};
  for (const auto& [name, table] : rows) {
    SCOPED_TRACE(name);
    const TabularWorld world = world_named(name);
    const Encoding encoding = encode_states(world, StateCode::axes);
    EXPECT_EQ(encoding.table, table);
    expect_axes(world, encoding);
    // and the coordinates are there as they are in coords
    const Encoding coords = encode_states(world, StateCode::coords);
    EXPECT_EQ(encoding.D, coords.D);
    EXPECT_EQ(encoding.numbers, coords.numbers);
  }
}

TEST(Encoding, RelativeCountsCoordinatesInSteps) {
  const TabularWorld grid = world_named("grid"), rooms = world_named("four-rooms");
  const Encoding on_grid = encode_states(grid, StateCode::relative);
  const Encoding axes = encode_states(grid, StateCode::axes);
  EXPECT_TRUE(on_grid.relative);
  EXPECT_FALSE(axes.relative);
  EXPECT_EQ(on_grid.lookup, axes.lookup);
  EXPECT_EQ(numbers(on_grid, grid.find_state("2,-1")), (std::vector<double>{2, -1}));
  const Encoding on_rooms = encode_states(rooms, StateCode::relative);
  const std::vector<double> below_the_start = numbers(on_rooms, rooms.find_state("4,10"));
  EXPECT_DOUBLE_EQ(below_the_start[0], -8);
  EXPECT_DOUBLE_EQ(below_the_start[1], -2);
  // a long axis keeps within what the nets can take
  Overrides larger({{.key = "world.size", .value = "49", .origin = "test"}});
  const TabularWorld wide = load_world("four-rooms", larger);
  const Encoding on_wide = encode_states(wide, StateCode::relative);
  EXPECT_EQ(numbers(on_wide, wide.find_state("0,48")), (std::vector<double>{-12, 12}));
}

TEST(Encoding, AnAxisWithoutExtentIsZero) {
  WorldBuilder builder("flat", {"go"}, 2);
  for (int s = 0; s < 2; ++s) {
    builder.add_state(fmt::format("s{}", s), {static_cast<double>(s), 5});
    builder.set_outcomes(s, 0, std::vector<Outcome>{{1 - s, 1}});
  }
  const Encoding encoding = encode_states(builder.build(0), StateCode::axes);
  EXPECT_EQ(encoding.numbers, (std::vector<double>{-1, 0, 1, 0}));
}

TEST(Encoding, NeedsCoordinatesOnlyWhereThereIsNothingElse) {
  WorldBuilder builder("nowhere", {"go"}, 2);
  for (int s = 0; s < 2; ++s) {
    builder.add_state(fmt::format("s{}", s), {});
    builder.set_outcomes(s, 0, std::vector<Outcome>{{1 - s, 1}});
  }
  const TabularWorld world = builder.build(0);
  EXPECT_EQ(
      message_of([&] { encode_states(world, StateCode::coords); }),
      "nowhere has no coordinates, and train.encoding = coords is nothing else; take onehot.");
  EXPECT_EQ(encode_states(world, StateCode::axes).table, 2);
  EXPECT_EQ(encode_states(world, StateCode::onehot).table, 2);
}

TEST(Encoding, NamesAreParsedAndMistypedOnesCorrected) {
  EXPECT_EQ(parse_state_code("onehot"), StateCode::onehot);
  EXPECT_EQ(parse_state_code("coords"), StateCode::coords);
  EXPECT_EQ(parse_state_code("axes"), StateCode::axes);
  EXPECT_EQ(parse_state_code("relative"), StateCode::relative);
  EXPECT_EQ(message_of([] { parse_state_code("one-hot"); }),
            "train.encoding = one-hot is not allowed; did you mean onehot?");
  EXPECT_EQ(message_of([] { parse_state_code("embedding"); }),
            "train.encoding = embedding is not allowed; known are onehot, coords, axes and "
            "relative.");
}

}  // namespace
}  // namespace vic
