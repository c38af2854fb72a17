#include "eval/films.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/survey.h"
#include "sim/world.h"

namespace vic {
namespace {

Behaviour did(std::string name, int flips, double distance, double height = 0.7) {
  Behaviour behaviour;
  behaviour.name = std::move(name);
  behaviour.flips = flips;
  behaviour.displacement = {distance, static_cast<double>(flips)};
  behaviour.height = height;
  return behaviour;
}

TEST(Films, AreSortedByBehaviourFlipsFirst) {
  const std::vector<Behaviour> options = {did("stays", 0, 0.1),        did("1 forward flip", 1, 2),
                                          did("crawls forward", 0, 1), did("2 forward flips", 2, 1),
                                          did("1 backflip", -1, 0),    did("2 backflips", -2, -1),
                                          did("1 forward flip", 1, 3)};
  EXPECT_EQ(choose_films(options), (std::vector<std::size_t>{5, 3, 4, 6, 1, 2, 0}));
}

TEST(Films, ShowTheExtremesAndFewOfEachBehaviour) {
  std::vector<Behaviour> options;
  for (int i = 0; i < 500; ++i) options.push_back(did("stays", 0, 0.001 * i - 0.25));
  options[77].height = 3;
  options[123].displacement[1] = 0.8;
  options[124].displacement[1] = -0.8;
  const auto few = choose_films(options);
  EXPECT_LE(few.size(), 5 + films_a_behaviour);
  for (std::size_t extreme : {0u, 499u, 77u, 123u, 124u}) {
    EXPECT_EQ(std::count(few.begin(), few.end(), extreme), 1) << extreme;
  }
  // many behaviours: no more than there is room for, with all extremes, and none twice
  for (int k = 1; k < 40; ++k) {
    for (int i = 0; i < 3; ++i) {
      options.push_back(did(std::to_string(k) + " backflips", -k, 0.01 * i));
    }
  }
  const auto many = choose_films(options);
  EXPECT_EQ(many.size(), films_in_all);
  for (std::size_t extreme : {0u, 499u, 77u, 123u}) {
    EXPECT_EQ(std::count(many.begin(), many.end(), extreme), 1) << extreme;
  }
  EXPECT_EQ(options[many[0]].flips, -39);
  EXPECT_TRUE(choose_films({}).empty());
}

TEST(Films, KeepThePosesToTheMillimetre) {
  Overrides shorter({{"world.T", "20", "test"}});
  const SimulatorPtr simulator = load_simulator("half-cheetah", shorter);
  const Simulator& world = *simulator;
  std::vector<std::vector<double>> options;
  for (int b = 0; b < 30; ++b) options.push_back(random_option(world, 1, b));
  const Json json = films_json(world, options);
  EXPECT_EQ(json["world"], "half-cheetah");
  EXPECT_DOUBLE_EQ(json["seconds"].get<double>(), 0.05);
  EXPECT_EQ(json["ground"], true);
  EXPECT_EQ(json["coordinates"][1]["cell"], "full_turns");
  ASSERT_EQ(json["parts"].size(), 8u);
  EXPECT_EQ(json["parts"][0], (Json{{"r", 46}, {"limb", 0}}));
  ASSERT_GE(json["options"].size(), 5u);

  // the farthest forward is among them, and its last pose is as the viewer shows it
  const auto viewer = world.make_viewer();
  std::vector<Behaviour> behaviours;
  for (const auto& states : options) behaviours.push_back(behaviour_of(world, *viewer, states));
  const auto best = std::max_element(
      behaviours.begin(), behaviours.end(),
      [](const Behaviour& a, const Behaviour& b) { return a.displacement[0] < b.displacement[0]; });
  const auto shown = std::max_element(
      json["options"].begin(), json["options"].end(), [](const Json& a, const Json& b) {
        return a["distance"].get<double>() < b["distance"].get<double>();
      });
  EXPECT_NEAR((*shown)["distance"].get<double>(), best->displacement[0], 0.0005001);
  EXPECT_NEAR((*shown)["turns"].get<double>(), best->displacement[1], 0.0005001);
  EXPECT_EQ((*shown)["behaviour"], best->name);
  EXPECT_TRUE((*shown)["caption"].get<std::string>().ends_with(" m high"));
  EXPECT_EQ((*shown)["place"], best->cell[0]);
  EXPECT_EQ((*shown)["full_turns"], best->cell[1]);
  const auto& states = options[static_cast<std::size_t>(best - behaviours.begin())];
  viewer->put(std::span(states).last(world.spec().n()));
  const std::vector<Capsule> capsules = viewer->parts();
  ASSERT_EQ((*shown)["poses"].size(), 21u);
  ASSERT_EQ((*shown)["path"].size(), 21u);
  ASSERT_EQ((*shown)["poses"][20].size(), 32u);
  EXPECT_NEAR((*shown)["poses"][20][4 * 7 + 2].get<double>(), 1000 * capsules[7].x2, 0.5001);
  EXPECT_NEAR((*shown)["poses"][20][4 * 7 + 3].get<double>(), 1000 * capsules[7].z2, 0.5001);
  EXPECT_NEAR((*shown)["path"][20][0].get<double>(), 1000 * viewer->posture().x, 0.5001);
  EXPECT_NEAR((*shown)["path"][20][2].get<double>(), 1000 * best->displacement[1], 0.5001);
  // the result depends on the states alone
  EXPECT_EQ(json.dump(), films_json(world, options).dump());
}

}  // namespace
}  // namespace vic
