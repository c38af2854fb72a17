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

TEST(Text, SplitsAndTrims) {
  EXPECT_EQ(split("a, b,", ','), (std::vector<std::string>{"a", " b", ""}));
  EXPECT_EQ(split("", ','), std::vector<std::string>{""});
  EXPECT_EQ(trimmed(" \ta b "), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
}

TEST(Text, IsANumberAsAWholeOrNot) {
  EXPECT_EQ(number_in("-1.5e2"), -150);
  for (const char* text : {"", "1x", "x", "1 2", "inf", "nan", "1e999"}) {
    EXPECT_FALSE(number_in(text)) << text;
  }
}

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

TEST(Text, SuggestsTheNearest) {
  const std::vector<std::string> commands = {"train", "trace", "eval"};
  EXPECT_EQ(suggestion("trian", commands), "; did you mean train?");
  EXPECT_EQ(suggestion("tracn", commands), "; did you mean train or trace?");
  const std::vector<std::string> figures = {"fig2", "fig3", "fig4", "fig5", "frontier"};
  EXPECT_EQ(suggestion("fig7", figures), "; known are fig2, fig3, fig4, fig5 and frontier.");
  EXPECT_EQ(suggestion("fig", std::vector<std::string>{"fig2", "fig3"}),
            "; did you mean fig2 or fig3?");
  std::vector<std::string> many = {"train.seed", "train.batch", "train.bath"};
  for (int i = 0; i < 20; ++i) many.push_back("world.something-else-" + std::to_string(i));
  EXPECT_EQ(suggestion("train.xyzw", many),
            "; the closest are train.seed, train.bath and train.batch.");
}

TEST(Text, FitsLinesBetweenWords) {
  EXPECT_EQ(fitted("one two three\nfour", 8), "one two\nthree\nfour");
  // below the last column
  EXPECT_EQ(fitted("  key  value and more words", 20), "  key  value and\n       more words");
  // what has no space stays whole, and colours take no room
  EXPECT_EQ(fitted("abcdefghij", 4), "abcdefghij");
  EXPECT_EQ(fitted("\x1b[1mab\x1b[0m cd", 5), "\x1b[1mab\x1b[0m cd");
  EXPECT_EQ(fitted("Ω Ω Ω", 5), "Ω Ω Ω");
  EXPECT_EQ(fitted("", 80), "");
  EXPECT_EQ(fitted("a\n\nb\n", 80), "a\n\nb\n");
}

TEST(Text, CutsToTheColumnsOfATerminal) {
  EXPECT_EQ(cut_end("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_end("abcdefg", 6), "abcde…");
  EXPECT_EQ(cut_end("ΩΩΩΩ", 3), "ΩΩ…");
  EXPECT_EQ(cut_middle("runs/a-long-name-1", 12), "run…g-name-1");
  EXPECT_EQ(text_width(cut_middle("runs/a-long-name-1", 12)), 12u);
  EXPECT_EQ(padded("Ω", 3, Side::left) + "|", "Ω  |");
}

TEST(Text, QuotesWordsOfTheShell) {
  EXPECT_EQ(shell_word("runs/line-noisy-1"), "runs/line-noisy-1");
  EXPECT_EQ(shell_word("my runs/a"), "'my runs/a'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Text, WritesDurations) {
  EXPECT_EQ(duration_text(95.4), "95 s");
  EXPECT_EQ(duration_text(724), "12 min 04 s");
  EXPECT_EQ(duration_text(12000), "3 h 20 min");
  EXPECT_EQ(duration_text(1e6), "11 d 13 h");
  EXPECT_EQ(duration_text(1.0 / 0.0), "years");
}

}  // namespace
}  // namespace vic
