#include "method/algorithm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/error.h"
#include "method/agent.h"
#include "sim/world.h"
#include "support/message_of.h"
#include "support/named_world.h"

namespace vic::algorithm_test {
namespace {

std::set<std::string> train_settings() {
  std::set<std::string> names;
  TrainSettings{}.visit([&](std::string_view name, auto&, Range, std::string_view) {
    names.insert(std::string(name));
  });
  return names;
}

TEST(Algorithm, EveryRowIsWholeAndHasANameOfItsOwn) {
  std::set<std::string_view> names;
  const std::set<std::string> known = train_settings();
  for (const Algorithm& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    EXPECT_FALSE(algorithm.name.empty());
    EXPECT_TRUE(names.insert(algorithm.name).second) << "two rows have this name";
    EXPECT_FALSE(algorithm.help.empty());
    EXPECT_EQ(algorithm.help.find('\n'), std::string_view::npos) << "help is one line";
    EXPECT_NE(algorithm.objective, nullptr);
    ASSERT_NE(algorithm.models, nullptr);
    for (std::string_view setting : algorithm.settings) {
      EXPECT_TRUE(known.contains(std::string(setting))) << setting;
    }
    EXPECT_EQ(&find_algorithm(std::string(algorithm.name)), &algorithm);
    const std::vector<std::string> listed = algorithm_names();
    EXPECT_EQ(std::count(listed.begin(), listed.end(), algorithm.name), 1);
  }
  EXPECT_EQ(names.size(), algorithms().size());
}

TEST(Algorithm, ModelsHaveDistinctRolesAndFollowWhatTheyAreAddedTo) {
  for (const Algorithm& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    std::set<Role> before = {Role::pi_p};
    for (const ModelSpec& spec : algorithm.models(TrainSettings{})) {
      if (spec.can_be_residual) {
        EXPECT_TRUE(before.contains(spec.offset));
      }
      EXPECT_TRUE(before.insert(spec.role).second);
    }
  }
}

TEST(Algorithm, AnUnknownNameIsRefusedWithTheOneThatWasMeant) {
  EXPECT_EQ(message_of([] { find_algorithm("implcit"); }),
            "There is no algorithm 'implcit'; did you mean implicit?");
  EXPECT_EQ(message_of([] { find_algorithm(""); }),
            "There is no algorithm ''; known are implicit, transition, mixture, marginal, counted, "
            "belief, reward, explicit, counted-skills, diayn, open-loop and random.");
}

TEST(Algorithm, LambdaIsThatOfWhatItMaximises) {
  TrainSettings settings;
  settings.lambda = 0.7;
  const std::map<std::string, double> expected = {
      {"implicit", 0},         {"transition", 0.7}, {"mixture", 0.7}, {"marginal", 1},
      {"belief", 0.7},         {"counted", 0.7},    {"reward", 0},    {"explicit", 0},
      {"counted-skills", 0.7}, {"diayn", 0},        {"open-loop", 0}, {"random", 0}};
  ASSERT_EQ(expected.size(), algorithms().size());
  for (const auto& [name, lambda] : expected) {
    EXPECT_EQ(find_algorithm(name).lambda_of(settings), lambda) << name;
  }
}

TEST(Algorithm, ReadsItsOwnSettingsAndThoseThatAllRead) {
  const std::set<std::string> hindsight = {"implicit", "transition", "mixture", "counted",
                                           "open-loop"};
  const std::set<std::string> mixture = {"mixture"},
                              skills = {"explicit", "counted-skills", "diayn"},
                              prior = {"explicit", "diayn"};
  const std::set<std::string> critic = {"implicit", "transition", "mixture",       "marginal",
                                        "counted",  "belief",     "counted-skills"};
  const std::set<std::string> paper = {"implicit", "transition", "mixture"};
  const std::set<std::string> counts = {"implicit", "transition", "mixture",
                                        "marginal", "counted",    "counted-skills"};
  const std::set<std::string> lambda = {"transition", "mixture", "counted", "belief",
                                        "counted-skills"};
  // the rest is read by all
  const std::map<std::string, std::set<std::string>> readers = {
      {"hindsight", hindsight}, {"lambda", lambda},      {"lambda_first", lambda},
      {"lambda_start", lambda}, {"lambda_ramp", lambda}, {"critic", critic},
      {"td", critic},           {"sigma", mixture},      {"n_gmm", mixture},
      {"T_smooth", mixture},    {"nodes", mixture},      {"skills", skills},
      {"prior", prior},         {"count_decay", counts}, {"normalise", paper},
      {"goals", paper}};
  for (const std::string& setting : train_settings()) {
    for (const Algorithm& algorithm : algorithms()) {
      const auto own = readers.find(setting);
      const bool reads = own == readers.end() || own->second.contains(std::string(algorithm.name));
      EXPECT_EQ(algorithm.reads(setting), reads) << algorithm.name << " and " << setting;
    }
  }
}

SimulatorPtr half_cheetah() {
  Overrides none;
  return load_simulator("half-cheetah", none);
}

TEST(WhyIgnored, NamesWhatTheAlgorithmDoesNotRead) {
  const TabularWorld line = world_named("line");
  EXPECT_EQ(why_ignored("sigma", &line, find_algorithm("implicit")),
            "the algorithm implicit does not read it");
  EXPECT_EQ(why_ignored("sigma", &line, find_algorithm("mixture")), "");
  EXPECT_EQ(why_ignored("learning_rate", &line, find_algorithm("implicit")), "");
}

TEST(WhyIgnored, NamesWhatTheWorldDoesNotHave) {
  const TabularWorld line = world_named("line"), rooms = world_named("rooms-35");
  const SimulatorPtr cheetah = half_cheetah();
  const Algorithm& implicit = find_algorithm("implicit");
  for (const char* setting : {"alpha", "alpha_start", "alpha_ramp"}) {
    EXPECT_EQ(why_ignored(setting, cheetah.get(), implicit), "half-cheetah has no external reward");
    EXPECT_EQ(why_ignored(setting, &line, implicit), "line has no external reward");
    EXPECT_EQ(why_ignored(setting, &rooms, implicit), "");
  }
  EXPECT_EQ(why_ignored("encoding", cheetah.get(), implicit),
            "half-cheetah has no table of states to encode");
  EXPECT_EQ(why_ignored("encoding", &line, implicit), "");
  EXPECT_EQ(why_ignored("seed", cheetah.get(), implicit), "");
}

TEST(WhyIgnored, RefusesAnAssignmentThatChangesNothing) {
  const SimulatorPtr cheetah = half_cheetah();
  const auto refuse = [&](const char* name, const char* value) {
    return message_of([&] {
      const Overrides overrides({{fmt::format("train.{}", name), value, "a test"}});
      overrides.refuse_ignored("train", TrainSettings{}, [&](std::string_view setting) {
        return why_ignored(setting, cheetah.get(), find_algorithm("implicit"));
      });
    });
  };
  EXPECT_EQ(refuse("encoding", "onehot"),
            "a test: train.encoding = onehot would be ignored: half-cheetah has no table of states "
            "to encode. Leave it out.");
  EXPECT_EQ(refuse("alpha", "0.5"),
            "a test: train.alpha = 0.5 would be ignored: half-cheetah has no external reward. "
            "Leave it out.");
  EXPECT_EQ(refuse("encoding", "axes"), "no error") << "this is the default";
  EXPECT_EQ(refuse("hindsight", "residual"), "no error") << "implicit reads it";
}

}  // namespace
}  // namespace vic::algorithm_test
