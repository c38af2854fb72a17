// Figures with axes and heat maps: room for curves, names and states.
#include <gtest/gtest.h>

#include "report/figures/charts.h"
#include "report/figures/heat_figure.h"
#include "support/count.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

// a figure of one line for each pair of a warm-up and a last update
CurveFigure figure_of(const std::vector<std::pair<long, long>>& lines) {
  CurveFigure figure;
  figure.title = "curves";
  for (const auto& [warm_up, last] : lines) {
    SeriesCurve curve{.update = {1, last}, .band = {{1, 2}, {1, 2}, {1, 2}}, .n = 1};
    figure.lines.push_back({"one", 0, warm_up, curve});
  }
  figure.range = {0, 3};
  figure.choose_axis();
  return figure;
}

TEST(Curves, AxisGivesTheCurvesRoom) {
  EXPECT_EQ(figure_of({{100, 4100}, {100, 4100}}).axis, CurveAxis::all);
  // otherwise most of it would be warm-up
  EXPECT_EQ(figure_of({{2000, 2500}}).axis, CurveAxis::policy);
  // aligned at the beginning of learning
  EXPECT_EQ(figure_of({{100, 4100}, {500, 4500}}).axis, CurveAxis::policy);
  // a short run beside a long one
  EXPECT_EQ(figure_of({{0, 1000}, {0, 10000}}).axis, CurveAxis::log);
  // a run that is still in its warm-up has learned nothing yet
  EXPECT_EQ(figure_of({{2000, 1000}}).axis, CurveAxis::all);
}

TEST(Curves, FiguresForPapersNameTheirAxesAndCountWholeUpdates) {
  CurveFigure figure = figure_of({{0, 4}});
  figure.y_title = "nats of it";
  const std::string svg = draw_curves(figure, Form::file);
  EXPECT_NE(svg.find(">updates<"), std::string::npos);
  EXPECT_NE(svg.find(">nats of it<"), std::string::npos);
  EXPECT_EQ(count(svg, ">0.5<"), 1u) << "there is no half of an update";
  const std::string log = draw_curves(figure_of({{0, 100}, {0, 12000}}), Form::file);
  for (const char* tick : {">10<", ">100<", ">1,000<", ">10,000<"}) {
    EXPECT_NE(log.find(tick), std::string::npos) << tick;
  }
}

TEST(Columns, SplitOfATrainingIsTheMeanOverItsRuns) {
  const FixtureFolder folder("control");
  const auto line = [](int update, double D, double N) {
    return fmt::format("{{\"update\":{},\"exact\":true,\"H\":{},\"D\":{},\"N\":{}}}\n", update,
                       D + N, D, N);
  };
  write_fixture(folder / "a", {.seed = 1});
  write_fixture(folder / "b", {.seed = 2});
  const auto figure = [&] {
    const ReportData data = read_report({folder.path()});
    return draw_control(data.worlds[0], data.worlds[0].series[0], Form::file);
  };
  EXPECT_EQ(figure(), "") << "nothing was logged yet";
  write_file(folder / "a/control.jsonl", line(20, 1, 0.5) + line(40, 1, 0.75));
  write_file(folder / "b/control.jsonl", line(20, 0.5, 0.5) + line(40, 0.5, 1) + line(60, 1, 1));
  const std::string svg = figure();
  EXPECT_EQ(count(svg, "class=\"control\""), 2u) << "at the updates that both have";
  EXPECT_EQ(count(svg, "class=\"chance\""), 2u);
  EXPECT_NE(svg.find("update 20: D 0.750 + N 0.500 = H 1.250"), std::string::npos) << svg;
  EXPECT_NE(svg.find("update 40: D 0.750 + N 0.875 = H 1.625"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">D<"), std::string::npos) << "D_max is there to compare with";
  // sampled: H, and no split
  write_file(folder / "b/control.jsonl", R"({"update":20,"exact":false,"H":1.5,"D":null,"N":null})"
                                         "\n");
  EXPECT_EQ(count(figure(), "class=\"control\""), 0u);
  EXPECT_EQ(count(figure(), "class=\"whole\""), 1u);
}

TEST(Bars, LongNamesHaveLinesOfTheirOwn) {
  const FixtureFolder folder("long-names");
  write_fixture(folder / "a", {});
  const ReportData data = read_report({folder.path()});
  const auto height_of = [&](const std::string& label) {
    SeriesSummary one = summarise(data.worlds[0], data.worlds[0].series[0]);
    one.label = label;
    const std::string svg = draw_bars(data.worlds[0], {one}, Form::file);
    const std::size_t at = svg.find("height=\"") + 8;
    return std::stod(svg.substr(at));
  };
  const double plain = height_of("implicit");
  EXPECT_EQ(height_of("implicit · lambda=0"), plain);
  EXPECT_EQ(height_of("implicit · learning_rate=0.001 · batch=64"), plain + 15);
  EXPECT_EQ(height_of("implicit · learning_rate=0.001 · baseline_rate=0.25 · batch=64 · hidden=32"),
            plain + 30);
}

TEST(Heat, TablesWithCoordinatesAreDrawnAsGraphsWithNames) {
  const FixtureFolder folder("graph");
  write_fixture(folder / "a", {});
  ReportData data = read_report({folder.path()});
  WorldTruth& truth = *data.worlds[0].truth;
  truth.picture = {};
  truth.picture_states.clear();
  truth.graph = {{{"-1", 0, 0}, {"0", 3, 4}, {"1", 6, 0}}, {{"-1", "0"}, {"0", "1"}}};
  const HeatFigure figure = heat_figure(data.worlds[0]);
  const HeatLayout& layout = figure.layout;
  ASSERT_EQ(layout.places.size(), 3u);
  EXPECT_EQ(layout.edges.size(), 2u);
  EXPECT_EQ(layout.labels.size(), 3u);
  EXPECT_EQ(layout.start, 1);
  // x to the right, y upwards
  EXPECT_LT(layout.places[0].x, layout.places[1].x);
  EXPECT_LT(layout.places[1].y, layout.places[0].y);
  EXPECT_DOUBLE_EQ(layout.places[0].y, layout.places[2].y);
  EXPECT_EQ(count(draw_heat(figure, figure.panels[0], Form::file), "<circle"), 3u);
}

TEST(Heat, StatesWithoutAnyPlaceAreNamed) {
  const FixtureFolder folder("no-places");
  write_fixture(folder / "a", {});
  ReportData data = read_report({folder.path()});
  data.worlds[0].truth->picture = {};
  const HeatFigure figure = heat_figure(data.worlds[0]);
  EXPECT_EQ(figure.layout.labels.size(), figure.layout.places.size());
}

}  // namespace
}  // namespace vic
