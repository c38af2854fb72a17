#include "base/text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vic {
namespace {

TEST(Text, ShowsPlainTextAsItIs) {
  EXPECT_EQ(shown(""), "");
  EXPECT_EQ(shown("T_max = 5"), "T_max = 5");
  EXPECT_EQ(shown("Z\xc3\xbcrich"), "Z\xc3\xbcrich");
}

TEST(Text, EscapesControlCharacters) {
  EXPECT_EQ(shown("a\nb\tc\r"), "a\\nb\\tc\\x0d");
  EXPECT_EQ(shown("\x1b[31m\x7f"), "\\x1b[31m\\x7f");
  EXPECT_EQ(shown(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(shown("next\xc2\x85line"), "next\\xc2\\x85line");
  EXPECT_EQ(shown("line\xe2\x80\xa8separator"), "line\\xe2\\x80\\xa8separator");
}

TEST(Text, CutsLongTextBetweenCharacters) {
  EXPECT_EQ(shown("abcdef", 6), "abcdef");
  EXPECT_EQ(shown("abcdefg", 6), "abcdef...");
  EXPECT_EQ(shown("ab\xc3\xbc\xc3\xbc", 3), "ab...");
  EXPECT_EQ(shown("ab\xc3\xbc\xc3\xbc", 4), "ab\xc3\xbc...");
}

TEST(Text, GivesNumbersTheirSign) {
  EXPECT_EQ(signed_text(1.25, 1), "+1.2");
  EXPECT_EQ(signed_text(-3, 2),
            "\xe2\x88\x92"
            "3.00");
  EXPECT_EQ(signed_text(-0.004, 2), "0.00");
}

TEST(Text, FindsControlCharacters) {
  EXPECT_FALSE(has_control(""));
  EXPECT_FALSE(has_control("the sea, \xc3\xbc"));
  EXPECT_TRUE(has_control("a\n"));
  EXPECT_TRUE(has_control("\xc2\x9b"));
  EXPECT_TRUE(has_control("exe\u202etxt"));
  EXPECT_TRUE(has_control("\u2066"));
  EXPECT_FALSE(has_control("\u2027 \u202f \u2065"));
  EXPECT_FALSE(has_control("\xc2"));
}

TEST(Text, KnowsUtf8) {
  for (const char* text : {"", "a", "\u00fc", "\u20ac", "\U0001f600", "\U0010ffff"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
    EXPECT_EQ(shown(text), text);
  }
  // a byte alone, a character cut off, one longer than needed, a half of a pair, one too high
  for (const char* bytes : {"\xff", "\x80", "\xe2\x82", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                            "\xf4\x90\x80\x80", "a\xc3"}) {
    EXPECT_FALSE(is_utf8(bytes)) << shown(bytes);
    EXPECT_TRUE(is_utf8(shown(bytes)));
  }
}

TEST(Text, WritesSignsThatAreNotHyphens) {
  EXPECT_EQ(signed_text(1.25, 1), "+1.2");
  EXPECT_EQ(signed_text(-3, 0), "\u22123");
  EXPECT_EQ(signed_text(-0.001, 2), "0.00");
  EXPECT_EQ(minus_text(1.25, 2), "1.25");
  EXPECT_EQ(minus_text(-1.25, 2), "\u22121.25");
}

TEST(Text, ListsAlternatives) {
  const std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(alternatives(names), "a, b or c");
  EXPECT_EQ(alternatives(std::span(names).first(1)), "a");
  EXPECT_EQ(alternatives({}), "");
}

TEST(Text, JoinsParts) {
  const std::vector<std::string> parts = {"a", "", "b"};
  EXPECT_EQ(joined(parts, ", "), "a, , b");
  EXPECT_EQ(joined({}, ", "), "");
}

const std::vector<std::string> names = {"line", "line-noisy", "grid", "tree"};

TEST(Closest, PicksTheSmallestEditDistance) {
  EXPECT_EQ(closest("lime", names), "line");
  EXPECT_EQ(closest("gird", names), "grid");
  EXPECT_EQ(closest("line-nois", names), "line-noisy");
  EXPECT_EQ(closest("anything", std::vector<std::string>{}), "");
}

TEST(Closest, SuggestsOneNameWhereItIsNearAndAllOtherwise) {
  EXPECT_EQ(suggestion("tre", names), "; did you mean tree?");
  EXPECT_EQ(suggestion("banana", names), "; known are line, line-noisy, grid and tree.");
  EXPECT_EQ(suggestion(std::string(100000, 'x'), names),
            "; known are line, line-noisy, grid and tree.");
}

}  // namespace
}  // namespace vic
