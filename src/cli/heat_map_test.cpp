#include "cli/heat_map.h"

#include <gtest/gtest.h>

#include "world/registry.h"

namespace vic {
namespace {

TEST(HeatMap, PlainDrawsTenthsOnTheMap) {
  Overrides none;
  const TabularWorld line = load_world("line", none);
  std::vector<double> p(9, 0);
  p[0] = 0.5;
  p[4] = 0.25;
  p[8] = 0.01;
  EXPECT_EQ(heat_map(line, p, Palette::plain),
            "  X . . . 5<. . . 1 \n"
            "  1-9, X: tenths of the largest p = 0.5; '.': 0; '<': start\n");
}

TEST(HeatMap, OfNumbersRunsFromTheLeastToTheLargest) {
  Overrides none;
  const TabularWorld line = load_world("line", none);
  std::vector<std::optional<double>> values(9, 2.0);
  values[0] = 1.0;
  values[4] = 1.55;
  values[8].reset();
  EXPECT_EQ(value_map(line, values, Palette::plain),
            "  0 9 9 9 5 9 9 9 . \n"
            "  0-9: from 1.0000 to 2.0000; '.': none\n");
}

TEST(HeatMap, ColourResetsEveryCell) {
  Overrides none;
  const TabularWorld tree = load_world("tree", none);
  const std::string text = heat_map(tree, std::vector(15, 1.0 / 15), Palette::colour);
  std::size_t begun = 0, ended = 0;
  for (std::size_t at = 0; (at = text.find("\x1b[", at)) != std::string::npos; ++at) {
    (text.compare(at, 4, "\x1b[0m") == 0 ? ended : begun) += 1;
  }
  EXPECT_EQ(begun, ended);
  EXPECT_GE(begun, 15u);
}

TEST(HeatMap, WithoutAPictureListsTheLikeliestStates) {
  WorldBuilder builder("pair", {"go"}, 2);
  builder.add_state("home", {});
  builder.add_state("away", {});
  for (int s : {0, 1}) builder.set_outcomes(s, 0, std::vector<Outcome>{{1, 1.0}});
  const std::string text = heat_map(builder.build(0), std::vector{0.25, 0.75}, Palette::plain);
  EXPECT_LT(text.find("away  0.750000"), text.find("home  0.250000"));
}

}  // namespace
}  // namespace vic
