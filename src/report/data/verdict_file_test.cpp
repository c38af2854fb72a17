#include "report/data/verdict_file.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

TEST(VerdictFile, ShowsWhatWasMeasuredAndWhatWasWanted) {
  const FixtureFolder folder("verdicts");
  write_file(folder / "verdict.json", R"({"title": "Figure 4", "claims": [
    {"claim": "large", "group": "line", "algorithm": "implicit", "measure": "H", "wanted":
     "at least 1", "measured": 1.25, "measured_as": "mean", "seeds": 5, "pass": true},
    {"claim": "larger", "group": "line", "algorithm": "implicit", "measure": "H", "wanted":
     "at least 2", "measured": null, "measured_as": "not known for 2 of 5 seeds", "seeds": 5,
     "pass": false}]})");
  const std::vector<ClaimRow> rows = read_claims({"/nowhere", folder.path()});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].claim, "large: line, implicit");
  EXPECT_EQ(rows[0].measured, "1.2500 (mean of 5)");
  EXPECT_EQ(rows[0].threshold, "H at least 1");
  EXPECT_TRUE(rows[0].pass);
  EXPECT_EQ(rows[1].measured, "not known for 2 of 5 seeds");
  EXPECT_FALSE(rows[1].pass);
}

TEST(VerdictFile, NamesWhatIsDamaged) {
  const FixtureFolder folder("damaged-verdicts");
  write_file(folder / "verdict.json", R"({"claims": [{"claim": "large"}]})");
  EXPECT_THROW(read_claims({folder.path()}), UsageError);
}

}  // namespace
}  // namespace vic
