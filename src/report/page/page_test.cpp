#include "report/page/page.h"

#include <gtest/gtest.h>

#include "report/figures/charts.h"
#include "report/figures/heat_figure.h"
#include "report/figures/palette.h"
#include "report/page/page_parts.h"
#include "support/count.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

TEST(Page, ShowsWorldsClaimsAndCommandsAndFetchesNothing) {
  const FixtureFolder folder("page");
  write_fixture(folder / "a", {});
  write_fixture(folder / "b", {.algorithm = "transition", .H = 2});
  PageOptions options;
  options.title = "<Figure> 4";
  options.claims = {{"H is large", "ours", "1.99", "at least 1.9", "holds", ""},
                    {"N < D", "paper, Figure 4", "no", "yes", "refuted", "docs/claims.md"}};
  const std::string page = page_html(read_report({folder.path()}), options);
  EXPECT_NE(page.find("<h1>&lt;Figure&gt; 4</h1>"), std::string::npos);
  EXPECT_NE(page.find("1 of 2 claims hold, 1 refuted"), std::string::npos);
  EXPECT_NE(page.find("N &lt; D"), std::string::npos);
  EXPECT_NE(page.find("./vic train line-noisy --algorithm transition"), std::string::npos);
  EXPECT_NE(page.find("Permission is hereby granted"), std::string::npos);
  // no placeholder is left, and nothing to load
  EXPECT_EQ(page.find("{{"), std::string::npos);
  for (const char* tag : {" src=", "@import", "url(", "<link rel=\"stylesheet\""}) {
    EXPECT_EQ(page.find(tag), std::string::npos) << tag;
  }
}

TEST(Page, BeginsWithWhatItIsAboutAndListsUnfinishedRuns) {
  const FixtureFolder folder("about");
  write_fixture(folder / "a", {});
  write_fixture(folder / "b", {.seed = 2, .H = 1.1, .finished = false});
  const std::string page = page_html(read_report({folder.path()}), {});
  EXPECT_NE(page.find("trained without any reward"), std::string::npos);
  EXPECT_NE(page.find("<h3>Unfinished runs</h3>"), std::string::npos);
  // its fourth line of metrics: 0.1 + 0.4 (1.1 - 0.1), a quarter of H_max
  EXPECT_NE(page.find("<td>40 of 100</td><td>0.5000</td><td>25.0 %</td>"), std::string::npos);
  EXPECT_NE(page.find("class=\"copy\""), std::string::npos);
}

TEST(Page, RunsWithLittleInCommonAreListedInTheOverview) {
  const FixtureFolder folder("overview");
  write_fixture(folder / "a", {});
  write_fixture(folder / "b", {.world = "line", .algorithm = "transition"});
  const std::string sparse = page_html(read_report({folder.path()}), {});
  const auto overview = [](const std::string& page) {
    const std::size_t begin = page.find("id=\"overview\"");
    return page.substr(begin, page.find("</section>", begin) - begin);
  };
  EXPECT_EQ(count(overview(sparse), "<tr>"), 3u);
  EXPECT_NE(overview(sparse).find(">seeds<"), std::string::npos);
  write_fixture(folder / "c", {.algorithm = "transition"});
  const std::string full = page_html(read_report({folder.path()}), {});
  EXPECT_EQ(overview(full).find(">seeds<"), std::string::npos);
}

TEST(Page, NamesCannotBreakOutOfTheData) {
  const FixtureFolder folder("names");
  write_fixture(folder / "a", {});
  ReportData data = read_report({folder.path()});
  const std::string evil = "</script><b>";
  data.worlds[0].truth->picture_states[0] = evil;
  data.worlds[0].label = evil;
  const std::string page = page_html(data, {});
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
}

