// vic reach as users meet it.
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json.h"
#include "support/program_run.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

std::string sentence(const std::vector<std::string>& arguments) {
  const Result result = run(arguments);
  EXPECT_EQ(result.code, exit_usage) << result.out;
  return result.err;
}

TEST(ReachCommand, DistinguishesWrongGoals) {
  const FixtureFolder folder("reach");
  const std::string mine = folder / "mine";
  ASSERT_EQ(run({"train", "four-rooms", "--algorithm", "implicit", "--updates", "2", "--out", mine,
                 "--set", "train.batch=8", "--set", "train.warm_up=1", "--set", "train.hidden=8"})
                .code,
            exit_done);
  const auto to = [&](const char* goal) { return sentence({"reach", mine, "--goal", goal}); };
  EXPECT_NE(to("12,0").find("The goal 12,0 is a wall of four-rooms"), std::string::npos)
      << to("12,0");
  EXPECT_NE(to("99,0").find("The goal 99,0 is outside the map of four-rooms"), std::string::npos);
  EXPECT_NE(to("24,24").find("out of reach"), std::string::npos);
  EXPECT_NE(to("4.4,5").find("The goal 4.4,5 lies between the states of four-rooms; the closest "
                             "is 4,5."),
            std::string::npos)
      << to("4.4,5");
  EXPECT_NE(to("kitchen").find("kitchen"), std::string::npos);
  EXPECT_EQ(run({"reach", mine, "--goal", "4.0,5.0", "--set", "reach.options=2"}).code, exit_done);
  EXPECT_EQ(sentence({"reach", mine}),
            "vic: vic reach needs a goal: use either --goal GOAL or --all.\n");
  EXPECT_EQ(sentence({"reach", mine, "--goal", "4,5", "--svg", folder / "film.svg"}),
            "vic: --svg needs a simulated world; four-rooms is a table of states.\n");
}

// vic reach, with few options
Result reach(std::vector<std::string> words) {
  words.insert(words.begin(), "reach");
  words.insert(words.end(), {"--set", "reach.survey=100"});
  return run(words);
}

TEST(ReachCommand, ReachesPointsInSimulatedWorlds) {
  const FixtureFolder folder("reach_simulator");
  const std::string pendulum = std::string(VIC_SOURCE_DIR) + "/examples/pendulum.xml";
  for (const char* algorithm : {"implicit", "marginal"}) {
    ASSERT_EQ(run({"train", pendulum, "--algorithm", algorithm, "--updates", "2", "--out",
                   folder / algorithm, "--set", "world.T=6", "--set", "train.batch=8", "--set",
                   "train.warm_up=1", "--set", "train.hidden=8", "--set", "eval.survey=100"})
                  .code,
              exit_done);
  }
  const std::string implicit = folder / "implicit", free = folder / "marginal";
  const std::string film = folder / "film.svg";
  const Result one = reach({implicit, "--goal", "distance=0.1", "--json", "--svg", film});
  ASSERT_EQ(one.code, exit_done) << one.err;
  const Json json = Json::parse(one.out);
  EXPECT_EQ(json["goal"], (Json{{"distance", 0.1}, {"turns", nullptr}}));
  EXPECT_EQ(json["options"], 128);
  EXPECT_TRUE(json["in_reach"].get<bool>());
  EXPECT_NEAR(json["closest"]["distance"].get<double>(), 0.1, 0.1);
  EXPECT_LE(json["success_low"].get<double>(), json["success"].get<double>());
  EXPECT_GE(json["success_high"].get<double>(), json["success"].get<double>());
  EXPECT_TRUE(json["turns_error"].is_null());
  EXPECT_TRUE(read_file(film).starts_with("<svg xmlns="));

  const Result all = reach({implicit, "--all", "--json", "--set", "reach.simulated_options=10"});
  ASSERT_EQ(all.code, exit_done) << all.err;
  const Json cells = Json::parse(all.out);
  ASSERT_FALSE(cells["goals"].empty());
  double mean = 0;
  for (const Json& goal : cells["goals"]) mean += goal["success"].get<double>();
  EXPECT_EQ(
      Json::parse(reach({implicit, "--goal", "turns=0", "--greedy", "--json"}).out)["options"], 1);
  EXPECT_NEAR(cells["mean"].get<double>(), mean / static_cast<double>(cells["goals"].size()),
              1e-12);
  EXPECT_NE(reach({implicit, "--all"}).out.find("tenths of success"), std::string::npos);

  const Json evaluation = Json::parse(run({"eval", implicit, "--json"}).out);
  EXPECT_GT(evaluation["reach"]["chance"].get<double>(), 0);
  EXPECT_LE(evaluation["reach"]["low"].get<double>(), evaluation["reach"]["mean"].get<double>());
  EXPECT_TRUE(Json::parse(run({"eval", free, "--json"}).out)["reach"].is_null());
  EXPECT_NE(
      run({"eval", implicit}).out.find("conditioned on the final cell of one of its own options"),
      std::string::npos);
  EXPECT_NE(run({"report", implicit}).out.find("reach"), std::string::npos);

  const Result closest = reach({free, "--goal", "turns=40"});
  ASSERT_EQ(closest.code, exit_done) << closest.err;
  EXPECT_NE(closest.out.find("not reachable"), std::string::npos);
  EXPECT_NE(closest.out.find("closest option is all there is"), std::string::npos);

  EXPECT_NE(sentence({"reach", free, "--all"}).find("cannot be conditioned on a goal"),
            std::string::npos);
  EXPECT_NE(sentence({"reach", implicit, "--goal", "3,4"}).find("is not a point of pendulum"),
            std::string::npos);
  EXPECT_NE(sentence({"reach", implicit, "--all", "--chain"}).find("needs a goal: add --goal"),
            std::string::npos);
  EXPECT_NE(sentence({"reach", implicit, "--all", "--svg", film})
                .find("--svg draws one option: add --goal GOAL"),
            std::string::npos);
}

