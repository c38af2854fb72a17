// Reports over runs of simulated worlds, beside tabular ones and unfinished.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "report/figures/charts.h"
#include "report/figures/film_figure.h"
#include "report/page/page.h"
#include "report/page/page_parts.h"
#include "support/count.h"
#include "support/run_fixture.h"
#include "support/simulator_fixture.h"

namespace vic {
namespace {

TEST(SimulatorReport, ReadsWhatTheFilesSay) {
  const FixtureFolder folder("simulator-read");
  write_simulator_fixture(folder / "a", {});
  const RunFiles run = read_run_files(folder / "a");
  const Json evaluation = Json::parse(read_file(folder / "a/evaluation.json"));
  const Json films = Json::parse(read_file(folder / "a/films.json"));
  ASSERT_TRUE(run.simulated);
  EXPECT_FALSE(run.truth);
  EXPECT_FALSE(run.result->measures["H_max"]);
  EXPECT_EQ(run.world, "half-cheetah");
  EXPECT_EQ(run.result->measures["H"], evaluation["H"].get<double>());
  EXPECT_EQ(run.result->measures["cells"], evaluation["cells"].get<double>());
  EXPECT_EQ(run.result->survey->cell_list.size(), evaluation["cell_list"].size());
  EXPECT_EQ(run.baseline->T, 20);
  EXPECT_EQ(run.baseline->random.options, 40);
  ASSERT_EQ(run.behaviours.size(), 3u);
  EXPECT_EQ(run.behaviours[1].update, 60);
  EXPECT_EQ(run.behaviours[1].behaviours[1],
            (BehaviourCount{"2 backflips", 0, "2 or more backflips", 60}));
  EXPECT_EQ(run.result->measures["spread"], evaluation["distance_spread"].get<double>());
  EXPECT_EQ(run.result->measures["forward_flips"], evaluation["forward_flips"].get<double>());
  ASSERT_EQ(run.films->options.size(), films["options"].size());
  const FilmedOption& option = run.films->options[1];
  EXPECT_EQ(option.behaviour.caption, films["options"][1]["caption"].get<std::string>());
  EXPECT_EQ(option.behaviour.displacement[1], films["options"][1]["turns"].get<double>());
  EXPECT_EQ(option.poses.size(), 21u);
  EXPECT_DOUBLE_EQ(option.poses[20][7].x2,
                   films["options"][1]["poses"][20][30].get<double>() / 1000);
  EXPECT_DOUBLE_EQ(option.poses[0][0].r, 0.046);
}

TEST(SimulatorReport, TablesHaveRandomActionsBesideTheRuns) {
  const FixtureFolder folder("simulator-table");
  write_simulator_fixture(folder / "a", {});
  write_simulator_fixture(folder / "b", {.seed = 2});
  write_simulator_fixture(folder / "c", {.seed = 3, .finished = false});
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
  EXPECT_TRUE(json["worlds"][1]["series"][0]["cells"].is_null());
  const std::string table = terminal_table(data, Ink::plain);
  EXPECT_NE(table.find("random actions"), std::string::npos);
  EXPECT_NE(table.find("spread"), std::string::npos);
  EXPECT_NE(run_csv(data).find(",two_turns,"), std::string::npos);
}

TEST(SimulatorReport, PagesShowSimulatedWorldsBesideTables) {
  const FixtureFolder folder("simulator-page");
  write_simulator_fixture(folder / "a", {});
  write_simulator_fixture(folder / "b", {.algorithm = "implicit"});
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
  for (const char* key : {"poses", "path", "behaviour"}) {
    EXPECT_EQ(players[0]["runs"][0]["options"][2][key], films["options"][2][key]) << key;
  }
  const auto names = write_svgs(folder / "figures", data);
  EXPECT_EQ(std::count(names.begin(), names.end(), "half-cheetah-cells.svg"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "half-cheetah-split.svg"), 0);
  // a page without films has no player
  EXPECT_EQ(page_html(read_report({folder / "line"}), {}).find("class Player"), std::string::npos);
}

TEST(SimulatorReport, UnfinishedRunsDoNotFail) {
  const FixtureFolder folder("simulator-young");
  write_simulator_fixture(folder / "a", {.finished = false});
  ReportData data = read_report({folder.path()});
  EXPECT_EQ(data.worlds[0].label, "half-cheetah");
  const std::string page = page_html(data, {});
  EXPECT_NE(page.find("seed 1, unfinished"), std::string::npos);
  EXPECT_NE(page.find("No run of this world has a truth.json yet"), std::string::npos);
  EXPECT_EQ(page.find("id=\"w0-player\""), std::string::npos);
  EXPECT_EQ(Json::parse(table_json(data))["worlds"][0]["series"][0]["cells"], nullptr);
  EXPECT_FALSE(write_svgs(folder / "figures", data).empty());
  // a run that has only just begun
  std::filesystem::remove(folder / "a/metrics.jsonl");
  std::filesystem::remove(folder / "a/behaviours.jsonl");
  data = read_report({folder / "a"});
  EXPECT_NE(page_html(data, {}).find("<h2>half-cheetah</h2>"), std::string::npos);
  EXPECT_FALSE(terminal_table(data, Ink::plain).empty());
}

TEST(SimulatorReport, DamagedFilesAreNamed) {
  const FixtureFolder folder("simulator-damaged");
  const auto complaint = [&](const std::string& name, const std::string& text) -> std::string {
    write_simulator_fixture(folder / "a", {});
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
          "\"seconds\" is not a number from 1e-09 to 1000000000"));
  EXPECT_TRUE(has(
      complaint("films.json", "{\"world\":\"x\",\"seconds\":1,\"ground\":true,\"coordinates\":[]}"),
      "it has no coordinates"));
}

// absurd numbers must not lead to endless figures
TEST(SimulatorReport, HugeNumbersCostNothing) {
  const FixtureFolder folder("simulator-huge");
  write_simulator_fixture(folder / "a", {});
  const auto complaint = [&](const std::string& name, const std::string& was,
                             const std::string& is) -> std::string {
    write_simulator_fixture(folder / "a", {});
    std::string text = read_file(folder / ("a/" + name));
    EXPECT_NE(text.find(was), std::string::npos) << was;
    write_file(folder / ("a/" + name), text.replace(text.find(was), was.size(), is));
    try {
      const ReportData data = read_report({folder / "a"});
      EXPECT_LT(page_html(data, {}).size(), 10'000'000U);
      EXPECT_FALSE(terminal_table(data, Ink::plain).empty());
      for (const FilmedOption& option : data.runs()[0]->films->options) {
        const Film film = film_of(*data.runs()[0]->films, option, 10);
        EXPECT_LT(draw_film(film, Form::file).size(), 1'000'000U);
      }
    } catch (const UsageError& error) {
      return std::string(error.what()).substr(folder.path().size());
    }
    return "";
  };
  EXPECT_EQ(complaint("films.json", "\"limb\":1", "\"limb\":999999999"), "");
  EXPECT_EQ(complaint("films.json", "\"path\":[[0,", "\"path\":[[99999999,"), "");
  EXPECT_EQ(complaint("films.json", "\"path\":[[0,", "\"path\":[[99999999999999,"),
            "/a/films.json is damaged: \"path\" is not a list of lists of 3 whole numbers.");
  EXPECT_EQ(complaint("evaluation.json", "\"full_turns\":0", "\"full_turns\":-9999999"), "");
  EXPECT_NE(complaint("evaluation.json", "\"full_turns\":0", "\"full_turns\":-9999999999"), "");
  EXPECT_NE(complaint("evaluation.json", "\"bin\":0.5", "\"bin\":0"), "");
  EXPECT_NE(complaint("evaluation.json", "\"options\":", "\"options\":99999999999999999"), "");
}

TEST(SimulatorReport, BehavioursAreDrawnByKind) {
  RunFiles run;
  EXPECT_EQ(draw_behaviours(run, Form::file), "");
  run.simulated = true;
  EXPECT_EQ(draw_behaviours(run, Form::file), "");
  const auto did = [](const char* name, int kind, const char* kind_name, long options) {
    return BehaviourCount{name, kind, kind_name, options};
  };
  const auto stays = [&](long options) { return did("stays", 6, "stays", options); };
  const char* several = "2 or more backflips";
  run.behaviours = {
      {10, 1, {stays(3), did("2 backflips", 0, several, 1), did("3 backflips", 0, several, 1)}, {}},
      {20, 1, {stays(4)}, {}}};
  const std::string svg = draw_behaviours(run, Form::file);
  EXPECT_EQ(count(svg, "data-tip"), 3u);
  EXPECT_NE(svg.find("update 10: 2 or more backflips 40.0 %"), std::string::npos);
  EXPECT_NE(svg.find("class=\"b0\""), std::string::npos);
  WorldReport world;
  world.series = {{.label = "", .algorithm = "", .colour = 0, .runs = {run}}};
  EXPECT_EQ(behaviour_kinds(world), (BehaviourKinds{{0, several}, {6, "stays"}}));
}

// curves never fall; logs that do not list their cells have no curve of them
TEST(SimulatorReport, CurvesCountWhatWasMetSoFar) {
  const FixtureFolder folder("simulator-met");
  write_simulator_fixture(folder / "a", {});
  const auto ids = [&] {
    std::string text;
    const ReportData data = read_report({folder.path()});
    for (const CurveFigure& figure : discovery_figures(data.worlds[0])) text += figure.id + " ";
    return text;
  };
  EXPECT_EQ(ids(), "behaviours-seen ");
  const auto line = [](int update, const char* behaviour, const char* cells) {
    return fmt::format(R"({{"update":{},"H":1,"behaviours":[{{"behaviour":"{}","kind":1,)"
                       R"("kind_name":"k","options":2}}],"cell_list":[{}]}})"
                       "\n",
                       update, behaviour, cells);
  };
  const char* two =
      R"({"place":0,"full_turns":0,"options":1},{"place":1,"full_turns":0,"options":1})";
  const char* other = R"({"place":0,"full_turns":1,"options":9})";
  write_file(folder / "a/behaviours.jsonl",
             line(1, "stays", two) + line(2, "stays", other) + line(3, "runs", two));
  EXPECT_EQ(ids(), "cells-seen behaviours-seen ");
  const RunCurve curve = read_run_files(folder / "a").curve;
  EXPECT_EQ(curve.cells_seen, (std::vector<double>{2, 3, 3}));
  EXPECT_EQ(curve.behaviours_seen, (std::vector<double>{1, 1, 2}));
}

TEST(SimulatorReport, CellsAreDrawnWhereTheyAre) {
  WorldReport world;
  world.simulated = true;
  SimulatorTruth truth;
  truth.random.coordinates = fixture_cheetah(1)->spec().coordinates;
  truth.random.cell_list = {{{-2, 0}, 30}, {{0, 0}, 50}, {{3, 1}, 15}, {{0, -1}, 5}};
  world.baseline = truth;
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
  EXPECT_DOUBLE_EQ(figure.largest(), 0.5);
  EXPECT_TRUE(cell_figure(WorldReport{}).panels.empty());
}

// one coordinate is a line of cells; a third is summed over
TEST(SimulatorReport, CellsOfOtherDimensionsAreDrawnToo) {
  WorldReport world;
  world.simulated = true;
  SimulatorTruth truth;
  const Coordinate x{.name = "x", .unit = "m", .bins = {.width = 2}};
  truth.random.coordinates = {x};
  truth.random.cell_list = {{{-1}, 1}, {{1}, 3}};
  world.baseline = truth;
  HeatFigure figure = cell_figure(world);
  ASSERT_EQ(figure.layout.places.size(), 3u);
  EXPECT_EQ(figure.layout.places[2].state, "+2.0 m");
  truth.random.coordinates = {x, x, x};
  truth.random.cell_list = {{{-1, 0, 4}, 1}, {{-1, 0, -4}, 2}, {{1, 1, 0}, 1}};
  world.baseline = truth;
  figure = cell_figure(world);
  ASSERT_EQ(figure.layout.places.size(), 6u);
  EXPECT_EQ(figure.layout.places[3].state, "−2.0 m, 0.0 m");
  EXPECT_DOUBLE_EQ(on_layout(figure.layout, figure.panels[0].choices[0].second)[3], 0.75);
}

}  // namespace
}  // namespace vic
