#include "report/data/report_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "base/text.h"
#include "report/data/summary.h"
#include "report/page/page.h"
#include "report/page/page_parts.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

// two seeds of each of two algorithms, a third seed unfinished, and a variant of one
ReportData sample(const FixtureFolder& folder) {
  write_fixture(folder / "i-1", {.seed = 1, .H = 1.4});
  write_fixture(folder / "i-2", {.seed = 2, .H = 1.6});
  write_fixture(folder / "i-10", {.seed = 10, .finished = false});
  write_fixture(folder / "t-1", {.algorithm = "transition", .H = 2.0});
  write_fixture(folder / "t-2", {.algorithm = "transition", .seed = 2, .H = 2.0});
  write_fixture(folder / "u-1", {.algorithm = "transition", .H = 1.8, .more = "lambda = 0.5\n"});
  return read_report({folder.path()});
}

TEST(ReportData, RunsThatDifferByTheirSeedAreOneSeries) {
  const FixtureFolder folder("series");
  const ReportData data = sample(folder);
  ASSERT_EQ(data.worlds.size(), 1u);
  const WorldReport& world = data.worlds[0];
  ASSERT_EQ(world.series.size(), 3u);
  EXPECT_EQ(world.series[0].label, "implicit");
  EXPECT_EQ(world.series[0].runs.size(), 3u);
  EXPECT_EQ(world.series[0].finished().size(), 2u);
  EXPECT_EQ(world.series[1].runs.size(), 2u);
  EXPECT_EQ(world.series[2].label, "transition · lambda=0.5");
  EXPECT_NE(world.series[1].colour, world.series[2].colour);
}

TEST(ReportData, ReadingStopsOnRequest) {
  const FixtureFolder folder("stop");
  write_fixture(folder / "a", {});
  StopRequest request;
  EXPECT_NO_THROW(read_report({folder.path()}, Stop(request)));
  request.wanted = true;
  EXPECT_THROW(read_report({folder.path()}, Stop(request)), Interrupted);
}

TEST(ReportData, GroupsHaveSectionsOfTheirOwn) {
  const FixtureFolder folder("groups");
  write_fixture(folder / "a", {});
  write_fixture(folder / "b", {.algorithm = "transition"});
  write_fixture(folder / "c", {.group = "with reward"});
  const ReportData data = read_report({folder.path()});
  ASSERT_EQ(data.worlds.size(), 2u);
  EXPECT_EQ(data.worlds[0].label, "line-noisy");
  EXPECT_EQ(data.worlds[0].series.size(), 2u);
  EXPECT_EQ(data.worlds[1].label, "with reward");
}

TEST(ReportData, CurvesAreMeansOverFinishedRuns) {
  const FixtureFolder folder("curves");
  const SeriesCurve curve = mean_curve(sample(folder).worlds[0].series[0], &RunCurve::I_hat);
  EXPECT_EQ(curve.n, 2);
  ASSERT_EQ(curve.update.size(), 10u);
  EXPECT_NEAR(curve.band.mean.back(), 1.5, 1e-12);
  EXPECT_NEAR(curve.band.low.back(), 1.4, 1e-12);
  EXPECT_NEAR(curve.band.high.back(), 1.6, 1e-12);
}

TEST(ReportData, LongCurvesAreThinnedAndKeepTheirEnd) {
  Series series;
  RunFiles& run = series.runs.emplace_back();
  for (long i = 1; i <= 5000; ++i) {
    run.curve.update.push_back(10 * i);
    run.curve.I_hat.push_back(static_cast<double>(i));
  }
  const SeriesCurve curve = mean_curve(series, &RunCurve::I_hat);
  EXPECT_LE(curve.update.size(), 1200u);
  EXPECT_GT(curve.update.size(), 900u);
  EXPECT_EQ(curve.update.back(), 50000);
  EXPECT_EQ(curve.band.mean.back(), 5000);
}

