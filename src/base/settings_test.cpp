#include "base/settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/message_of.h"

namespace vic {
namespace {

enum class Pace { slow, walking, fast };
enum class Foot { left, right };

}  // namespace

template <>
inline constexpr auto names_of<Pace> = std::to_array<std::string_view>({"slow", "walking", "fast"});
template <>
inline constexpr auto names_of<Foot> = std::to_array<std::string_view>({"left", "right"});

namespace {

struct Example {
  int T_max = 5;
  double noise = 0.3;
  std::string start = "0";

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T_max", T_max, Range{2, 100}, "actions");
    field("noise", noise, Range{0, 1}, "chance");
    field("start", start, Range{}, "where");
  }
};

Example apply(std::vector<Assignment> assignments) {
  Overrides overrides(std::move(assignments));
  Example example;
  overrides.apply("world", example);
  overrides.finish();
  return example;
}

std::string message(const std::vector<Assignment>& assignments) {
  return message_of([&] { apply(assignments); });
}

TEST(Settings, TakeTheLastAssignment) {
  const Example example =
      apply({parse_assignment("world.noise=0.1"), parse_assignment("world.T_max=7"),
             parse_assignment("world.noise=0.2"), parse_assignment("world.start=a=b")});
  EXPECT_EQ(example.noise, 0.2);
  EXPECT_EQ(example.T_max, 7);
  EXPECT_EQ(example.start, "a=b");
}

TEST(Settings, NameKeyValueAndRangeOfAWrongValue) {
  EXPECT_EQ(message({parse_assignment("world.noise=2")}),
            "--set: world.noise = 2 is not allowed; it must be a number from 0 to 1.");
  EXPECT_EQ(message({parse_assignment("world.T_max=5.5")}),
            "--set: world.T_max = 5.5 is not allowed; it must be a whole number from 2 to 100.");
  for (const char* bad : {"nan", "inf", "", "0.1x", " 0.1", "1e400", "0x1"}) {
    EXPECT_NE(message({{"world.noise", bad, "--set"}}), "no error") << bad;
  }
  EXPECT_NE(message({parse_assignment("world.T_max=99999999999")}), "no error");
}

TEST(Settings, FindUnknownKeys) {
  EXPECT_EQ(message({parse_assignment("world.nois=0.2")}),
            "--set: there is no setting world.nois; did you mean world.noise?");
  EXPECT_THROW(parse_assignment("noise"), UsageError);
  EXPECT_THROW(parse_assignment("=3"), UsageError);
}

TEST(Settings, AreReadFromFilesWithTheLineOfEach) {
  const std::string path = testing::TempDir() + "vic_settings.toml";
  std::ofstream(path) << "# a comment\n[world]\nnoise = 0.25\nT_max = 9\nstart = \"3\"\n";
  const Example example = apply(read_settings_file(path));
  EXPECT_EQ(example.noise, 0.25);
  EXPECT_EQ(example.T_max, 9);
  EXPECT_EQ(example.start, "3");

  std::ofstream(path) << "[world]\nnose = 1\n";
  EXPECT_EQ(message(read_settings_file(path)),
            path + ":2: there is no setting world.nose; did you mean world.noise?");
  std::ofstream(path) << "[world\n";
  EXPECT_THROW(read_settings_file(path), UsageError);
  std::ofstream(path) << "[world]\nnoise = [1]\n";
  EXPECT_THROW(read_settings_file(path), UsageError);
  std::filesystem::remove(path);
}

TEST(Settings, AreTheSameWhenWrittenAndReadBack) {
  const std::string path = testing::TempDir() + "vic_settings_text.toml";
  const std::vector<Assignment> said = {{"run.world", "bob's \"maze\"\\\n\x01.toml", ""},
                                        {"world.noise", "0.25", ""},
                                        {"world.start", "4,4", ""}};
  std::ofstream(path) << settings_text(said);
  const std::vector<Assignment> read = read_settings_file(path);
  ASSERT_EQ(read.size(), said.size());
  for (std::size_t i = 0; i < said.size(); ++i) {
    EXPECT_EQ(read[i].key, said[i].key);
    EXPECT_EQ(read[i].value, said[i].value);
  }
  std::filesystem::remove(path);
}

TEST(Settings, DescribeThemselves) {
  const auto list = describe("world", Example{});
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].key, "world.T_max");
  EXPECT_EQ(list[1].value, "0.3");
  EXPECT_EQ(list[1].allowed, "a number from 0 to 1");
}

