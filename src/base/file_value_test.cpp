#include "base/file_value.h"

#include <gtest/gtest.h>

#include "support/message_of.h"

namespace vic {
namespace {

TEST(FileValue, ReadsJsonByKey) {
  const FileValue file = FileValue::parse(
      R"({"H": 2, "n": 7, "flag": true, "none": null, "route": ["a", "b"], "in": {"p": 0.5},
          "list": [{"p": 0.25}, {}]})",
      "a.json");
  EXPECT_EQ(file.number("H"), 2);
  EXPECT_EQ(file.whole("n"), 7);
  EXPECT_TRUE(file.truth("flag"));
  EXPECT_FALSE(file.has("none"));
  EXPECT_FALSE(file.has("more"));
  EXPECT_EQ(file.maybe_number("none"), std::nullopt);
  EXPECT_EQ(file.maybe_number("H"), 2);
  EXPECT_EQ(file.texts("route"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(file.object("in").number("p"), 0.5);
  ASSERT_EQ(file.objects("list").size(), 2U);
  EXPECT_EQ(file.objects("list")[0].number("p"), 0.25);
}

TEST(FileValue, NamesFileAndKeyOfDamagedJson) {
  const FileValue file = FileValue::parse(R"({"H": "x", "in": {}, "n": 1e3, "route": [1]})", "a");
  EXPECT_EQ(message_of([&] { file.number("H"); }), "a is damaged: \"H\" is not a number.");
  EXPECT_EQ(message_of([&] { file.whole("n"); }), "a is damaged: \"n\" is not a whole number.");
  EXPECT_EQ(message_of([&] { file.object("in").text("p"); }), "a is damaged: it lacks \"in.p\".");
  EXPECT_EQ(message_of([&] { file.texts("route"); }),
            "a is damaged: \"route\" is not a list of texts.");
  EXPECT_EQ(message_of([&] { file.objects("H"); }),
            "a is damaged: \"H\" is not a list of objects.");
}

TEST(FileValue, OutlivesTheFileItWasFoundIn) {
  const FileValue value = FileValue::parse(R"({"a": {"b": {"c": "deep"}}})", "a").object("a");
  EXPECT_EQ(value.object("b").text("c"), "deep");
}

TEST(FileValue, NamesTheLineAndTheValueOfToml) {
  const FileValue file =
      FileValue::parse_toml("T = 4.0\n[a]\nday = 1979-05-27\n[a.b]\nc = 1\n", "f", {"T", "a"});
  EXPECT_EQ(message_of([&] {
              file["T"].whole(Range{2, 5});
            }),
            "f:1: T = 4.0 is not allowed; it must be a whole number from 2 to 5.");
  EXPECT_EQ(message_of([&] { file["a"]["day"].text(); }),
            "f:3: a.day = (a date or time) is not allowed; it must be text in quotes.");
  EXPECT_EQ(message_of([&] { file["a"]["more"].flag(); }),
            "f:2: a.more is missing; it must be true or false.");
  EXPECT_EQ(message_of([&] { file["a"]["b"].table({"wall"}); }),
            "f:5: there is no key a.b.c; the only one known here is wall.");
  EXPECT_EQ(message_of([&] { file["a"]["b"].list("a list"); }),
            "f:4: a.b = {...} is not allowed; it must be a list.");
}

TEST(FileValue, GivesATableThatWasNeverWrittenTheLineOfItsKey) {
  const FileValue file = FileValue::parse_toml("\n[a.z]\nx = 1\n[a.b]\nx = 2\n", "f");
  EXPECT_EQ(file["a"].line(), 2);
  EXPECT_EQ(file["a"]["b"].line(), 4);
}

}  // namespace
}  // namespace vic