TEST(ReachCommand, ChainsOptionsInSimulatedWorlds) {
  const FixtureFolder folder("reach_chain");
  const std::string swing = folder / "swing";
  ASSERT_EQ(run({"train", std::string(VIC_SOURCE_DIR) + "/examples/pendulum.xml", "--algorithm",
                 "implicit", "--updates", "1", "--out", swing, "--set", "world.T=6", "--set",
                 "train.warm_up=0", "--set", "train.hidden=8", "--set", "eval.survey=100"})
                .code,
            exit_done);
  std::vector<std::string> words = {"reach",   swing,   "--goal",          "turns=0",
                                    "--chain", "--set", "reach.survey=100"};
  const Result shown = run(words);
  ASSERT_EQ(shown.code, exit_done) << shown.err;
  EXPECT_NE(shown.out.find("arrive with their first option"), std::string::npos);
  EXPECT_NE(shown.out.find("Places are those of the world"), std::string::npos);
  words.emplace_back("--json");
  const Json chain = Json::parse(run(words).out);
  EXPECT_EQ(chain["places"], "absolute");
  EXPECT_EQ(chain["first_success"], 1.0);
  EXPECT_EQ(chain["success"], 1.0);
  EXPECT_EQ(chain["mean_options"], 1.0);
  EXPECT_EQ(chain["stops"].size(), 1u);
  EXPECT_NE(sentence({"reach", swing, "--goal", "turns=0", "--chain", "--replay"})
                .find("--chain excludes --replay"),
            std::string::npos);
}

// repeated actions end where they ended before
TEST(ReachCommand, ReplaysWhatEndedThere) {
  const FixtureFolder folder("reach_replay");
  const std::string swing = folder / "swing";
  ASSERT_EQ(run({"train", std::string(VIC_SOURCE_DIR) + "/examples/pendulum.xml", "--algorithm",
                 "marginal", "--updates", "1", "--out", swing, "--set", "world.T=6", "--set",
                 "world.levels=2", "--set", "world.frame_skip=20", "--set", "train.warm_up=0",
                 "--set", "train.hidden=8"})
                .code,
            exit_done);
  const Json again = Json::parse(run({"reach", swing, "--all", "--replay", "--json", "--set",
                                      "reach.simulated_options=3", "--set", "reach.survey=200"})
                                     .out);
  EXPECT_EQ(again["mean"], 1.0);
  EXPECT_GT(again["goals"].size(), 2u);
  const Json one = Json::parse(run({"reach", swing, "--goal", "distance=0", "--replay", "--json",
                                    "--set", "reach.survey=200"})
                                   .out);
  EXPECT_EQ(one["success"], 1.0);
  EXPECT_NE(sentence({"reach", swing, "--all", "--replay", "--greedy"}).find("excludes --greedy"),
            std::string::npos);
}

}  // namespace
}  // namespace vic
