// The rules of CONTRIBUTING.md, checked on the files themselves.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "eval/evaluate.h"
#include "eval/reach.h"
#include "method/algorithm.h"
#include "oracle/truth.h"
#include "run/run_folder.h"
#include "sim/world.h"
#include "support/pattern.h"
#include "support/program_run.h"
#include "world/registry.h"

namespace vic {
namespace {

const std::filesystem::path root = VIC_SOURCE_DIR;

// folders by rank: includes go down only, and equal ranks do not see each other
const std::map<std::string, int> rank = {
    {"base", 0},  {"info", 1},   {"world", 2}, {"nn", 2},   {"sim", 3},        {"oracle", 4},
    {"model", 4}, {"method", 5}, {"eval", 6},  {"run", 7},  {"experiment", 8}, {"report", 8},
    {"bench", 8}, {"serve", 9},  {"cli", 10},  {"api", 11}, {"ranks", 1}};

std::vector<std::filesystem::path> sources() {
  std::vector<std::filesystem::path> list;
  for (const char* folder : {"src", "bench"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const auto extension = entry.path().extension();
      if (extension == ".h" || extension == ".cpp") list.push_back(entry.path());
    }
  }
  return list;
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// letters beyond ASCII take more than one byte
std::size_t columns_of(const std::string& line) {
  std::size_t columns = 0;
  for (char c : line) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return columns;
}

TEST(House, IncludesGoDown) {
  const Pattern include("^#include \"(\\w+)/");
  int checked = 0;
  for (const auto& path : sources()) {
    const auto place = std::filesystem::relative(path, root);
    const std::string folder = *place.begin() == "src" ? *std::next(place.begin()) : *place.begin();
    ASSERT_TRUE(rank.contains(folder)) << folder << " has no rank";
    for (const std::string& line : lines_of(path)) {
      for (const std::string& other : include.groups_in(line)) {
        if (other == "support" && path.string().ends_with("_test.cpp")) continue;
        ASSERT_TRUE(rank.contains(other)) << path << ": " << line;
        if (other != folder) {
          EXPECT_LT(rank.at(other), rank.at(folder)) << path << ": " << line;
        }
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 100);
}

// headers that take seconds to compile, and the only file that may include them
const std::map<std::string, std::string> expensive_headers = {
    {"#include <CLI/", "src/cli/arguments.cpp"},
    {"#include <fmt/ostream.h>", "no file: base/print.h does the same"},
    {"#include <regex>", "no file: tests have support/pattern.h"},
};

TEST(House, ExpensiveHeadersStayWhereTheyBelong) {
  for (const auto& path : sources()) {
    for (const std::string& line : lines_of(path)) {
      for (const auto& [header, place] : expensive_headers) {
        if (!line.starts_with(header)) continue;
        EXPECT_EQ(std::filesystem::relative(path, root), place) << line;
      }
    }
  }
}

TEST(House, FilesAndLinesStayShort) {
  for (const auto& path : sources()) {
    const auto lines = lines_of(path);
    EXPECT_LE(lines.size(), 400u) << path << " is probably two ideas";
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_LE(columns_of(lines[i]), 100u) << path << ":" << i + 1;
    }
  }
}

// A function outside of a class: its first line, and the lines between its braces.
struct Function {
  std::size_t line;
  std::vector<std::string> body;

  // whether it only holds one table and returns it
  bool is_table() const {
    return body.size() > 1 && body.front().starts_with("  static const ") &&
           body[body.size() - 2] == "  };" && body.back().starts_with("  return ");
  }
};

// The functions of a file as clang-format leaves it: they begin and end in the first column. Types
// and variables end with a semicolon.
std::vector<Function> functions_in(const std::vector<std::string>& lines) {
  const Pattern other("(namespace|extern|#|//|[}]).*");
  std::vector<Function> functions;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty() || lines[i][0] == ' ' || other.matches(lines[i])) continue;
    // a signature may take several lines
    std::size_t open = i;
    while (open < lines.size() && !lines[open].ends_with("{") && !lines[open].ends_with(";")) {
      ++open;
    }
    if (open == lines.size() || lines[open].ends_with(";")) continue;
    std::size_t close = open + 1;
    while (close < lines.size() && !lines[close].starts_with("}")) ++close;
    if (close < lines.size() && lines[close] == "}") {
      functions.push_back({i + 1,
                           {lines.begin() + static_cast<std::ptrdiff_t>(open) + 1,
                            lines.begin() + static_cast<std::ptrdiff_t>(close)}});
    }
    i = close;
  }
  return functions;
}

TEST(House, FunctionsStayShort) {
  std::size_t checked = 0;
  for (const auto& path : sources()) {
    for (const Function& function : functions_in(lines_of(path))) {
      ++checked;
      if (function.is_table()) continue;
      EXPECT_LT(function.body.size(), 60u) << path << ":" << function.line;
    }
  }
  EXPECT_GT(checked, 1000u);
}

TEST(House, FunctionsAreFoundWhereTheyAre) {
  const std::vector<Function> found = functions_in(
      {"namespace vic {", "struct A {", "  int x;", "};", "template <class T>", "int f(int a,",
       "      int b) {", "  return a;", "}", "void g();", "}  // namespace vic"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].line, 5u);
  EXPECT_EQ(found[0].body, std::vector<std::string>{"  return a;"});
}

TEST(House, EverySourceOpensWithASentenceOrItsHeader) {
  for (const auto& path : sources()) {
    const auto lines = lines_of(path);
    ASSERT_FALSE(lines.empty()) << path;
    EXPECT_TRUE(lines[0].starts_with("//") || lines[0].starts_with("#include \"")) << path;
    EXPECT_TRUE(path.extension() != ".h" || lines[0].starts_with("// ")) << path;
  }
}

// the prose of the pages, without code blocks and tables
TEST(House, LinesOfProseStayShort) {
  std::vector<std::filesystem::path> pages = {root / "README.md", root / "CONTRIBUTING.md",
                                              root / "CHANGELOG.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  EXPECT_GT(pages.size(), 10u);
  for (const auto& path : pages) {
    const auto lines = lines_of(path);
    bool code = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].starts_with("```")) code = !code;
      if (code || lines[i].starts_with("|")) continue;
      EXPECT_LE(columns_of(lines[i]), 120u) << path << ":" << i + 1;
    }
  }
}