struct Gait {
  Pace pace = Pace::walking;
  Foot side = Foot::left;
  double stride = 0.5;
  int legs = 2;
  std::string shoe;

  template <class Visitor>
  void visit(Visitor&& field) {
    field("pace", pace, Range{}, "how fast");
    field("side", side, Range{}, "which first");
    field("stride", stride, Range{0, 10}, "metres");
    field("legs", legs, Range{1, 8}, "in all");
    field("shoe", shoe, Range{}, "on each");
  }
};

Gait gait_of(std::vector<Assignment> assignments) {
  Overrides overrides(std::move(assignments));
  Gait gait;
  overrides.apply("gait", gait);
  overrides.finish();
  return gait;
}

TEST(NamedSettings, AreParsedByName) {
  const Gait gait = gait_of({parse_assignment("gait.pace=slow"), parse_assignment("gait.side=left"),
                             parse_assignment("gait.side=right")});
  EXPECT_EQ(gait.pace, Pace::slow);
  EXPECT_EQ(gait.side, Foot::right);
  EXPECT_EQ(gait_of({}).pace, Pace::walking);
  for (const Pace pace : {Pace::slow, Pace::walking, Pace::fast}) {
    const std::string name(name_of(pace));
    EXPECT_EQ(gait_of({{"gait.pace", name, "test"}}).pace, pace);
    EXPECT_EQ(parse_name({"gait.pace", name, "test"}, names_of<Pace>),
              static_cast<std::size_t>(pace));
  }
}

TEST(NamedSettings, ListTheAllowedNamesWhereAWrongOneIsGiven) {
  const auto message = [](const char* text) {
    return message_of([&] { gait_of({parse_assignment(text)}); });
  };
  EXPECT_EQ(message("gait.pace=quick"),
            "--set: gait.pace = quick is not allowed; it must be slow, walking or fast.");
  EXPECT_EQ(message("gait.side=middle"),
            "--set: gait.side = middle is not allowed; it must be left or right.");
  // neither the index nor a part of a name is accepted
  for (const char* bad : {"1", "Slow", "slo", "slow ", "walking or fast"}) {
    EXPECT_NE(message(fmt::format("gait.pace={}", bad).c_str()), "no error") << bad;
  }
  EXPECT_EQ(message("gait.pace="),
            "--set: gait.pace = '' is not allowed; it must be slow, walking or fast.");
}

TEST(NamedSettings, ListNamesInASentence) {
  const auto one = std::to_array<std::string_view>({"slow"});
  EXPECT_EQ(list_names({}), "");
  EXPECT_EQ(list_names(one), "slow");
  EXPECT_EQ(list_names(names_of<Foot>), "left or right");
  EXPECT_EQ(list_names(names_of<Pace>), "slow, walking or fast");
}

TEST(NamedSettings, AreTheSameWhenTheResolvedTextIsReadBack) {
  const std::string path = testing::TempDir() + "vic_named_settings.toml";
  Overrides said({parse_assignment("gait.pace=fast"), parse_assignment("gait.stride=0.1")});
  Gait gait;
  said.apply("gait", gait);
  // the text of a setting that was not given is empty, and is left out
  ASSERT_EQ(said.resolved().size(), 4u);
  EXPECT_EQ(said.resolved()[0].key, "gait.pace");
  EXPECT_EQ(said.resolved()[0].value, "fast");
  EXPECT_EQ(said.resolved()[1].value, "left");
  std::ofstream(path) << settings_text(said.resolved());
  Overrides read(read_settings_file(path));
  Gait again;
  read.apply("gait", again);
  read.finish();
  EXPECT_EQ(again.pace, Pace::fast);
  EXPECT_EQ(again.side, Foot::left);
  EXPECT_EQ(again.stride, 0.1);
  ASSERT_EQ(read.resolved().size(), said.resolved().size());
  for (std::size_t i = 0; i < said.resolved().size(); ++i) {
    EXPECT_EQ(read.resolved()[i].key, said.resolved()[i].key);
    EXPECT_EQ(read.resolved()[i].value, said.resolved()[i].value);
  }
  std::filesystem::remove(path);
}

