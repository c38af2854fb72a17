// Text that would crash toml++ is refused, and the rest is read with its lines.
#include <gtest/gtest.h>

#include "base/json.h"

namespace vic {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_toml(text, "a.toml");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

const std::string too_deep = "a key has more than 8 parts with dots between them; use fewer.";

TEST(Toml, ReadsATable) {
  EXPECT_EQ(parse_toml("a.b = 3", "a.toml"), (Json{{"a", {{"b", 3}}}}));
}

TEST(Toml, SaysInOneLineWhereTheTextIsNotToml) {
  EXPECT_EQ(error_of("a = 1\nb = \n"),
            "a.toml:2: this is not TOML: Error while parsing key-value pair: expected value, saw "
            "'\\n'.");
}

TEST(Toml, RefusesKeysOfManyParts) {
  EXPECT_EQ(error_of("a.b.c.d.e.f.g.h = 1"), "");
  EXPECT_EQ(error_of("\na.b.c.d.e.f.g.h.i = 1"), "a.toml:2: " + too_deep);
  EXPECT_EQ(error_of("[a . b . c . d . e . f . g . h . i]"), "a.toml:1: " + too_deep);
  EXPECT_EQ(error_of("x = { a.'b'.\"c\".d.e.f.g.h.i = 1 }"), "a.toml:1: " + too_deep);
}

TEST(Toml, CountsNoDotsInStringsAndComments) {
  const std::string dots(20, '.');
  EXPECT_EQ(error_of("a = \"" + dots + "\\\"" + dots + "\" # " + dots), "");
  EXPECT_EQ(error_of("a = '" + dots + "\\' # " + dots), "");
  EXPECT_EQ(error_of("a = \"\"\"\n" + dots + "\n\"" + dots + "\\\"\"\"" + dots + "\"\"\"\"\""), "");
  EXPECT_EQ(error_of("a = '''\n" + dots + "''\n" + dots + "''''\nb = ''"), "");
}

TEST(Toml, CountsDotsAfterStringsAgain) {
  const std::string deep = "\n[a.b.c.d.e.f.g.h.i]";
  EXPECT_EQ(error_of("a = ''" + deep), "a.toml:2: " + too_deep);
  EXPECT_EQ(error_of("a = '''x'''''" + deep), "a.toml:2: " + too_deep);
  EXPECT_EQ(error_of("a = \"\\\\\"" + deep), "a.toml:2: " + too_deep);
  EXPECT_EQ(error_of("a = \"\"\"\n\\\"\"\"\"" + deep), "a.toml:3: " + too_deep);
}

TEST(Toml, RefusesLettersThatAreNotAsciiWhereTheParserWouldFail) {
  const std::string outside = "a letter outside of quotes is not ASCII; add quotes.";
  EXPECT_EQ(error_of("\xc3\xaa"), "a.toml:1: " + outside);
  EXPECT_EQ(error_of("a = 1\ngr\xc3\xb6\xc3\x9f"
                     "e = 1"),
            "a.toml:2: " + outside);
  for (const char* word :
       {"1'\xc3\xaa'", "1.'\xc3\xaa'", "1='\xc3\xaa'", "1['\xc3\xaa'", "[1.'\xc3\xaa']",
        "''\"\xc3\xaa\"", "{ a = 1'\xc3\xaa' }", "[[1], 2'\xc3\xaa']"}) {
    EXPECT_EQ(error_of(std::string("a = ") + word), "a.toml:1: " + outside) << word;
  }
  const std::string escaped = "a letter after a backslash is not ASCII; leave the backslash out.";
  EXPECT_EQ(error_of("a = \"\"\"\\\xc3\xaa\"\"\""), "a.toml:1: " + escaped);
  EXPECT_EQ(error_of("a = \"\"\"\\ \n  \xc3\xaa\"\"\""), "a.toml:1: " + escaped);
}

TEST(Toml, RefusesWhatTheParserTakesForTheBeginningOfATime) {
  const std::string stray = "a digit follows a value; write one value only.";
  EXPECT_EQ(error_of("a = 1979-05-1n 2#\xc3\xaa"), "a.toml:1: " + stray);
  EXPECT_EQ(error_of("\na = [1979-05-27 2,'\xc3\xaa']"), "a.toml:2: " + stray);
  EXPECT_EQ(error_of("a = 1979-05-27 07:32:00 # \xc3\xaa\nb = [ 1, 2 ]\nc = [1 , 2\n, 3]"), "");
}

TEST(Toml, ReadsLettersThatAreNotAsciiInStringsAndComments) {
  const std::string text = "\xef\xbb\xbf'\xc3\xaa' = \"\\\\\xc3\xaa\" # \xc3\xaa";
  EXPECT_EQ(parse_toml(text, "a.toml")["\xc3\xaa"], "\\\xc3\xaa");
  EXPECT_EQ(error_of("a.'\xc3\xaa'.b='\xc3\xaa'\n['\xc3\xaa'.'\xc3\xaa']\n[[\"\xc3\xab\"]]"), "");
  EXPECT_EQ(
      error_of("a=['\xc3\xaa',{'\xc3\xaa'='\xc3\xaa','\xc3\xab'=[\n'\xc3\xaa']},\n'\xc3\xaa']"),
      "");
  EXPECT_EQ(error_of("a={}\n'\xc3\xaa'=[]\n'\xc3\xab'=1 #\n'\xc3\xac'=[[], [1,],]\n'\xc3\xad'=1"),
            "");
}

TEST(Toml, AnswersWhatIsNeverClosed) {
  for (const char* text : {"a = \"", "a = \"\\", "a = '''", "a = \"\"\"\\", "\"", "a = \"x\n"}) {
    EXPECT_NE(error_of(text), "") << text;
  }
}

}  // namespace
}  // namespace vic
