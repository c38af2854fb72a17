// vic film as users meet it.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>

#include "base/json.h"
#include "base/spawn.h"
#include "support/count.h"
#include "support/program_run.h"
#include "support/run_fixture.h"
#include "support/simulator_fixture.h"

namespace vic {
namespace {

TEST(FilmCommand, DrawsEveryOptionAndAContactSheet) {
  const FixtureFolder folder("film");
  write_simulator_fixture(folder / "run", {});
  const Result drawn = run({"film", folder / "run", "--json"});
  ASSERT_EQ(drawn.code, exit_done) << drawn.err;
  const Json json = Json::parse(drawn.out);
  const Json films = Json::parse(read_file(folder / "run/films.json"));
  ASSERT_EQ(json["options"].size(), films["options"].size());
  ASSERT_GE(json["options"].size(), 5u);
  for (std::size_t i = 0; i < json["options"].size(); ++i) {
    const Json& option = json["options"][i];
    EXPECT_EQ(option["option"], i + 1);
    for (const char* key : {"behaviour", "distance", "height", "turns", "place"}) {
      EXPECT_EQ(option[key], films["options"][i][key]) << key;
    }
    const std::string svg = read_file(option["svg"].get<std::string>());
    EXPECT_TRUE(svg.starts_with("<svg xmlns="));
    EXPECT_NE(svg.find(option["behaviour"].get<std::string>()), std::string::npos);
    // eight parts, in ten separate frames and on the path
    EXPECT_EQ(count(svg, "class=\"limb"), 160u);
  }
  const std::string sheet = read_file(folder / "run/films/films.svg");
  EXPECT_EQ(json["sheet"], folder / "run/films/films.svg");
  EXPECT_EQ(count(sheet, "class=\"limb"), 80 * films["options"].size());
  EXPECT_EQ(sheet.find("nan"), std::string::npos);

  const Result table = run({"film", folder / "run", "--out", folder / "elsewhere"});
  EXPECT_EQ(count(table.out, "\n"), films["options"].size() + 3);
  EXPECT_TRUE(std::filesystem::exists(folder / "elsewhere/films.svg"));
}

TEST(FilmCommand, DrawsASelectionAlone) {
  const FixtureFolder folder("film-one");
  write_simulator_fixture(folder / "run", {});
  const Result one = run({"film", folder / "run", "--option", "2", "--json"});
  ASSERT_EQ(one.code, exit_done) << one.err;
  const Json json = Json::parse(one.out);
  ASSERT_EQ(json["options"].size(), 1u);
  EXPECT_EQ(json["options"][0]["option"], 2);
  EXPECT_TRUE(json["sheet"].is_null());
  EXPECT_FALSE(std::filesystem::exists(folder / "run/films/films.svg"));
  const std::string name = json["options"][0]["behaviour"].get<std::string>();
  const Json named = Json::parse(run({"film", folder / "run", "--behaviour", name, "--json"}).out);
  ASSERT_GE(named["options"].size(), 1u);
  for (const Json& option : named["options"]) EXPECT_EQ(option["behaviour"], name);
}

TEST(FilmCommand, WritesVideosWhereThereIsFfmpeg) {
  const FixtureFolder folder("film-video");
  write_simulator_fixture(folder / "run", {});
  // ffmpeg must take any folder's name as a file
  const std::string out = folder / "-%d";
  const std::vector<std::string> words = {"film",  folder / "run", "--option", "1",     "--mp4",
                                          "--gif", "--out",        out,        "--json"};
  if (run_and_read({"ffmpeg", "-version"})) {
    const Result written = run(words);
    ASSERT_EQ(written.code, exit_done) << written.err;
    const Json option = Json::parse(written.out)["options"][0];
    const std::string mp4 = read_file(option["mp4"].get<std::string>());
    EXPECT_EQ(mp4.substr(4, 4), "ftyp");
    EXPECT_TRUE(read_file(option["gif"].get<std::string>()).starts_with("GIF89a"));
  }
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  const Result without = run(words);
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(without.code, exit_usage);
  EXPECT_NE(without.err.find("Videos are made by ffmpeg, which is not installed here"),
            std::string::npos)
      << without.err;
}

TEST(FilmCommand, SaysInOneSentenceWhatCannotBe) {
  const FixtureFolder folder("film-wrong");
  write_fixture(folder / "line", {});
  write_simulator_fixture(folder / "young", {.finished = false});
  write_simulator_fixture(folder / "run", {});
  const auto expect = [&](const std::vector<std::string>& args, const std::string& message) {
    const Result result = run(args);
    EXPECT_EQ(result.code, exit_usage);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
    EXPECT_EQ(count(result.err, "\n"), 1u);
  };
  expect({"film", folder.path()}, "holds 3 runs; name one, as ");
  expect({"film", folder / "none"}, "is not a run folder: settings.toml is missing");
  expect({"film", folder / "line"},
         "is a run of line-noisy, a table of states: films need a simulated world");
  expect({"film", folder / "young"}, "has no films.json yet");
  expect({"film", folder / "run", "--option", "99"}, "There is no option 99: ");
  expect({"film", folder / "run", "--option", "0"}, "--option");
  expect({"film", folder / "run", "--behaviour", "7 backflipz"}, "is called '7 backflipz'");
  // the error names what is damaged
  Json films = Json::parse(read_file(folder / "run/films.json"));
  films["options"][0]["poses"][3] = {1, 2};
  write_file(folder / "run/films.json", films.dump());
  expect({"film", folder / "run"}, "films.json is damaged: \"poses\" is not a list of lists of 32");
}

}  // namespace
}  // namespace vic
