#include "eval/survey_json.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vic {
namespace {

TEST(SurveyJson, TellsWhatWasCounted) {
  Survey survey;
  survey.add({.distance = 1, .height = 2, .cell = {2, 0}, .name = "crawls forward"});
  survey.add({.distance = -3, .flips = -2, .cell = {-6, -2}, .name = "2 backflips"});
  survey.add({.distance = -1, .flips = 1, .cell = {-2, 1}, .name = "1 forward flip"});
  survey.add({.distance = -1, .flips = 1, .cell = {-2, 1}, .name = "1 forward flip"});
  survey.add_failure("bang");
  const Json json = survey_json(survey);
  EXPECT_EQ(json["options"], 4);
  EXPECT_EQ(json["failures"], 1);
  EXPECT_EQ(json["cells"], 3);
  EXPECT_NEAR(json["distance_spread"].get<double>(), std::sqrt(2), 1e-12);
  EXPECT_EQ(json["height_max"], 2);
  EXPECT_EQ(json["forward_flips"], 0.5);
  EXPECT_EQ(json["backflips"], 0.25);
  EXPECT_EQ(json["two_turns"], 0.25);
  EXPECT_EQ(json["most_forward_flips"], 1);
  EXPECT_EQ(json["most_backflips"], 2);
  EXPECT_GT(json["H"].get<double>(), 1.0);
  EXPECT_GT(json["ci95"].get<double>(), 0.0);
  EXPECT_EQ(json["behaviours"][0], (Json{{"behaviour", "1 forward flip"}, {"options", 2}}));
  EXPECT_EQ(json["cell_list"][0], (Json{{"place", -6}, {"turns", -2}, {"options", 1}}));
}

// a run may be judged before any option came through
TEST(SurveyJson, OfNothingIsAllNumbers) {
  const Json json = survey_json(Survey{});
  EXPECT_EQ(json["options"], 0);
  EXPECT_EQ(json["H"], 0);
  EXPECT_EQ(json.dump().find("null"), std::string::npos);
}

}  // namespace
}  // namespace vic
