#include "eval/survey_json.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/world.h"

namespace vic {
namespace {

SimulatorSpec cheetah_spec() {
  Overrides none;
  return load_simulator("half-cheetah", none)->spec();
}

TEST(SurveyJson, SaysWhatWasCounted) {
  Survey survey;
  survey.add({.displacement = {1, 0.25}, .height = 2, .cell = {2, 0}, .name = "crawls forward"});
  survey.add({.displacement = {-3, -2}, .flips = -2, .cell = {-6, -2}, .name = "2 backflips"});
  const Behaviour flip{.displacement = {-1, 1},
                       .flips = 1,
                       .cell = {-2, 1},
                       .name = "1 forward flip",
                       .kind = 2,
                       .kind_name = "1 forward flip"};
  survey.add(flip);
  survey.add(flip);
  survey.add_failure("bang");
  const Json json = survey_json(cheetah_spec(), survey);
  EXPECT_EQ(json["options"], 4);
  EXPECT_EQ(json["failures"], 1);
  EXPECT_EQ(json["cells"], 3);
  EXPECT_NEAR(json["distance_spread"].get<double>(), std::sqrt(2), 1e-12);
  EXPECT_EQ(json["turns_min"], -2);
  EXPECT_EQ(json["turns_mean"], 0.0625);
  EXPECT_EQ(json["height_max"], 2);
  EXPECT_EQ(json["forward_flips"], 0.5);
  EXPECT_EQ(json["backflips"], 0.25);
  EXPECT_EQ(json["two_turns"], 0.25);
  EXPECT_EQ(json["most_forward_flips"], 1);
  EXPECT_EQ(json["most_backflips"], 2);
  EXPECT_GT(json["H"].get<double>(), 1.0);
  EXPECT_GT(json["ci95"].get<double>(), 0.0);
  EXPECT_EQ(json["behaviours"][0], (Json{{"behaviour", "1 forward flip"},
                                         {"kind", 2},
                                         {"kind_name", "1 forward flip"},
                                         {"options", 2}}));
  EXPECT_EQ(json["cell_list"][0], (Json{{"place", -6}, {"full_turns", -2}, {"options", 1}}));
  EXPECT_EQ(json["coordinates"][0], (Json{{"name", "distance"},
                                          {"unit", "m"},
                                          {"cell", "place"},
                                          {"bin", 0.5},
                                          {"full", nullptr},
                                          {"rotation", false}}));
  EXPECT_EQ(json["coordinates"][1]["full"], 0.9);
}

// numbers that a world does not have are not written
TEST(SurveyJson, HasHeightsAndFlipsWhereThereAreSome) {
  SimulatorSpec spec = cheetah_spec();
  spec.ground = false;
  spec.coordinates[1].rotation = false;
  const Json json = survey_json(spec, Survey{});
  for (const char* key : {"height_max", "forward_flips", "backflips", "two_turns"}) {
    EXPECT_FALSE(json.contains(key)) << key;
  }
}

// a run may be evaluated before any option came through
TEST(SurveyJson, OfNothingIsAllNumbers) {
  Json json = survey_json(cheetah_spec(), Survey{});
  EXPECT_EQ(json["options"], 0);
  EXPECT_EQ(json["H"], 0);
  json.erase("coordinates");
  EXPECT_EQ(json.dump().find("null"), std::string::npos);
}

}  // namespace
}  // namespace vic
