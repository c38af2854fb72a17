#include "report/figures/film_figure.h"

#include <gtest/gtest.h>

#include "eval/films.h"
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
  // eight parts, once in their own frame and once on the path
  EXPECT_EQ(count(svg, "class=\"limb"), 2u * 7 * 8);
  EXPECT_EQ(count(svg, "<circle"), 7u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg, draw_film(film, Form::file));
}

Film film_of_world(const std::string& name, int frames) {
  Overrides none;
  const SimulatorPtr world = load_simulator(name, none);
  const auto viewer = world->make_viewer();
  return film_of(*world, *viewer, random_option(*world, 1, 0), frames);
}

// 13 parts of the ant, each with a shadow; motion into the depth is followed
TEST(Film, OfAnAntIsSeenAtASlantWithItsShadow) {
  const Film film = film_of_world("ant", 5);
  EXPECT_EQ(film.projection.view, FilmView::slanted);
  EXPECT_EQ(film.option.poses[0].size(), 26u);
  const std::string svg = draw_film(film, Form::file);
  EXPECT_EQ(count(svg, "class=\"limb"), 2u * 5 * 26);
  EXPECT_EQ(count(svg, "class=\"limb shadow"), 2u * 5 * 13);
  EXPECT_GT(count(svg, "class=\"metre\""), 20u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  // the point of the ground under a body is at the same height of every frame
  for (std::size_t step : film.frames) {
    const Posture& at = film.option.path[step];
    EXPECT_NEAR(at.z - film.projection.lift(at),
                film.option.path[0].z - film.projection.lift(film.option.path[0]), 1e-12);
  }
}

TEST(Film, OfAPointIsSeenFromAbove) {
  const Film film = film_of_world("point-maze", 4);
  EXPECT_EQ(film.projection.view, FilmView::top);
  // eleven walls and the point, whose start is three metres above the middle of the lower wall, and
  // half a metre above its edge
  ASSERT_EQ(film.option.poses[0].size(), 12u);
  EXPECT_NEAR(film.option.path[0].z, 3.5, 1e-9);
  EXPECT_NEAR(film.option.path[0].x, 0, 1e-9);
  EXPECT_EQ(count(draw_film(film, Form::file), "limb fixed"), 2u * 4 * 11);
}

// films.json is enough to draw the same
TEST(Film, OfThreeDimensionsIsKeptInItsFile) {
  for (const char* name : {"ant", "point-maze"}) {
    Overrides none;
    const SimulatorPtr world = load_simulator(name, none);
    const std::vector<std::vector<double>> options = {random_option(*world, 1, 0)};
    const Json json = films_json(*world, options);
    const FilmReel reel = read_films(FileValue::parse(json.dump(), "films.json"));
    EXPECT_EQ(reel.view, world->spec().view);
    const Film kept = film_of(reel, reel.options[0], 3), seen = film_of_world(name, 3);
    const auto &a = kept.option.poses.back(), &b = seen.option.poses.back();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(a[i].x1, b[i].x1, 3e-3);
      EXPECT_NEAR(a[i].z2, b[i].z2, 3e-3);
    }
    // an unknown view
    Json damaged = json;
    damaged["view"] = "below";
    EXPECT_THROW(read_films(FileValue::parse(damaged.dump(), "films.json")), UsageError);
  }
}

}  // namespace
}  // namespace vic