TEST(House, HelpAndDocsKnowEveryAlgorithm) {
  const std::string help = run({"train", "--help"}).out;
  const std::size_t begin = help.find("--algorithm ");
  ASSERT_NE(begin, std::string::npos);
  const std::string choices = help.substr(begin, help.find("\n  --", begin) - begin);
  const std::string method = read_file(root / "docs/method.md");
  for (const Algorithm& algorithm : algorithms()) {
    const std::string name(algorithm.name);
    EXPECT_NE(choices.find(name), std::string::npos) << name << " in " << choices;
    EXPECT_NE(method.find("`" + name + "`"), std::string::npos) << name;
    for (const std::string_view setting : algorithm.settings) {
      EXPECT_NE(method.find(fmt::format("`train.{}`", setting)), std::string::npos) << setting;
    }
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

TEST(House, DocsKnowEverySimulatedWorldAndItsSettings) {
  const std::string physics = read_file(root / "docs/physics.md");
  const std::string worlds = read_file(root / "docs/worlds.md");
  for (const SimulatorFamily& family : simulator_registry()) {
    for (const SimulatorEntry& entry : family.entries) {
      EXPECT_NE(physics.find("`" + entry.name + "`"), std::string::npos) << entry.name;
      EXPECT_NE(worlds.find("`" + entry.name + "`"), std::string::npos) << entry.name;
      for (const SettingInfo& info : family.settings(entry.name)) {
        EXPECT_NE(physics.find("`" + info.key + "`"), std::string::npos) << info.key;
      }
    }
  }
}

// a simulator is one of several: nothing else includes MuJoCo or knows its files
TEST(House, OnlyItsOwnFolderKnowsMujoco) {
  int mentions = 0;
  std::vector<std::filesystem::path> all = sources();
  for (const auto& entry : std::filesystem::directory_iterator(root / "bench")) {
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h") {
      all.push_back(entry.path());
    }
  }
  for (const auto& path : all) {
    const bool own = path.string().find("/sim/mujoco/") != std::string::npos;
    const std::string text = read_file(path);
    const bool test = path.string().ends_with("_test.cpp");
    for (const char* word : {"mujoco/mujoco.h", "mjModel", "\".xml\""}) {
      const bool found = text.find(word) != std::string::npos;
      mentions += found;
      EXPECT_TRUE(own || test || !found) << path << " knows " << word;
    }
  }
  EXPECT_GT(mentions, 3);
}

TEST(House, OnlyTheirModuleKnowsMpi) {
  for (const auto& path : sources()) {
    const bool knows = read_file(path).find("<mpi.h>") != std::string::npos;
    EXPECT_EQ(knows, std::filesystem::relative(path, root) == "src/ranks/mpi_module.cpp") << path;
  }
}

// "How to read the method": the lines of code in its files, without comments and blank lines
TEST(House, TheMethodIsAsLongAsTheArchitectureHasIt) {
  const std::string page = read_file(root / "docs/architecture.md");
  const std::string section = page.substr(page.find("## How to read the method"));
  const std::string list = section.substr(0, section.find("The table of algorithms"));
  const auto promised = Pattern("some ([0-9]+) lines of code").groups_in(list);
  ASSERT_EQ(promised.size(), 1u);
  const Pattern code("\\s*[^/ ].*|\\s*/[^/].*");
  double lines = 0;
  for (const std::string& file : Pattern("`(src/[a-z_/.]+)`").groups_in(list)) {
    for (const std::string& line : lines_of(root / file)) lines += code.matches(line);
  }
  EXPECT_NEAR(lines / std::stod(promised[0]), 1, 0.1) << lines;
}

// the program's version, which several files repeat
TEST(House, TheVersionIsTheSameEverywhere) {
  const std::string version = run({"--version"}).out.substr(4);
  const std::string number = version.substr(0, version.find('\n'));
  EXPECT_NE(read_file(root / "CITATION.cff").find("\nversion: " + number + "\n"),
            std::string::npos);
  EXPECT_NE(read_file(root / "README.md").find("version = {" + number + "}"), std::string::npos);
  const std::string changes = read_file(root / "CHANGELOG.md");
  EXPECT_EQ(changes.find("## " + number + "\n"), changes.find("## "));
}

TEST(House, TheArchitectureNamesEveryFolder) {
  const std::string page = read_file(root / "docs/architecture.md");
  for (const auto& entry : std::filesystem::directory_iterator(root / "src")) {
    if (!entry.is_directory()) continue;
    EXPECT_NE(page.find("src/" + entry.path().filename().string()), std::string::npos)
        << entry.path();
  }
}

}  // namespace
}  // namespace vic