TEST(ReportData, SummaryIsOverSeeds) {
  const FixtureFolder folder("summary");
  const ReportData data = sample(folder);
  const SeriesSummary one = summarise(data.worlds[0], data.worlds[0].series[0]);
  EXPECT_EQ(one.finished, 2);
  EXPECT_EQ(one.unfinished, 1);
  EXPECT_DOUBLE_EQ(one.values["H"]->mean, 1.5);
  EXPECT_NEAR(*one.values["H"]->half, 12.7062 * 0.1, 1e-4);
  EXPECT_DOUBLE_EQ(one.values["H_share"]->mean, 75);
  EXPECT_DOUBLE_EQ(one.values["D_share"]->mean, 80);
  EXPECT_EQ(estimate_text(one.values["H"]), "1.5000 ± 1.2706");
  EXPECT_EQ(one.values["states"]->mean, 2);
}

TEST(ReportData, DifferencesArePairedBySeed) {
  const FixtureFolder folder("differences");
  const ReportData data = sample(folder);
  const std::vector<PairedDifference> list = paired_differences(data.worlds[0]);
  // the variant has one seed, and a single pair has no interval
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].label, data.worlds[0].series[1].label);
  EXPECT_EQ(list[0].other, "implicit");
  EXPECT_EQ(std::string(list[0].measure), "H");
  // 2.0 - 1.4 and 2.0 - 1.6
  EXPECT_EQ(list[0].value.n, 2);
  EXPECT_NEAR(list[0].value.mean, 0.5, 1e-12);
  EXPECT_NEAR(*list[0].value.half, 12.7062 * 0.1, 1e-4);
  EXPECT_NEAR(list[0].value.iqm, 0.5, 1e-12);
  EXPECT_NE(terminal_table(data, Ink::plain, 116).find(", 2 pairs: H 0.5000 ± 1.2706 (IQM 0.5000)"),
            std::string::npos);
  EXPECT_NE(table_json(data).find("\"minus\": \"implicit\""), std::string::npos);
}

TEST(ReportData, TableSaysWhatIsUnfinishedAndFitsATerminal) {
  const FixtureFolder folder("table");
  const ReportData data = sample(folder);
  const std::string plain = terminal_table(data, Ink::plain);
  EXPECT_NE(plain.find("2 (+1 unfinished)"), std::string::npos) << plain;
  EXPECT_NE(plain.find("1.5000 ± 1.2706"), std::string::npos) << plain;
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  EXPECT_NE(terminal_table(data, Ink::colour).find("\x1b[1m"), std::string::npos);
  std::size_t columns = 0;
  for (char c : plain) {
    columns = c == '\n' ? 0 : columns + ((c & 0xC0) != 0x80);
    ASSERT_LE(columns, 120u);
  }
}

TEST(Table, ColumnsMoveTogetherBeforeTheyGoBelow) {
  const FixtureFolder folder("columns");
  write_fixture(folder / "a", {});
  const ReportData data = read_report({folder.path()});
  const auto lines_of = [&](std::size_t columns) {
    std::istringstream text(terminal_table(data, Ink::plain, columns));
    std::vector<std::string> lines;
    // up to the empty line, below which are notes
    for (std::string line; std::getline(text, line) && !line.empty();) lines.push_back(line);
    return lines;
  };
  const auto wide = lines_of(400);
  ASSERT_EQ(wide.size(), 3u);
  const std::size_t width = text_width(wide[2]);
  EXPECT_EQ(lines_of(width), wide);
  const auto closer = lines_of(width - 1);
  EXPECT_EQ(closer.size(), 3u);
  EXPECT_LT(text_width(closer[2]), width);
  const auto below = lines_of(40);
  EXPECT_GT(below.size(), 4u);
  for (const std::string& line : below) EXPECT_LE(text_width(line), 40u) << line;
}

TEST(ReportData, CsvHasARowForEveryRun) {
  const FixtureFolder folder("csv");
  const std::string csv = run_csv(sample(folder));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);
  EXPECT_TRUE(csv.starts_with("folder,world,algorithm,seed,finished,")) << csv;
  EXPECT_NE(csv.find(",posterior.rho_ratio,train.lambda\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("line-noisy,transition,1,true,100,true,1.8,1,0.8,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("line-noisy,implicit,10,false,40,,"), std::string::npos) << csv;
}

