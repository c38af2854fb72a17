#include "sim/condition.h"

#include <gtest/gtest.h>

#include "support/message_of.h"

namespace vic {
namespace {

TEST(Condition, IsAWordAndABound) {
  const std::vector<Condition> list = parse_conditions("world.healthy", " z>0.7,up < -1e-1 ");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].word, "z");
  EXPECT_TRUE(list[0].holds(0.71));
  EXPECT_FALSE(list[0].holds(0.7));
  EXPECT_TRUE(list[1].holds(-0.2));
  EXPECT_FALSE(list[1].holds(0));
  EXPECT_TRUE(parse_conditions("world.healthy", "").empty());
}

TEST(Condition, HasANameWhereTheUserGivesOne) {
  const auto list =
      parse_named_conditions("world.behaviours", "high jump: height > 1, x > 0; left: y > 1;");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].name, "high jump");
  const auto all_are = [](double number) { return [=](const std::string&) { return number; }; };
  EXPECT_TRUE(list[0].hold(all_are(2)));
  EXPECT_FALSE(list[0].hold(all_are(0.5)));
  // all of them must hold
  EXPECT_FALSE(list[0].hold([](const std::string& word) { return word == "x" ? 0.0 : 2.0; }));
}

TEST(Condition, ThatCannotBeReadIsNamed) {
  for (const std::string text : {"z", "z >", "> 1", "z > one", "z > 1 2", "z > inf", "z = 1"}) {
    EXPECT_EQ(message_of([&] { parse_conditions("world.healthy", text); }),
              "world.healthy has '" + text +
                  "', which is no condition; write a name, < or >, and a number: z > 0.7.");
  }
  EXPECT_EQ(message_of([] { parse_named_conditions("world.behaviours", "height > 1"); }),
            "world.behaviours has 'height > 1', which is no name with conditions; write jumps: "
            "height > 1.");
}

}  // namespace
}  // namespace vic
