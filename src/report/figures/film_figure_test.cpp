#include "report/figures/film_figure.h"

#include <gtest/gtest.h>

#include "sim/survey.h"
#include "sim/world.h"
#include "support/count.h"

namespace vic {
namespace {

TEST(Film, ShowsTheFirstAndTheLastMomentAndTheWholePath) {
  Overrides none;
  const SimulatorPtr world = load_simulator("half-cheetah", none);
  const auto viewer = world->make_viewer();
  const auto states = random_option(*world, 1, 0);
  const Film film = film_of(*world, *viewer, states, 10);
  ASSERT_EQ(film.frames.size(), 10u);
  EXPECT_EQ(film.frames.front(), 0u);
  EXPECT_EQ(film.frames.back(), 100u);
  EXPECT_DOUBLE_EQ(100 * film.seconds, 5);
  EXPECT_TRUE(film.rotates);
  EXPECT_EQ(film.option.path.size(), 101u);
  EXPECT_EQ(film.option.path[0].pitch, 0);
  EXPECT_EQ(film.option.path.back().x, states[100 * 18]);
  EXPECT_EQ(film.option.poses[film.frames[4]].size(), 8u);
}

TEST(Film, IsAWholeFileInWhichEveryCapsuleIsDrawn) {
  Overrides none;
  const SimulatorPtr world = load_simulator("half-cheetah", none);
  const auto viewer = world->make_viewer();
  const Film film = film_of(*world, *viewer, random_option(*world, 1, 0), 7);
  const std::string svg = draw_film(film, Form::file);
  EXPECT_TRUE(svg.starts_with("<svg xmlns="));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  // eight parts, once in a frame of their own and once on the path
  EXPECT_EQ(count(svg, "class=\"limb"), 2u * 7 * 8);
  EXPECT_EQ(count(svg, "<circle"), 7u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg, draw_film(film, Form::file));
}

}  // namespace
}  // namespace vic
