// Manual pages and completion: both agree with the help.
#include "cli/manual.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cli/completion.h"
#include "experiment/shipped.h"
#include "method/algorithm.h"
#include "support/pattern.h"
#include "support/program_run.h"
#include "world/registry.h"

namespace vic::manual_test {
namespace {

using Words = std::vector<std::string>;

Words found_in(const std::string& text, const std::string& pattern) {
  return Pattern(pattern).groups_in(text);
}

// the commands of the overview, without those that have no page
Words command_names() {
  Words names = found_in(run({"help"}).out, "^  ([a-z]+) ");
  for (const OwnCommand& own : own_commands) EXPECT_EQ(std::erase(names, own.name), 1u);
  return names;
}

Words completed(Words words) {
  words.insert(words.begin(), {"completion", "words"});
  const Result result = run(words);
  EXPECT_EQ(result.code, exit_done) << result.err;
  return found_in(result.out, "^(.+)$");
}

bool has(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

TEST(Manual, EveryCommandHasAPageWithTheOptionsOfItsHelp) {
  const std::string whole = run({"help", "--man"}).out;
  const Words names = command_names();
  EXPECT_GE(names.size(), 10u);
  for (const std::string& name : names) {
    EXPECT_NE(whole.find(".BR vic\\-" + name + " (1)"), std::string::npos) << name;
    const std::string page = run({"help", "--man", name}).out;
    EXPECT_TRUE(page.starts_with(".TH vic\\-" + name + " 1 "));
    const Words options = found_in(run({name, "--help"}).out, "^  -?\\w?,?(--[a-z-]+)");
    EXPECT_GE(options.size(), 4u) << name;
    for (const std::string& option : options) {
      std::string escaped;
      for (const char c : option) escaped += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_NE(page.find(escaped), std::string::npos) << name << " " << option;
    }
  }
}

TEST(Manual, NoTextIsTakenForARequest) {
  const Pattern request("\\.(TH|SH|TP|B|BR|nf|fi)( .*)?");
  for (const std::string& name : command_names()) {
    for (const std::string& line : found_in(run({"help", "--man", name}).out, "^([.'].*)$")) {
      EXPECT_TRUE(request.matches(line)) << line;
    }
  }
}

TEST(Manual, HelpOfACommandIsItsHelp) {
  EXPECT_EQ(run({"help", "exact"}).out, run({"exact", "--help"}).out);
  EXPECT_EQ(run({"help", "exat"}).err, "vic: There is no command 'exat'; did you mean exact?\n");
  EXPECT_EQ(run({"help", "exact", "train"}).code, exit_usage);
  EXPECT_EQ(run({"-V"}).out, run({"--version"}).out);
}

TEST(Completion, CompletesCommandsAndTheirOptions) {
  Words all = command_names();
  for (const OwnCommand& own : own_commands) all.push_back(own.name);
  EXPECT_EQ(completed({""}), all);
  EXPECT_EQ(completed({"tra"}), Words{"train"});
  EXPECT_EQ(completed({"help", "wor"}), Words{"worlds"});
  for (const std::string& name : command_names()) {
    const Words options = completed({name, "--"});
    EXPECT_EQ(std::set(options.begin(), options.end()).size(), options.size()) << name;
    for (const char* option : {"--help", "--json", "--set", "--settings"}) {
      EXPECT_TRUE(has(options, option)) << name << " " << option;
    }
  }
  EXPECT_EQ(completed({"report", "-"}).front(), "-h");
  EXPECT_TRUE(has(completed({"report", "-"}), "-o"));
}

TEST(Completion, CompletesNamesAndKeysFromTheirLists) {
  EXPECT_TRUE(has(completed({"exact", ""}), registry().front().name));
  EXPECT_TRUE(has(completed({"train", "half"}), "half-cheetah"));
  EXPECT_EQ(completed({"train", "line", "--algorithm", ""}), algorithm_names());
  EXPECT_EQ(completed({"reproduce", ""}), shipped_experiments());
  EXPECT_EQ(completed({"train", "--set", "train.lambda_r"}), Words{"train.lambda_ramp="});
  EXPECT_EQ(completed({"exact", "line", "--set", "world.no"}), Words{"world.noise="});
  EXPECT_EQ(completed({"exact", "rooms-35", "--set", "world.size"}), Words{});
}

// the shell completes the names of files if the program has no completions
TEST(Completion, LeavesFilesToTheShell) {
  EXPECT_EQ(completed({"train", "--resume", ""}), Words{});
  EXPECT_EQ(completed({"eval", ""}), Words{});
  EXPECT_EQ(completed({"exact", "examples/"}), Words{});
  EXPECT_EQ(completed({"train", "line", "--set", "train.lambda", "=", ""}), Words{});
  EXPECT_EQ(completed({"unknown", ""}), Words{});
  EXPECT_EQ(completed({}), Words{});
}

TEST(Completion, OfAnotherShellIsRefused) {
  EXPECT_EQ(run({"completion", "fish"}).err,
            "vic: There is no completion for the shell 'fish'; there is for bash and zsh.\n");
  EXPECT_EQ(run({"completion"}).code, exit_usage);
}

}  // namespace
}  // namespace vic::manual_test
