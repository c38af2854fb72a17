#include "base/text.h"

#include <gtest/gtest.h>

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

TEST(Text, FindsControlCharacters) {
  EXPECT_FALSE(has_control(""));
  EXPECT_FALSE(has_control("the sea, \xc3\xbc"));
  EXPECT_TRUE(has_control("a\n"));
  EXPECT_TRUE(has_control("\xc2\x9b"));
  EXPECT_FALSE(has_control("\xc2"));
}

}  // namespace
}  // namespace vic
