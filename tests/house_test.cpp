// The rules of the house, checked on the files themselves.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "base/file.h"
#include "eval/evaluate.h"
#include "eval/reach.h"
#include "oracle/truth.h"
#include "run/run_folder.h"
#include "sim/mujoco/physics_registry.h"
#include "world/registry.h"

namespace vic {
namespace {

const std::filesystem::path root = VIC_SOURCE_DIR;

// folders by rank: includes go down only, and equal ranks do not see each other
const std::map<std::string, int> rank = {
    {"base", 0},       {"info", 1},   {"sim", 2},    {"world", 3}, {"nn", 3},
    {"oracle", 4},     {"model", 4},  {"method", 5}, {"eval", 6},  {"run", 7},
    {"experiment", 8}, {"report", 8}, {"bench", 8},  {"cli", 9}};

std::vector<std::filesystem::path> sources() {
  std::vector<std::filesystem::path> list;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "src")) {
    const auto extension = entry.path().extension();
    if (extension == ".h" || extension == ".cpp") list.push_back(entry.path());
  }
  return list;
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(House, IncludesGoDown) {
  const std::regex include("#include \"(\\w+)/.*");
  int checked = 0;
  for (const auto& path : sources()) {
    const std::string folder = *std::filesystem::relative(path, root / "src").begin();
    ASSERT_TRUE(rank.contains(folder)) << folder << " has no rank";
    for (const std::string& line : lines_of(path)) {
      std::smatch match;
      if (!std::regex_match(line, match, include)) continue;
      if (match[1] == "support" && path.string().ends_with("_test.cpp")) continue;
      ASSERT_TRUE(rank.contains(match[1])) << path << ": " << line;
      if (match[1] != folder) {
        EXPECT_LT(rank.at(match[1]), rank.at(folder)) << path << ": " << line;
      }
      ++checked;
    }
  }
  EXPECT_GT(checked, 100);
}

TEST(House, FilesAndLinesStayShort) {
  for (const auto& path : sources()) {
    const auto lines = lines_of(path);
    EXPECT_LE(lines.size(), 400u) << path << " is probably two ideas";
    for (std::size_t i = 0; i < lines.size(); ++i) {
      // letters beyond ASCII are more than one byte
      std::size_t columns = 0;
      for (char c : lines[i]) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      EXPECT_LE(columns, 100u) << path << ":" << i + 1;
    }
  }
}

TEST(House, EverySourceOpensWithASentenceOrItsHeader) {
  for (const auto& path : sources()) {
    const auto lines = lines_of(path);
    ASSERT_FALSE(lines.empty()) << path;
    EXPECT_TRUE(lines[0].starts_with("//") || lines[0].starts_with("#include \"")) << path;
    EXPECT_TRUE(path.extension() != ".h" || lines[0].starts_with("// ")) << path;
  }
}

TEST(House, DocsKnowEverySettingAndEveryWorld) {
  const std::string exact = read_file(root / "docs/exact.md");
  for (const SettingInfo& info : describe("exact", ExactSettings{})) {
    EXPECT_NE(exact.find("`" + info.key + "`"), std::string::npos) << info.key;
  }
  const std::string method = read_file(root / "docs/method.md");
  for (const auto& list : {describe("train", TrainSettings{}), describe("run", RunSettings{}),
                           describe("eval", EvalSettings{})}) {
    for (const SettingInfo& info : list) {
      EXPECT_NE(method.find("`" + info.key + "`"), std::string::npos) << info.key;
    }
  }
  Metrics{}.visit([&](const std::string& name, auto) {
    EXPECT_NE(method.find("`" + name + "`"), std::string::npos) << name;
  });
  const std::string reach = read_file(root / "docs/reach.md");
  for (const SettingInfo& info : describe("reach", ReachSettings{})) {
    EXPECT_NE(reach.find("`" + info.key + "`"), std::string::npos) << info.key;
  }
  const std::string worlds = read_file(root / "docs/worlds.md");
  for (const WorldEntry& entry : registry()) {
    EXPECT_NE(worlds.find("`" + entry.name + "`"), std::string::npos) << entry.name;
    for (const SettingInfo& info : entry.settings()) {
      EXPECT_NE(worlds.find("`" + info.key + "`"), std::string::npos) << info.key;
    }
  }
}

TEST(House, DocsKnowEveryPhysicsWorldAndItsSettings) {
  const std::string physics = read_file(root / "docs/physics.md");
  const std::string worlds = read_file(root / "docs/worlds.md");
  for (const PhysicsEntry& entry : physics_registry()) {
    EXPECT_NE(physics.find("`" + entry.name + "`"), std::string::npos) << entry.name;
    EXPECT_NE(worlds.find("`" + entry.name + "`"), std::string::npos) << entry.name;
    for (const SettingInfo& info : describe("world", entry.defaults)) {
      EXPECT_NE(physics.find("`" + info.key + "`"), std::string::npos) << info.key;
    }
  }
}

TEST(House, ReadmeNamesEveryFolder) {
  const std::string readme = read_file(root / "README.md");
  for (const auto& entry : std::filesystem::directory_iterator(root / "src")) {
    if (!entry.is_directory()) continue;
    EXPECT_NE(readme.find("src/" + entry.path().filename().string()), std::string::npos)
        << entry.path();
  }
}

}  // namespace
}  // namespace vic