TEST(Page, FiguresForPapersAreWholeFiles) {
  const FixtureFolder folder("svg");
  write_fixture(folder / "a", {});
  const auto names = write_svgs(folder / "figures", read_report({folder / "a"}));
  const std::vector<std::string> wanted = {"line-noisy-empowerment.svg", "line-noisy-split.svg",
                                           "line-noisy-states.svg"};
  EXPECT_EQ(names, wanted);
  for (const std::string& name : names) {
    const std::string svg = read_file(folder / ("figures/" + name));
    EXPECT_TRUE(svg.starts_with("<svg xmlns=")) << name;
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << name;
    EXPECT_EQ(count(svg, "<text"), count(svg, "</text>")) << name;
    // other programs do not support variables
    EXPECT_EQ(svg.find("var("), std::string::npos) << name;
  }
  // three algorithms and optima, three states each
  EXPECT_EQ(count(read_file(folder / "figures/line-noisy-states.svg"), "class=\"cell"), 9u);
}

TEST(Page, TreesAreDrawnAsTreesAndMapsAsMaps) {
  const FixtureFolder folder("layout");
  write_fixture(folder / "a", {});
  ReportData data = read_report({folder.path()});
  WorldReport& world = data.worlds[0];
  world.truth->picture = {{"   o   ", " o   o ", "o o o o"},
                          {{0, 3}, {1, 1}, {1, 5}, {2, 0}, {2, 2}, {2, 4}, {2, 6}}};
  world.truth->picture_states = {"r", "L", "R", "LL", "LR", "RL", "RR"};
  const HeatLayout tree = heat_figure(world).layout;
  EXPECT_TRUE(tree.round);
  const std::vector<std::pair<int, int>> edges = {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {2, 6}};
  EXPECT_EQ(tree.edges, edges);
  world.truth->picture = {{".#.", "..."}, {{0, 0}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}};
  world.truth->picture_states = {"a", "b", "c", "d", "e"};
  const HeatLayout map = heat_figure(world).layout;
  EXPECT_FALSE(map.round);
  EXPECT_EQ(map.walls.size(), 1u);
  EXPECT_TRUE(map.edges.empty());
  // a world without a picture still shows its states
  world.truth->picture = {};
  EXPECT_EQ(heat_figure(world).layout.places.size(), 3u);
}

// on a map so large that its cells have no numbers
TEST(Page, DrawsTheLikeliestWayOfEverySeedAndCountsRooms) {
  const FixtureFolder folder("routes");
  for (int seed : {1, 2}) {
    const std::string run = folder / fmt::format("seed{}", seed);
    write_fixture(run, {.seed = seed});
    const std::string path = run + "/evaluation.json";
    std::string text = read_file(path);
    text.insert(
        1, seed == 1 ? R"("rooms":3,"route":["s0","s1","s2"],)" : R"("rooms":0,"route":["s0"],)");
    write_file(path, text);
  }
  ReportData data = read_report({folder.path()});
  WorldReport& world = data.worlds[0];
  Picture& picture = world.truth->picture = {};
  std::vector<std::string>& states = world.truth->picture_states = {};
  picture.lines.assign(30, std::string(30, '.'));
  for (int i = 0; i < 900; ++i) {
    picture.cells.push_back({i / 30, i % 30});
    states.push_back(fmt::format("s{}", i));
  }
  const HeatFigure figure = heat_figure(world);
  ASSERT_LT(figure.layout.cell, smallest_with_number);
  // a route of one state is not drawn
  ASSERT_EQ(figure.panels[0].routes.size(), 1u);
  EXPECT_EQ(figure.panels[0].routes[0].first, "seed 1");
  EXPECT_EQ(figure.panels[0].routes[0].second, (std::vector<int>{0, 1, 2}));
  const std::string page = page_html(data, {});
  EXPECT_EQ(count(page, "class=\"route\" data-route=\"seed 1\""), 1u);
  EXPECT_NE(page.find(">absorbing</th>"), std::string::npos);
  // a small map has numbers in its cells, and no lines
  picture.lines.assign(1, "...");
  picture.cells = {{0, 0}, {0, 1}, {0, 2}};
  states = {"s0", "s1", "s2"};
  EXPECT_TRUE(heat_figure(world).panels[0].routes.empty());
}

