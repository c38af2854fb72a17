#include "eval/measures.h"

#include <gtest/gtest.h>

#include <set>

#include "eval/record.h"
#include "support/named_world.h"

namespace vic {
namespace {

TEST(Measures, HaveNamesOfTheirOwnAndColumnsThatAreExplained) {
  std::set<std::string> names;
  for (const Measure& measure : measures()) {
    EXPECT_TRUE(names.insert(measure.name).second) << measure.name;
    EXPECT_EQ(measure.of == 0, measure.value == nullptr) << measure.name;
    EXPECT_TRUE(*measure.column == '\0' || *measure.meaning != '\0') << measure.name;
    EXPECT_STREQ(measures()[measure_index(measure.name)].name, measure.name);
  }
  EXPECT_THROW(measure_index("h"), Error);
}

// what is written is what the list computes, and is found again by name
TEST(Measures, AreWrittenAndReadByTheirNames) {
  const auto world = std::make_shared<const TabularWorld>(world_named("tree-noisy"));
  TrainSettings settings;
  settings.algorithm = "transition";
  Learner learner(make_agent(world.get(), settings));
  for (int i = 0; i < 5; ++i) learner.update();
  const Evaluation evaluation = evaluate(learner, {});
  const Reference reference = find_reference(world, std::vector{0.0, 1.0});
  const Json json = evaluation_json(learner, evaluation, reference);
  int known = 0;
  for (const Measure& measure : measures()) {
    if ((measure.of & Measure::table) == 0) continue;
    const Json value = measure.value({.evaluation = &evaluation,
                                      .reference = &reference,
                                      .survey = nullptr,
                                      .spec = nullptr,
                                      .lambda = 1});
    const std::optional<double> found = number_at(json, measure.name);
    EXPECT_EQ(found.has_value(), !value.is_null()) << measure.name;
    EXPECT_EQ(found, value.is_null() ? std::nullopt : std::optional(value.get<double>()));
    known += found.has_value();
  }
  // D + lambda N and its optimum too: the run's lambda is one of those that were solved
  EXPECT_GE(known, 25);
  EXPECT_DOUBLE_EQ(*number_at(json, "objective"), *evaluation.D + *evaluation.N);
  EXPECT_NEAR(*number_at(json, "objective_max"), reference.exact->H_max.value, 1e-3);
}

// what a survey of simulated options measures
TEST(Measures, OfASurveyAreItsOwn) {
  Survey survey;
  for (int flips : {0, 1, 2, -1, -3}) {
    survey.add({.displacement = {1.5 * flips, 10.0},
                .flips = flips,
                .cell = {flips < 0 ? 1 : 0, 0},
                .name = "any"});
  }
  SimulatorSpec spec;
  spec.coordinates.resize(2);
  spec.coordinates[1].rotation = true;
  const auto value = [&](const char* name) {
    return measures()[measure_index(name)]
        .value({.evaluation = nullptr,
                .reference = nullptr,
                .survey = &survey,
                .spec = &spec,
                .lambda = {}})
        .get<double>();
  };
  EXPECT_EQ(value("cells"), 2);
  EXPECT_DOUBLE_EQ(value("spread"), survey.coordinate(0).spread);
  EXPECT_GT(value("spread"), 1);
  EXPECT_EQ(value("min"), -4.5);
  EXPECT_EQ(value("max"), 3);
  EXPECT_DOUBLE_EQ(value("forward_flips"), 0.4);
  EXPECT_DOUBLE_EQ(value("backflips"), 0.4);
  EXPECT_DOUBLE_EQ(value("two_turns"), 0.4);
  EXPECT_EQ(value("most_forward_flips"), 2);
  EXPECT_EQ(value("most_backflips"), 3);
}

TEST(Measures, MissingIsNothingAndTextIsAnError) {
  const Json json = {{"H", 1.5}, {"D", nullptr}, {"N", "much"}, {"reach", {{"mean", 0.25}}}};
  EXPECT_EQ(number_at(json, "H"), 1.5);
  EXPECT_EQ(number_at(json, "reach.mean"), 0.25);
  for (const char* missing : {"D", "I", "reach.worst", "posterior.pi_q"}) {
    EXPECT_FALSE(number_at(json, missing)) << missing;
  }
  EXPECT_THROW(number_at(json, "N"), JsonError);
}

}  // namespace
}  // namespace vic
