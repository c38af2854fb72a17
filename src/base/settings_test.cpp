#include "base/settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace vic {
namespace {

struct Example {
  int T_max = 5;
  double noise = 0.3;
  std::string start = "0";

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T_max", T_max, Range{2, 100}, "actions");
    field("noise", noise, Range{0, 1}, "chance");
    field("start", start, Range{}, "where");
  }
};

Example apply(std::vector<Assignment> assignments) {
  Overrides overrides(std::move(assignments));
  Example example;
  overrides.apply("world", example);
  overrides.finish();
  return example;
}

std::string message(std::vector<Assignment> assignments) {
  try {
    apply(std::move(assignments));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Settings, TakeTheLastAssignment) {
  const Example example =
      apply({parse_assignment("world.noise=0.1"), parse_assignment("world.T_max=7"),
             parse_assignment("world.noise=0.2"), parse_assignment("world.start=a=b")});
  EXPECT_EQ(example.noise, 0.2);
  EXPECT_EQ(example.T_max, 7);
  EXPECT_EQ(example.start, "a=b");
}

TEST(Settings, NameKeyValueAndRangeOfAWrongValue) {
  EXPECT_EQ(message({parse_assignment("world.noise=2")}),
            "--set: world.noise = 2 is not allowed; it must be a number from 0 to 1.");
  EXPECT_EQ(message({parse_assignment("world.T_max=5.5")}),
            "--set: world.T_max = 5.5 is not allowed; it must be a whole number from 2 to 100.");
  for (const char* bad : {"nan", "inf", "", "0.1x", " 0.1", "1e400", "0x1"}) {
    EXPECT_NE(message({{"world.noise", bad, "--set"}}), "no error") << bad;
  }
  EXPECT_NE(message({parse_assignment("world.T_max=99999999999")}), "no error");
}

TEST(Settings, FindUnknownKeys) {
  EXPECT_EQ(message({parse_assignment("world.nois=0.2")}),
            "--set: there is no setting world.nois; did you mean world.noise?");
  EXPECT_THROW(parse_assignment("noise"), UsageError);
  EXPECT_THROW(parse_assignment("=3"), UsageError);
}

TEST(Settings, AreReadFromFilesWithTheLineOfEach) {
  const std::string path = testing::TempDir() + "vic_settings.toml";
  std::ofstream(path) << "# a comment\n[world]\nnoise = 0.25\nT_max = 9\nstart = \"3\"\n";
  const Example example = apply(read_settings_file(path));
  EXPECT_EQ(example.noise, 0.25);
  EXPECT_EQ(example.T_max, 9);
  EXPECT_EQ(example.start, "3");

  std::ofstream(path) << "[world]\nnose = 1\n";
  EXPECT_EQ(message(read_settings_file(path)),
            path + ":2: there is no setting world.nose; did you mean world.noise?");
  std::ofstream(path) << "[world\n";
  EXPECT_THROW(read_settings_file(path), UsageError);
  std::ofstream(path) << "[world]\nnoise = [1]\n";
  EXPECT_THROW(read_settings_file(path), UsageError);
  std::filesystem::remove(path);
}

TEST(Settings, AreTheSameWhenWrittenAndReadBack) {
  const std::string path = testing::TempDir() + "vic_settings_text.toml";
  const std::vector<Assignment> said = {{"run.world", "bob's \"maze\"\\\n\x01.toml", ""},
                                        {"world.noise", "0.25", ""},
                                        {"world.start", "4,4", ""}};
  std::ofstream(path) << settings_text(said);
  const std::vector<Assignment> read = read_settings_file(path);
  ASSERT_EQ(read.size(), said.size());
  for (std::size_t i = 0; i < said.size(); ++i) {
    EXPECT_EQ(read[i].key, said[i].key);
    EXPECT_EQ(read[i].value, said[i].value);
  }
  std::filesystem::remove(path);
}

TEST(Settings, DescribeThemselves) {
  const auto list = describe("world", Example{});
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].key, "world.T_max");
  EXPECT_EQ(list[1].value, "0.3");
  EXPECT_EQ(list[1].allowed, "a number from 0 to 1");
}

}  // namespace
}  // namespace vic