TEST(Overrides, FollowOtherSettingsUnlessTheyWereSet) {
  Overrides said({parse_assignment("gait.stride=0.1")});
  Gait gait;
  said.apply("gait", gait);
  said.follow("gait.stride", gait.stride, 0.7);
  said.follow("gait.pace", gait.pace, Pace::fast);
  EXPECT_EQ(gait.stride, 0.1);
  EXPECT_EQ(gait.pace, Pace::fast);
  // a run that is read again has what followed, whatever follows then
  Overrides read(said.resolved());
  Gait again;
  read.apply("gait", again);
  read.follow("gait.pace", again.pace, Pace::slow);
  EXPECT_EQ(again.pace, Pace::fast);
  EXPECT_EQ(again.stride, 0.1);
}

TEST(NamedSettings, DescribeThemselvesByTheirNames) {
  const auto list = describe("gait", Gait{.side = Foot::right, .shoe = ""});
  ASSERT_EQ(list.size(), 5u);
  EXPECT_EQ(list[0].key, "gait.pace");
  EXPECT_EQ(list[0].value, "walking");
  EXPECT_EQ(list[0].allowed, "slow, walking or fast");
  EXPECT_EQ(list[0].help, "how fast");
  EXPECT_EQ(list[1].value, "right");
  EXPECT_EQ(list[1].allowed, "left or right");
  EXPECT_EQ(list[2].allowed, "a number from 0 to 10");
  EXPECT_EQ(list[3].allowed, "a whole number from 1 to 8");
  EXPECT_EQ(list[4].allowed, "text");
}

// ----- settings that others make irrelevant ----- //

// without walking there is no stride, and no first side
std::string ignored_message(std::vector<Assignment> assignments) {
  const Overrides overrides(std::move(assignments));
  return message_of([&] {
    overrides.refuse_ignored("gait", Gait{}, [](std::string_view name) -> std::string {
      return name == "stride" || name == "side" ? "who stands still does not step" : "";
    });
  });
}

TEST(IgnoredSettings, AreRefusedWithTheirOrigin) {
  EXPECT_EQ(ignored_message({{"gait.stride", "0.7", "walk.toml:3"}}),
            "walk.toml:3: gait.stride = 0.7 would be ignored: who stands still does not step. "
            "Leave it out.");
  EXPECT_EQ(ignored_message({parse_assignment("gait.side=right")}),
            "--set: gait.side = right would be ignored: who stands still does not step. "
            "Leave it out.");
  EXPECT_EQ(ignored_message({parse_assignment("gait.stride=0.5"), {"gait.stride", "0.7", "--set"}}),
            "--set: gait.stride = 0.7 would be ignored: who stands still does not step. "
            "Leave it out.");
}

TEST(IgnoredSettings, PassWithTheirDefaultAndWhereTheyAreRead) {
  EXPECT_EQ(ignored_message({}), "no error");
  EXPECT_EQ(ignored_message({parse_assignment("gait.stride=0.5")}), "no error");
  EXPECT_EQ(ignored_message({parse_assignment("gait.side=left")}), "no error");
  EXPECT_EQ(ignored_message({parse_assignment("gait.pace=fast"), parse_assignment("gait.legs=4")}),
            "no error");
  // the same value written differently, and one that a later assignment reverts
  EXPECT_EQ(ignored_message({parse_assignment("gait.stride=5e-1")}), "no error");
  EXPECT_EQ(ignored_message(
                {{"gait.stride", "0.7", "walk.toml:3"}, parse_assignment("gait.stride=0.50")}),
            "no error");
  // settings of other sections do not matter here
  EXPECT_EQ(ignored_message({parse_assignment("walk.stride=0.7")}), "no error");
  // everything that a run resolved can be assigned again
  Overrides resolved(std::vector<Assignment>{});
  Gait gait;
  resolved.apply("gait", gait);
  EXPECT_EQ(ignored_message(resolved.resolved()), "no error");
}

}  // namespace
}  // namespace vic
