// The parser as commands rely on it: variables are set, help is text, errors are sentences.
#include "cli/arguments.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/console.h"

namespace vic {
namespace {

// a command with one argument of each kind
struct Declared {
  Declared() : arguments("vic go", "go somewhere") {
    arguments.positional("world", world, Need::required, "where");
    arguments.positional("rest", rest, Need::optional, "and then");
    arguments.flag("--fast", fast, "do not look");
    arguments.option("-o,--out FILE", out, "write here");
    arguments.option("--jobs N", jobs, Range{1, 8}, "at the same time");
    arguments.option("--rates LIST", rates, Range{0, 1}, "as in 0,0.5");
    arguments.option("--set KEY=VALUE", sets, "may be repeated");
    arguments.footer("That is all.");
  }

  std::string error(const std::vector<std::string>& given) {
    try {
      arguments.parse(given);
    } catch (const UsageError& usage) {
      return usage.what();
    }
    return "";
  }

  Arguments arguments;
  std::string world, out;
  std::vector<std::string> rest, sets;
  bool fast = false;
  int jobs = 2;
  std::vector<double> rates;
};

TEST(Arguments, AreBoundToVariables) {
  Declared go;
  EXPECT_FALSE(go.arguments.parse({"line", "--set", "a=1", "--rates", "0,0.5", "--set", "b=2",
                                   "--fast", "-o", "x.svg", "grid", "tree"}));
  EXPECT_EQ(go.world, "line");
  EXPECT_EQ(go.rest, (std::vector<std::string>{"grid", "tree"}));
  EXPECT_EQ(go.sets, (std::vector<std::string>{"a=1", "b=2"}));
  EXPECT_EQ(go.rates, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(go.out, "x.svg");
  EXPECT_TRUE(go.fast);
  EXPECT_EQ(go.jobs, 2) << "what is not given stays";
}

TEST(Arguments, HelpListsThemAll) {
  const auto help = Declared().arguments.parse({"--help"});
  ASSERT_TRUE(help);
  for (const char* part :
       {"go somewhere", "Usage: vic go [OPTIONS] world [rest...]", "-o,--out FILE", "--jobs N",
        "--rates LIST", "--set KEY=VALUE", "That is all."}) {
    EXPECT_NE(help->find(part), std::string::npos) << part << " in " << *help;
  }
}

TEST(Arguments, ErrorsNameTheArgument) {
  EXPECT_EQ(Declared().error({}), "vic go: world is required; see vic go --help.");
  EXPECT_EQ(Declared().error({"line", "--fst"}),
            "vic go has no option --fst; did you mean --fast?");
  EXPECT_EQ(Declared().error({"line", "--jobs", "9"}),
            "vic go: --jobs: 9 is not allowed; it must be a whole number from 1 to 8; see vic go "
            "--help.");
  EXPECT_EQ(Declared().error({"line", "--rates", "0,x"}),
            "vic go: --rates: x is not allowed; it must be a number from 0 to 1; see vic go "
            "--help.");
  EXPECT_EQ(Declared().error({"line", "--set"}),
            "vic go: --set needs a value, as in --set KEY=VALUE.");
  EXPECT_EQ(Declared().error({"--set", "a=1", "b=2", "line"}),
            "'b=2' is a setting: write --set b=2, with a --set of its own.");
}

TEST(Console, ShowsADocumentOrTextAndMakesOnlyThat) {
  struct Document {
    std::string dump(int indent) const { return indent == 2 ? "{}" : ""; }
  };
  for (Format format : {Format::text, Format::json}) {
    std::ostringstream out, err;
    const Console console{.out = out, .err = err, .format = format};
    int documents = 0;
    console.show(
        [&] {
          ++documents;
          return Document{};
        },
        [&] { out << "text\n"; });
    console.note("a line");
    console.write_document("[]\n");
    EXPECT_EQ(out.str(), format == Format::json ? "{}\n[]\n" : "text\na line\n");
    EXPECT_EQ(documents, format == Format::json ? 1 : 0);
  }
}

}  // namespace
}  // namespace vic
