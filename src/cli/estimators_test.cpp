// vic estimators as users meet it.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "support/program_run.h"

namespace vic {
namespace {

const std::vector<std::string> quick = {"--set", "estimators.repeats=3", "--set",
                                        "estimators.largest=64"};

std::vector<std::string> with_quick(std::vector<std::string> args) {
  args.insert(args.end(), quick.begin(), quick.end());
  return args;
}

TEST(EstimatorsCommand, HasATableForPeopleAndTheSameNumbersAsADocument) {
  const Result text = run(with_quick({"estimators", "tree-noisy"}));
  EXPECT_EQ(text.code, exit_done) << text.err;
  for (const char* name : {"plug-in", "Miller-Madow", "Chao-Shen", "Chao-Wang-Jost", "NSB",
                           "InfoNCE", "NWJ", "I^VE, eq. 12", "I^VE_sigma, eq. 18", "pi_q"}) {
    EXPECT_NE(text.out.find(name), std::string::npos) << name;
  }
  const Json json = Json::parse(run(with_quick({"estimators", "tree-noisy", "--json"})).out);
  EXPECT_EQ(json.at("world"), "tree-noisy");
  EXPECT_NEAR(json.at("D").get<double>() + json.at("N").get<double>(), json.at("H").get<double>(),
              1e-9);
  const Json& plug_in = json.at("estimators").at(0);
  EXPECT_EQ(plug_in.at("points").size(), 3);
  const Json& point = plug_in.at("points").at(0);
  EXPECT_EQ(point.at("n"), 16);
  EXPECT_NEAR(point.at("mean").get<double>() - json.at("H").get<double>(),
              point.at("bias").get<double>(), 1e-12);
  EXPECT_TRUE(point.at("bound").is_null());
}

TEST(EstimatorsCommand, DrawsAFigure) {
  const std::string path = testing::TempDir() + "vic_estimators.svg";
  EXPECT_EQ(run(with_quick({"estimators", "--svg", path})).code, exit_done);
  const std::string svg = read_file(path);
  EXPECT_TRUE(svg.starts_with("<svg")) << svg.substr(0, 40);
  EXPECT_NE(svg.find("Chao-Wang-Jost"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  std::filesystem::remove(path);
}

TEST(EstimatorsCommand, RefusesAWorldWhoseTruthIsNotKnown) {
  const Result result = run({"estimators", "four-rooms"});
  EXPECT_EQ(result.code, exit_usage);
  EXPECT_NE(result.err.find("estimators.histories"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace vic