TEST(Page, DrawsTheFrontierWhereTheTruthHasIt) {
  const FixtureFolder folder("frontier");
  write_fixture(folder / "a", {.algorithm = "transition", .more = "lambda = 0.5\n"});
  write_fixture(folder / "b", {.algorithm = "transition", .more = "lambda = 0.0\n"});
  ReportData data = read_report({folder.path()});
  WorldReport& world = data.worlds[0];
  EXPECT_TRUE(frontier_figures(world).empty());
  world.truth->frontier = {
      {0, 1.5, 1.25, 0.5}, {0.5, 1.8, 1.0, 0.4}, {1, 2, 0.6, 0.3}, {1.5, 1.9, 0.2, 0.1}};
  world.truth->best_success = 0.6;
  const std::vector<FrontierFigure> figures = frontier_figures(world);
  ASSERT_EQ(figures.size(), 2u);
  // by increasing lambda, whatever the order of the folders
  EXPECT_EQ(figures[0].series[0].label, "λ 0");
  EXPECT_EQ(figures[0].series[1].label, "λ 0.5");
  ASSERT_EQ(figures[0].learned.size(), 2u);
  EXPECT_EQ(figures[0].learned[0].x, 1.5);
  EXPECT_EQ(figures[0].learned[0].y, 1.0);
  // the success of these runs was not measured: the curve alone
  EXPECT_TRUE(figures[1].learned.empty());
  EXPECT_EQ(figures[1].best, 0.6);
  const std::string svg = draw_frontier(figures[0], Form::file);
  // two in the legend, two runs, two points of the curve
  EXPECT_EQ(count(svg, "<circle"), 6u);
  EXPECT_NE(page_html(data, {}).find("Coverage against reaching"), std::string::npos);
}

TEST(Page, NumbersOfStatesAreDrawnFromTheLeastToTheLargest) {
  HeatLayout layout;
  layout.cell = 30;
  layout.width = 92, layout.height = 32;
  for (int i = 0; i < 3; ++i) layout.places.push_back({std::to_string(i), 16 + 30.0 * i, 16});
  const std::string svg =
      draw_value_sheet(layout, {{"H_max", {1.5, 2.5, std::nullopt}}}, "a map", Form::file);
  EXPECT_EQ(count(svg, "class=\"cell h0\""), 1u);
  EXPECT_EQ(count(svg, "class=\"cell h40\""), 1u);
  EXPECT_EQ(count(svg, "class=\"cell wall\""), 1u);
  EXPECT_NE(svg.find("2.500"), std::string::npos);
}

TEST(Page, HeatDistinguishesLittleFromNothing) {
  EXPECT_EQ(heat_level(0), 0);
  EXPECT_EQ(heat_level(1e-9), 1);
  EXPECT_EQ(heat_level(0.25), heat_levels / 2);
  EXPECT_EQ(heat_level(1), heat_levels);
}

TEST(Page, LabelsDoNotLieOnEachOther) {
  const auto places = spread({50, 52, 10, 53}, 13, 0, 60);
  EXPECT_EQ(places[2], 10);
  EXPECT_GE(places[1] - places[0], 13);
  EXPECT_GE(places[3] - places[1], 13);
  EXPECT_LE(places[3], 60);
}

TEST(Page, NamesAreSet) {
  EXPECT_EQ(typeset("H_at_D_max"), "<i>H</i><sub>at D max</sub>");
  EXPECT_EQ(typeset("p(s_f)"), "<i>p</i>(<i>s</i><sub>f</sub>)");
  EXPECT_EQ(typeset("r^E < 1"), "<i>r</i><sup>E</sup> &lt; 1");
  EXPECT_EQ(typeset("H_ 2 to_"), "<i>H</i>_ 2 to_");
  const auto split = [](std::string_view text) {
    const Symbol symbol = split_symbol(text);
    return fmt::format("{}|{}|{}", symbol.base, symbol.below, symbol.rest);
  };
  EXPECT_EQ(split("C_open 1.098"), "C|open| 1.098");
  EXPECT_EQ(split("warm-up"), "warm||-up");
}

TEST(Page, TicksAreRound) {
  EXPECT_EQ(round_ticks(0, 2.2, 5), (std::vector{0.0, 0.5, 1.0, 1.5, 2.0}));
  EXPECT_EQ(round_ticks(-1, 1, 4), (std::vector{-1.0, -0.5, 0.0, 0.5, 1.0}));
  EXPECT_EQ(round_ticks(3, 3, 4).size(), 1u);
}

}  // namespace
}  // namespace vic
