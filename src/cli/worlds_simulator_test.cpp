// Simulated worlds as users meet them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/file.h"
#include "base/json.h"
#include "support/program_run.h"

namespace vic {
namespace {

const std::string pendulum = VIC_SOURCE_DIR "/examples/pendulum.xml";

TEST(WorldsSimulator, AreListedAndShown) {
  EXPECT_NE(run({"worlds"}).out.find("half-cheetah"), std::string::npos);
  const Json list = Json::parse(run({"worlds", "--json"}).out);
  std::map<std::string, Json> found;
  for (const Json& one : list) found[one["world"].get<std::string>()] = one;
  EXPECT_EQ(found["half-cheetah"]["kind"], "simulated");
  EXPECT_EQ(found["half-cheetah"]["figure"], "App. F");
  EXPECT_EQ(found["ant"]["kind"], "simulated");
  EXPECT_EQ(found["point-maze"]["T_max"], 16);
  const Result shown = run({"worlds", "half-cheetah"});
  ASSERT_EQ(shown.code, exit_done) << shown.err;
  for (const char* part : {"14 kg", "bthigh", "-0.52 to 1.05", "gear of bthigh",
                           "0.5 m x full turns", "world.frame_skip"}) {
    EXPECT_NE(shown.out.find(part), std::string::npos) << part;
  }
  const Json json = Json::parse(run({"worlds", "half-cheetah", "--json"}).out);
  EXPECT_EQ(json["T_max"], 100);
  EXPECT_EQ(json["state_names"].size(), 18u);
  EXPECT_EQ(json["actuator_list"][0]["controls"], (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(json["facts"]["gear of ffoot"], "30");
  EXPECT_EQ(json["facts"]["joint rootx"], "slide, no limits");
  EXPECT_EQ(json["coordinates"][1]["name"], "turns");
}

TEST(WorldsSimulator, PlayTheSameOptionAgainAndDrawIt) {
  const std::string path = testing::TempDir() + "vic_film.svg";
  const Result played = run({"worlds", "half-cheetah", "--play", "--seed", "3"});
  ASSERT_EQ(played.code, exit_done) << played.err;
  EXPECT_NE(run({"worlds", "half-cheetah", "--play", "--seed", "4"}).out, played.out);
  const Result drawn = run({"worlds", "half-cheetah", "--play", "--seed", "3", "--svg", path});
  EXPECT_EQ(drawn.out, played.out + "Drawn in " + path + ".\n");
  EXPECT_TRUE(read_file(path).starts_with("<svg"));
  std::filesystem::remove(path);
}

TEST(WorldsSimulator, CompareTheBitsOfTwo) {
  const std::string path = testing::TempDir() + "vic_other.xml";
  std::string text = read_file(pendulum);
  write_file(path, text);
  const std::vector<std::string> compare = {"worlds",    pendulum, "--compare", path,
                                            "--options", "3",      "--json"};
  EXPECT_EQ(Json::parse(run(compare).out)["same"], true);
  // a hundredth of a gram
  text.replace(text.find("mass=\"1\""), 8, "mass=\"1.00001\"");
  write_file(path, text);
  const Json other = Json::parse(run(compare).out);
  EXPECT_EQ(other["same"], false);
  EXPECT_GT(other["largest_difference"].get<double>(), 0);
  const Result words = run({"worlds", pendulum, "--compare", path});
  EXPECT_NE(words.out.find("first in option 0 after action 1"), std::string::npos) << words.out;
  EXPECT_EQ(run({"worlds", "half-cheetah", "--compare", path}).code, exit_usage);
  std::filesystem::remove(path);
}

TEST(WorldsSimulator, CountWhatRandomOptionsDo) {
  const Result counted = run({"worlds", "half-cheetah", "--options", "60", "--json"});
  ASSERT_EQ(counted.code, exit_done) << counted.err;
  const Json json = Json::parse(counted.out);
  EXPECT_EQ(json["options"], 60);
  EXPECT_EQ(json["actions"], 6000);
  EXPECT_EQ(json["failures"], 0);
  EXPECT_GT(json["H"].get<double>(), 1.5);
  long cells = 0, names = 0;
  for (const Json& cell : json["cell_list"]) cells += cell["options"].get<long>();
  for (const Json& name : json["behaviours"]) names += name["options"].get<long>();
  EXPECT_EQ(cells, 60);
  EXPECT_EQ(json["cells"], json["cell_list"].size());
  EXPECT_EQ(names, 60);
}

TEST(WorldsSimulator, TakeAModelOfTheUsers) {
  const Result one = run({"worlds", pendulum, "--set", "world.levels=3"});
  ASSERT_EQ(one.code, exit_done) << one.err;
  EXPECT_NE(one.out.find("pendulum: 1 actuator with 3 levels"), std::string::npos);
  EXPECT_EQ(run({"worlds", pendulum, "--play"}).out,
            run({"worlds", "half-cheetah", "--play", "--set", "world.model=" + pendulum}).out);
}

TEST(WorldsSimulator, SayInOneSentenceWhatCannotBe) {
  const auto expect_usage_error = [](const std::vector<std::string>& args, const char* message) {
    const Result result = run(args);
    EXPECT_EQ(result.code, exit_usage);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, std::string("vic: ") + message + "\n");
  };
  expect_usage_error({"exact", "half-cheetah"},
                     "half-cheetah has 5 levels, 6 actuators and 100 actions: 5^600 sequences, and "
                     "100000 can be enumerated; lower world.levels or world.T.");
  expect_usage_error({"estimators", "half-cheetah"},
                     "half-cheetah is simulated by MuJoCo: it has no table of transitions, which "
                     "this command needs; vic worlds half-cheetah shows and plays it.");
  expect_usage_error({"worlds", "half-cheta"},
                     "There is no world 'half-cheta'; did you mean half-cheetah? A world of your "
                     "own is a file that ends in .toml or .xml.");
  expect_usage_error({"worlds", "none.xml"}, "Cannot open none.xml: No such file or directory.");
  expect_usage_error(
      {"worlds", "half-cheetah", "--state", "3"},
      "half-cheetah is a simulated world: --state needs a world with a table of states.");
  expect_usage_error({"worlds", "half-cheetah", "--svg", "x"},
                     "--svg draws the option of --play: add --play.");
  expect_usage_error(
      {"worlds", "line", "--options", "3"},
      "--options, --svg and --compare need a simulated world, as in vic worlds half-cheetah.");
  expect_usage_error({"worlds", "half-cheetah", "--set", "world.modl=x.xml"},
                     "--set: there is no setting world.modl; did you mean world.model?");
}

TEST(WorldsSimulator, FailWhereTheModelExplodes) {
  const std::string path = testing::TempDir() + "vic_bomb.xml";
  std::ofstream(path)
      << "<mujoco><worldbody><body><joint name='a' type='slide'/><geom size='0.1' mass='1e-3'/>"
         "</body></worldbody><actuator><motor joint='a' gear='1e12' ctrllimited='true' "
         "ctrlrange='-1 1'/></actuator></mujoco>";
  const Result played = run({"worlds", path, "--play"});
  EXPECT_EQ(played.code, exit_failed);
  EXPECT_EQ(played.out, "");
  EXPECT_TRUE(played.err.starts_with("vic: vic_bomb cannot be simulated: in action 1 of 100"))
      << played.err;
  EXPECT_EQ(std::count(played.err.begin(), played.err.end(), '\n'), 1);
  // many options are counted
  const Json json = Json::parse(run({"worlds", path, "--options", "20", "--json"}).out);
  EXPECT_EQ(json["failures"], 20);
  EXPECT_EQ(json["options"], 0);
  EXPECT_EQ(run({"worlds", path, "--options", "20"}).code, exit_done);
  std::filesystem::remove(path);
}

// nine lines that define cells for a model
TEST(WorldsSimulator, HaveCellsByASettingsFile) {
  const std::string example = VIC_SOURCE_DIR "/examples/arm-and-ball";
  const std::string folder = testing::TempDir() + "vic_arm", file = folder + ".toml";
  std::string text = read_file(example + ".toml");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9);
  std::filesystem::remove_all(folder);
  // the path assumes a clone of the repository
  text.replace(text.find("examples/arm-and-ball.xml"), 25, example + ".xml");
  write_file(file, text);
  const Result trained = run({"train", "--settings", file, "--updates", "2", "--set",
                              "train.batch=32", "--set", "eval.survey=100", "--out", folder});
  ASSERT_EQ(trained.code, exit_done) << trained.err;
  const Json evaluation = Json::parse(read_file(folder + "/evaluation.json"));
  EXPECT_GT(evaluation["ball.y_max"].get<double>(), 0.1);
  EXPECT_NE(evaluation["behaviours"].dump().find(R"("behaviour":"left")"), std::string::npos);
  // the run keeps the model and its cells
  EXPECT_EQ(read_file(folder + "/world.xml"), read_file(example + ".xml"));
  EXPECT_NE(read_file(folder + "/settings.toml").find("ball.x:0.1"), std::string::npos);
  EXPECT_EQ(run({"eval", folder}).code, exit_done);
  std::filesystem::remove_all(folder);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace vic
