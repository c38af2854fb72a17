#include "serve/start_request.h"

#include <gtest/gtest.h>

#include "support/message_of.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

std::string fault_of(const Json& form) {
  return message_of([&] { read_start_request(form, "/nowhere"); });
}

TEST(StartRequest, FormBecomesArgumentsOfTheProgram) {
  const StartRequest request =
      read_start_request({{"world", "line-noisy"},
                          {"algorithm", "transition"},
                          {"seed", "3"},
                          {"updates", "1e6"},
                          {"settings", "train.lambda=0.5\n\nworld.noise=0.1"},
                          {"name", "mine"}},
                         "/nowhere");
  EXPECT_EQ(request.folder, "/nowhere/mine");
  EXPECT_EQ(request.arguments,
            (std::vector<std::string>{"train", "line-noisy", "--algorithm", "transition", "--seed",
                                      "3", "--updates", "1e6", "--set", "train.lambda=0.5", "--set",
                                      "world.noise=0.1", "--out", "/nowhere/mine"}));
}

TEST(StartRequest, EmptyFieldsAreTheProgramsDefaults) {
  const StartRequest request = read_start_request({{"world", "line"}, {"seed", ""}}, "/nowhere");
  EXPECT_EQ(request.arguments,
            (std::vector<std::string>{"train", "line", "--out", "/nowhere/line-run-1"}));
}

TEST(StartRequest, WhatIsNoValueOfAFieldIsNamed) {
  EXPECT_NE(fault_of(Json::object()).find("no world"), std::string::npos);
  EXPECT_NE(fault_of({{"world", "lin"}}).find("line"), std::string::npos);
  EXPECT_NE(fault_of({{"world", "nothing/here.toml"}}).find("no file"), std::string::npos);
  EXPECT_NE(fault_of({{"world", "--resume"}}).find("hyphen"), std::string::npos);
  EXPECT_NE(fault_of({{"world", 7}}).find("text"), std::string::npos);
  EXPECT_NE(fault_of({{"world", "line"}, {"algorithm", "x"}}).find("no algorithm"),
            std::string::npos);
  EXPECT_NE(fault_of({{"world", "line"}, {"seed", "1 2"}}).find("seed"), std::string::npos);
  EXPECT_NE(fault_of({{"world", "line"}, {"updates", "$(id)"}}).find("updates"), std::string::npos);
  EXPECT_NE(fault_of({{"world", "line"}, {"settings", "lambda"}}).find("no setting"),
            std::string::npos);
  EXPECT_NE(fault_of({{"world", "line"}, {"settings", "a b.c=1"}}).find("no setting"),
            std::string::npos);
}

TEST(StartRequest, FoldersStayWithinTheRoot) {
  for (const char* name : {"../out", "a/b", "/tmp/x", ".hidden", "..", "a b", "a\nb"}) {
    EXPECT_NE(fault_of({{"world", "line"}, {"name", name}}).find("name"), std::string::npos)
        << name;
  }
  const FixtureFolder folder("start-request");
  write_fixture(folder / "taken", {});
  EXPECT_NE(message_of([&] {
              read_start_request({{"world", "line"}, {"name", "taken"}}, folder.path());
            }).find("already"),
            std::string::npos);
}

TEST(StartRequest, EveryWorldAndAlgorithmIsOffered) {
  const std::string choices = start_choices().dump();
  for (const char* name : {"line-noisy", "half-cheetah", "transition", "belief"}) {
    EXPECT_NE(choices.find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace vic
