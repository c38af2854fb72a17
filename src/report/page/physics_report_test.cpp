// Reports over runs of physics worlds, beside tabular ones and unfinished.
#include <gtest/gtest.h>

#include "base/error.h"
#include "report/data/fixture.h"
#include "report/data/physics_fixture.h"
#include "report/figures/behaviour_figure.h"
#include "report/figures/cell_figure.h"
#include "report/page/page.h"
#include "report/page/page_parts.h"
#include "report/page/table.h"
#include "support/count.h"

namespace vic {
namespace {

TEST(PhysicsReport, ReadsWhatTheFilesSay) {
  const FixtureFolder folder("physics-read");
  write_physics_fixture(folder / "a", {});
  const RunFiles run = read_run_files(folder / "a");
  const Json evaluation = Json::parse(read_file(folder / "a/evaluation.json"));
  const Json films = Json::parse(read_file(folder / "a/films.json"));
  EXPECT_TRUE(run.physics);
  EXPECT_FALSE(run.truth);
  EXPECT_FALSE(run.result->H_max);
  EXPECT_EQ(run.world, "half-cheetah");
  EXPECT_EQ(run.result->H, evaluation["H"].get<double>());
  EXPECT_EQ(run.result->survey->cells, evaluation["cells"].get<long>());
  EXPECT_EQ(run.result->survey->cell_list.size(), evaluation["cell_list"].size());
  EXPECT_EQ(run.physics_truth->T, 20);
  EXPECT_EQ(run.physics_truth->random.options, 40);
  ASSERT_EQ(run.behaviours.size(), 3u);
  EXPECT_EQ(run.behaviours[1].update, 60);
  EXPECT_EQ(run.behaviours[1].behaviours[1], (std::pair<std::string, long>{"2 backflips", 60}));
  ASSERT_EQ(run.films->options.size(), films["options"].size());
  const FilmedOption& option = run.films->options[1];
  EXPECT_EQ(option.poses.size(), 21u);
  EXPECT_DOUBLE_EQ(option.poses[20][7].x2,
                   films["options"][1]["poses"][20][30].get<double>() / 1000);
  EXPECT_DOUBLE_EQ(option.poses[0][0].r, 0.046);
}

TEST(PhysicsReport, TablesHaveRandomActionsBesideTheRuns) {
  const FixtureFolder folder("physics-table");
  write_physics_fixture(folder / "a", {});
  write_physics_fixture(folder / "b", {.seed = 2});
  write_physics_fixture(folder / "c", {.seed = 3, .finished = false});
  write_fixture(folder / "line", {});
  const ReportData data = read_report({folder.path()});
  ASSERT_EQ(data.worlds.size(), 2u);
  const Json json = Json::parse(table_json(data));
  const Json& world = json["worlds"][0];
  EXPECT_EQ(world["world"], "half-cheetah");
  EXPECT_TRUE(world["H_max"].is_null());
  const Json truth = Json::parse(read_file(folder / "a/truth.json"));
  EXPECT_EQ(world["random"]["H"]["mean"], truth["random"]["H"]);
  const Json& series = world["series"][0];
  EXPECT_EQ(series["finished"], 2);
  EXPECT_EQ(series["unfinished"], 1);
  const Json a = Json::parse(read_file(folder / "a/evaluation.json"));
  const Json b = Json::parse(read_file(folder / "b/evaluation.json"));
  EXPECT_DOUBLE_EQ(series["cells"]["mean"].get<double>(),
                   (a["cells"].get<double>() + b["cells"].get<double>()) / 2);
  EXPECT_TRUE(series["states"].is_null());
  EXPECT_FALSE(json["worlds"][1]["series"][0].contains("cells"));
  const std::string table = terminal_table(data, Ink::plain);
  EXPECT_NE(table.find("random actions"), std::string::npos);
  EXPECT_NE(table.find("spread"), std::string::npos);
  EXPECT_NE(run_csv(data).find(",two_turns,"), std::string::npos);
}

TEST(PhysicsReport, PagesShowBodiesBesideTables) {
  const FixtureFolder folder("physics-page");
  write_physics_fixture(folder / "a", {});
  write_physics_fixture(folder / "b", {.algorithm = "implicit"});
  write_fixture(folder / "line", {});
  const ReportData data = read_report({folder.path()});
  const std::string page = page_html(data, {});
  for (const char* part :
       {"id=\"w0-cells\"", "id=\"w0-player\"", "id=\"w0-heat\"", "Options on film",
        "What options did during training", "backflips 50.0 %", "random actions", "class Player",
        "id=\"w1-empowerment\""}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(page.find("{{"), std::string::npos);
  EXPECT_EQ(page.find("id=\"w1-player\""), std::string::npos);
  // the films are those of the files, to the millimetre
  const Json players = Json::parse(film_data(data));
  ASSERT_EQ(players.size(), 1u);
  ASSERT_EQ(players[0]["runs"].size(), 2u);
  // implicit is the first of the series
  const Json films = Json::parse(read_file(folder / "b/films.json"));
  for (const char* key : {"poses", "way", "behaviour"}) {
    EXPECT_EQ(players[0]["runs"][0]["options"][2][key], films["options"][2][key]) << key;
  }
  const auto names = write_svgs(folder / "figures", data);
  EXPECT_EQ(std::count(names.begin(), names.end(), "half-cheetah-cells.svg"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "half-cheetah-split.svg"), 0);
  // a page without bodies has no player
  EXPECT_EQ(page_html(read_report({folder / "line"}), {}).find("class Player"), std::string::npos);
}

TEST(PhysicsReport, UnfinishedRunsDoNotFail) {
  const FixtureFolder folder("physics-young");
  write_physics_fixture(folder / "a", {.finished = false});
  ReportData data = read_report({folder.path()});
  EXPECT_EQ(data.worlds[0].label, "half-cheetah");
  const std::string page = page_html(data, {});
  EXPECT_NE(page.find("seed 1, unfinished"), std::string::npos);
  EXPECT_NE(page.find("No run of this world has a truth.json yet"), std::string::npos);
  EXPECT_EQ(page.find("id=\"w0-player\""), std::string::npos);
  EXPECT_EQ(Json::parse(table_json(data))["worlds"][0]["series"][0]["cells"], nullptr);
  EXPECT_FALSE(write_svgs(folder / "figures", data).empty());
  // one that has only begun
  std::filesystem::remove(folder / "a/metrics.jsonl");
  std::filesystem::remove(folder / "a/behaviours.jsonl");
  data = read_report({folder / "a"});
  EXPECT_NE(page_html(data, {}).find("<h2>half-cheetah</h2>"), std::string::npos);
  EXPECT_FALSE(terminal_table(data, Ink::plain).empty());
}

TEST(PhysicsReport, DamagedFilesAreNamed) {
  const FixtureFolder folder("physics-damaged");
  const auto complaint = [&](const std::string& name, const std::string& text) -> std::string {
    write_physics_fixture(folder / "a", {});
    write_file(folder / ("a/" + name), text);
    try {
      read_run_files(folder / "a");
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(complaint("behaviours.jsonl", "{\"update\":1,\"H\":1}\n"),
                  "behaviours.jsonl:1 is damaged: it lacks \"behaviours\""));
  const std::string line = "{\"update\":1,\"H\":1,\"behaviours\":[]}\n";
  EXPECT_TRUE(has(complaint("behaviours.jsonl", line + line), "update 1 does not come after 1"));
  EXPECT_TRUE(has(complaint("truth.json", "{}"), "truth.json is damaged: it lacks \"T\""));
  EXPECT_TRUE(has(complaint("films.json", "[1]"), "films.json is damaged: it is no JSON object"));
  EXPECT_TRUE(
      has(complaint("films.json", "{\"world\":\"x\",\"seconds\":0,\"parts\":[],\"options\":[]}"),
          "actions take no time"));
}

TEST(PhysicsReport, BehavioursAreOfKinds) {
  const std::vector<std::pair<const char*, const char*>> wanted = {
      {"1 backflip", "1 backflip"},
      {"3 backflips", "2 or more backflips"},
      {"1 forward flip", "1 forward flip"},
      {"12 forward flips", "2 or more forward flips"},
      {"runs backward", "runs"},
      {"crawls forward", "crawls"},
      {"stays", "stays"},
      {"rears up", "stands on its nose, rears up"},
      {"lies on its back", "lies on its back"}};
  for (const auto& [name, kind] : wanted) {
    EXPECT_STREQ(behaviour_kinds[behaviour_kind(name)], kind) << name;
  }
  RunFiles run;
  EXPECT_EQ(draw_behaviours(run, Form::file), "");
  run.behaviours = {{10, 1, {{"stays", 3}, {"2 backflips", 1}}}, {20, 1, {{"stays", 4}}}};
  const std::string svg = draw_behaviours(run, Form::file);
  EXPECT_EQ(count(svg, "data-tip"), 3u);
  EXPECT_NE(svg.find("update 10: 2 or more backflips 25.0 %"), std::string::npos);
}

TEST(PhysicsReport, CellsAreDrawnWhereTheyAre) {
  WorldReport world;
  world.physics = true;
  PhysicsTruth truth;
  truth.bin = 0.5;
  truth.random.cell_list = {{-2, 0, 30}, {0, 0, 50}, {3, 1, 15}, {0, -1, 5}};
  world.physics_truth = truth;
  const HeatFigure figure = cell_figure(world);
  ASSERT_EQ(figure.panels.size(), 1u);
  // six places by three turns, forward turns above, forward places to the right
  ASSERT_EQ(figure.layout.places.size(), 18u);
  EXPECT_EQ(figure.layout.places[0].state, "−1.0 m, +1 turn");
  EXPECT_EQ(figure.layout.places[17].state, "+1.5 m, −1 turn");
  EXPECT_LT(figure.layout.places[0].y, figure.layout.places[17].y);
  EXPECT_EQ(figure.layout.places[figure.layout.start].state, "0.0 m, 0 turns");
  const auto p = on_layout(figure.layout, figure.panels[0].choices[0].second);
  EXPECT_DOUBLE_EQ(p[5], 0.15);
  EXPECT_DOUBLE_EQ(p[figure.layout.start], 0.5);
  EXPECT_DOUBLE_EQ(figure.largest, 0.5);
  EXPECT_TRUE(cell_figure(WorldReport{}).panels.empty());
}

}  // namespace
}  // namespace vic