TEST(ReportData, CommandsNameWhatIsNotADefault) {
  const FixtureFolder folder("commands");
  const ReportData data = sample(folder);
  EXPECT_EQ(train_command(data.worlds[0], data.worlds[0].series[2]),
            "for seed in 1; do ./vic train line-noisy --algorithm transition --seed $seed "
            "--updates 80 --set train.lambda=0.5 --set train.warm_up=20 --out "
            "again/line-noisy-transition-lambda-0.5-$seed; done");
}

TEST(Claims, ShowsWhatWasMeasuredAndWhatWasWanted) {
  const FixtureFolder folder("verdicts");
  write_file(folder / "verdict.json", R"({"title": "Figure 4", "claims": [
    {"text": "large", "source": "ours", "see": "", "group": "line", "algorithm": "implicit",
     "measure": "H", "wanted": "at least 1", "verdict": "holds", "measured": 1.25,
     "measured_as": "mean", "low": 1.2, "high": 1.3, "effect": null, "seeds": 5},
    {"text": "larger", "source": "paper, Section 6.2", "see": "docs/claims.md", "group": "line",
     "algorithm": "implicit", "measure": "H", "wanted": "at least 2", "verdict": "undecided",
     "measured": null, "measured_as": "not known for 2 of 5 seeds", "low": null, "high": null,
     "effect": null, "seeds": 5}]})");
  const std::vector<ClaimRow> rows = read_claims({"/nowhere", folder.path()});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].claim, "large: line, implicit");
  EXPECT_EQ(rows[0].measured, "1.2500 [1.2000, 1.3000] (mean of 5)");
  EXPECT_EQ(rows[0].threshold, "H at least 1");
  EXPECT_EQ(rows[0].verdict, "holds");
  EXPECT_EQ(rows[1].source, "paper, Section 6.2");
  EXPECT_EQ(rows[1].measured, "not known for 2 of 5 seeds");
  EXPECT_EQ(rows[1].verdict, "undecided");
  EXPECT_EQ(rows[1].see, "docs/claims.md");
  EXPECT_EQ(
      claims_markdown(rows),
      "## Figure 4\n\n| claim | source | measured | must be | verdict |\n"
      "|---|---|---|---|---|\n"
      "| large: line, implicit | ours | 1.2500 [1.2000, 1.3000] (mean of 5) | H at least 1 | "
      "holds |\n"
      "| larger: line, implicit | paper, Section 6.2 | not known for 2 of 5 seeds | H at least "
      "2 | [undecided](claims.md) |\n");
}

TEST(Claims, TheIntroductionOfAPageIsKept) {
  EXPECT_EQ(with_tables("", "## New\n"), "## New\n");
  EXPECT_EQ(with_tables("## Old\n", "## New\n"), "## New\n");
  EXPECT_EQ(with_tables("# Claims\n\nWhy.\n\n## Old\n\n## Older\n", "## New\n"),
            "# Claims\n\nWhy.\n\n## New\n");
  EXPECT_EQ(with_tables("Why.", "## New\n"), "Why.\n\n## New\n");
}

TEST(Claims, ThePageIsGeneratedFromTheVerdicts) {
  const std::string docs = std::string(VIC_SOURCE_DIR) + "/docs";
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(docs + "/verdicts")) {
    folders.push_back(entry.path().string());
  }
  std::ranges::sort(folders);
  const std::string tables = claims_markdown(read_claims(folders));
  EXPECT_GT(std::ranges::count(tables, '\n'), 20);
  EXPECT_TRUE(read_file(docs + "/claims.md").ends_with(tables));
}

TEST(Claims, NamesWhatIsDamaged) {
  const FixtureFolder folder("damaged-verdicts");
  write_file(folder / "verdict.json", R"({"claims": [{"claim": "large"}]})");
  EXPECT_THROW(read_claims({folder.path()}), UsageError);
}

}  // namespace
}  // namespace vic
