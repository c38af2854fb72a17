// Bounds against the exact values of worlds that are small enough to have them.
#include "oracle/bracket.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "oracle/truth.h"
#include "support/named_world.h"
#include "support/random_world.h"

namespace vic {
namespace {

constexpr double work = 1e8;

void expect_inside(const TabularWorld& world) {
  const Truth truth = find_truth(world, {.gap = 1e-5});
  const Bracket D = bracket_control(world);
  EXPECT_LE(D.low, truth.D_max->value + truth.D_max->gap + 1e-9) << world.name;
  EXPECT_GE(D.high, truth.D_max->value - 1e-9) << world.name;
  const Bracket C = bracket_open_loop(world, D.high, work);
  EXPECT_LE(C.low, truth.C_open->value + truth.C_open->gap + 1e-9) << world.name;
  EXPECT_GE(C.high, truth.C_open->value - 1e-9) << world.name;
}

TEST(Bracket, ContainsTheExactValuesOfTheSmallWorlds) {
  for (const char* name : {"line", "line-noisy", "tree", "tree-noisy", "grid"}) {
    expect_inside(world_named(name));
  }
}

RC_GTEST_PROP(Bracket, ContainsTheExactValuesOfRandomWorlds, ()) {
  expect_inside(random_world(*rc::gen::arbitrary<std::uint64_t>()));
  RC_ASSERT(!testing::Test::HasFailure());
}

// where every state can be reached for certain, both sides are the logarithm of their number
TEST(Bracket, IsTightWithoutNoise) {
  for (const char* name : {"line", "grid", "tree", "four-rooms"}) {
    const TabularWorld world = world_named(name);
    const double closed = std::log(static_cast<double>(world.final_states().size()));
    const Bracket D = bracket_control(world);
    EXPECT_NEAR(D.low, closed, 1e-5) << name;
    EXPECT_NEAR(D.high, closed, 1e-9) << name;
  }
}

// the sequences are those that the exact solver enumerates, so that little is lost from below, and
// one piece that is as long as an option has the bound log sum_f max_x W(f | x) of the channel
TEST(Bracket, OfSequencesIsCloseWhereAllCanBeTried) {
  const TabularWorld world = world_named("line-noisy");
  const Bracket C = bracket_open_loop(world, 10, work);
  EXPECT_GE(C.low, 0.97 * 1.097845);
  double sum = 0;
  std::vector<double> most(world.S, 0);
  for (int code = 0; code < 31; ++code) {
    // all sequences of up to four moves, by their binary digits after the leading one
    std::vector<int> sequence;
    int digits = code + 1;
    for (; digits > 1; digits /= 2) sequence.push_back(digits % 2);
    const std::vector<double> p = follow(world, sequence);
    for (int s = 0; s < world.S; ++s) most[s] = std::max(most[s], p[s]);
  }
  for (double p : most) sum += p;
  EXPECT_NEAR(C.high, std::log(sum), 1e-9);
}

// the numbers of the world that is too large for anything else, kept so that a change is seen
TEST(Bracket, OfTheRooms) {
  const TabularWorld world = world_named("rooms-35");
  const Bracket D = bracket_control(world);
  EXPECT_NEAR(D.low, 4.942436, 1e-5);
  EXPECT_NEAR(D.high, 5.112740, 1e-5);
  const Bracket C = bracket_open_loop(world, D.high, 1e9);
  EXPECT_GT(C.low, 2);
  EXPECT_LT(C.low, C.high);
  EXPECT_LT(C.high, D.high);
}

}  // namespace
}  // namespace vic
