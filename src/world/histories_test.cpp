#include "world/histories.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "support/named_world.h"
#include "support/options.h"
#include "support/random_world.h"

namespace vic {
namespace {

// a history as plain numbers: s_0, a_0, s_1, ...
using Spelled = std::vector<int>;

Spelled spell(const Histories& tree, int row) {
  Spelled text;
  for (int r : path_to(tree, row)) {
    if (tree.action[r] >= 0) text.push_back(tree.action[r]);
    text.push_back(tree.state[r]);
  }
  return text;
}

// all histories by depth-first search, without levels
void search(const TabularWorld& world, const Spelled& text, std::multiset<Spelled>& all) {
  all.insert(text);
  const int s = text.back(), moves = static_cast<int>(text.size()) / 2;
  if (moves + 1 >= world.T_max) return;
  for (int a = 0; a < world.A; ++a) {
    for (int e = world.first[s * world.A + a]; e < world.first[s * world.A + a + 1]; ++e) {
      Spelled longer = text;
      longer.push_back(a);
      longer.push_back(world.next[e]);
      search(world, longer, all);
    }
  }
}

void expect_all_histories(const TabularWorld& world) {
  SCOPED_TRACE(world.name);
  const Histories tree = *enumerate_histories(world, 1000000);
  std::multiset<Spelled> truth, found;
  search(world, {world.s_0}, truth);
  for (int r = 0; r < tree.rows(); ++r) found.insert(spell(tree, r));
  EXPECT_EQ(found, truth);
  EXPECT_EQ(std::set<Spelled>(found.begin(), found.end()).size(), found.size()) << "not distinct";
}

TEST(Histories, GrowLevelByLevel) {
  Histories tree;
  tree.begin(3);
  EXPECT_EQ(tree.levels(), 1);
  EXPECT_EQ(tree.add(0, 1, 4), 1);
  EXPECT_EQ(tree.add(0, 0, 2), 2);
  EXPECT_EQ(tree.levels(), 1) << "the level is not closed yet";
  tree.close_level();
  EXPECT_EQ(tree.add(2, 1, 3), 3);
  tree.close_level();
  EXPECT_EQ(tree.first, (std::vector<int>{0, 1, 3, 4}));
  EXPECT_EQ(tree.parent, (std::vector<int>{-1, 0, 0, 2}));
  EXPECT_EQ(spell(tree, 3), (Spelled{3, 0, 2, 1, 3}));
  tree.begin(7);
  EXPECT_EQ(tree.rows(), 1) << "begin forgets what was there";
  EXPECT_EQ(tree.state, std::vector<int>{7});
}

TEST(Histories, EnumerationFindsEveryHistoryOnce) {
  for (const char* name : {"line", "line-noisy", "tree", "tree-noisy", "grid"}) {
    expect_all_histories(world_named(name));
  }
  int absorbed = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const TabularWorld world = random_world(seed);
    expect_all_histories(world);
    for (char absorbing : world.absorbing) absorbed += absorbing;
  }
  EXPECT_GT(absorbed, 10) << "no world ended early: the test saw less than it should";
}

TEST(Histories, LevelsAreAsWideAsTheOutcomesSay) {
  const Histories line = *enumerate_histories(world_named("line-noisy"), 1000);
  ASSERT_EQ(line.levels(), 5);
  for (int t = 0; t < 5; ++t) {
    // two moves with two outcomes each
    EXPECT_EQ(line.first[t + 1] - line.first[t], static_cast<int>(std::pow(4, t)));
    for (int r = line.first[t]; r < line.first[t + 1]; ++r) {
      EXPECT_EQ(line.parent[r] < 0, t == 0);
      EXPECT_GE(line.parent[r], t == 0 ? -1 : line.first[t - 1]);
      EXPECT_LT(line.parent[r], line.first[t]);
    }
  }
}

TEST(Histories, ChildrenStandTogetherInTheOrderOfTheTable) {
  const TabularWorld world = world_named("tree-noisy");
  const Histories tree = *enumerate_histories(world, 1000);
  int child = 1;
  for (int r = 0; r < tree.first[tree.levels() - 1]; ++r) {
    const int s = tree.state[r];
    for (int e = world.begin(s); e < world.end(s); ++e, ++child) {
      ASSERT_EQ(tree.parent[child], r);
      EXPECT_EQ(tree.state[child], world.next[e]);
      EXPECT_LT(e, world.first[s * world.A + tree.action[child] + 1]);
      EXPECT_GE(e, world.first[s * world.A + tree.action[child]]);
    }
  }
  EXPECT_EQ(child, tree.rows());
}

TEST(Histories, EnumerationStopsAtItsBudget) {
  const TabularWorld world = world_named("line-noisy");
  const int rows = enumerate_histories(world, 1000000)->rows();
  EXPECT_TRUE(enumerate_histories(world, rows));
  EXPECT_FALSE(enumerate_histories(world, rows - 1));
  EXPECT_FALSE(enumerate_histories(world_named("rooms-35"), 100000));
}

}  // namespace
}  // namespace vic
