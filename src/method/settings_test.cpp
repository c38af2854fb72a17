// Settings that are refused: values that do not exist, and values that do not fit the world.
#include "method/settings.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "method/agent.h"
#include "sim/world.h"
#include "support/message_of.h"
#include "support/named_world.h"

namespace vic {
namespace {

// the default settings, but for one
TrainSettings set(const char* key, const char* value) {
  TrainSettings settings;
  Overrides overrides({{key, value, "a test"}});
  overrides.apply("train", settings);
  overrides.finish();
  return settings;
}

std::string refusal(const char* key, const char* value) {
  return message_of([&] { set(key, value); });
}

TEST(TrainSettings, NamedValuesAreReadByName) {
  EXPECT_EQ(set("train.prior", "learned").prior, SkillPrior::learned);
  EXPECT_EQ(set("train.starts", "all").starts, Starts::all);
  EXPECT_EQ(set("train.hindsight", "residual").hindsight, HindsightForm::residual);
  EXPECT_EQ(set("train.encoding", "onehot").encoding, StateCode::onehot);
  EXPECT_EQ(set("train.encoding", "coords").encoding, StateCode::coords);
  EXPECT_EQ(set("train.encoding", "axes").encoding, StateCode::axes);
  EXPECT_EQ(set("train.encoding", "relative").encoding, StateCode::relative);
}

TEST(TrainSettings, NamesThatThereAreNotAreRefusedWithThoseThatThereAre) {
  EXPECT_EQ(refusal("train.prior", "flat"),
            "a test: train.prior = flat is not allowed; it must be uniform or learned.");
  EXPECT_EQ(refusal("train.encoding", "axis"),
            "a test: train.encoding = axis is not allowed; it must be onehot, coords, axes or "
            "relative.");
  EXPECT_EQ(refusal("train.starts", "some"),
            "a test: train.starts = some is not allowed; it must be one or all.");
  EXPECT_EQ(refusal("train.hindsight", "apart"),
            "a test: train.hindsight = apart is not allowed; it must be separate or residual.");
  EXPECT_EQ(refusal("train.hindsight", ""),
            "a test: train.hindsight = '' is not allowed; it must be separate or residual.");
  EXPECT_EQ(refusal("train.starts", "1"),
            "a test: train.starts = 1 is not allowed; it must be one or all.");
}

std::string unfit(WorldRef world, const TrainSettings& settings) {
  return message_of([&] { make_agent(world, settings); });
}

TEST(TrainSettings, SizesAreMultiplesOfEight) {
  const TabularWorld line = world_named("line");
  EXPECT_EQ(unfit(&line, set("train.T_smooth", "12")),
            "train.T_smooth = 12 is not allowed; it must be a multiple of 8.");
  EXPECT_EQ(unfit(&line, set("train.hidden", "20")),
            "train.hidden = 20 is not allowed; it must be a multiple of 8.");
  EXPECT_EQ(unfit(&line, set("train.T_smooth", "16")), "no error");
}

TEST(TrainSettings, WhatDoesNotFitATableIsRefused) {
  const TabularWorld line = world_named("line");
  EXPECT_EQ(unfit(&line, set("train.hindsight", "residual")),
            "train.hindsight = residual is for simulated worlds, where pi_q is queried about "
            "options that pi_p sampled and nothing else; take separate in line.");
  TrainSettings settings = set("train.starts", "all");
  for (const char* algorithm :
       {"implicit", "transition", "mixture", "open-loop", "explicit", "diayn"}) {
    settings.algorithm = algorithm;
    EXPECT_EQ(unfit(&line, settings), "no error") << algorithm;
  }
  settings.prior = SkillPrior::learned;
  EXPECT_EQ(unfit(&line, settings),
            "train.prior = learned is the prior of one start; take train.prior = uniform with "
            "train.starts = all.");
  settings.algorithm = "marginal";
  EXPECT_EQ(unfit(&line, settings),
            "The algorithm marginal cannot begin everywhere: it would have to know p(s_f) of each "
            "start by itself. Take implicit, transition or mixture with train.starts = all.");
}

TEST(TrainSettings, WhatDoesNotFitASimulatorIsRefused) {
  Overrides none;
  const SimulatorPtr cheetah = load_simulator("half-cheetah", none);
  TrainSettings all = set("train.starts", "all");
  all.algorithm = "implicit";
  EXPECT_EQ(unfit(cheetah.get(), all),
            "half-cheetah has one start: train.starts = all is for worlds with a table of states.");
  for (const char* algorithm : {"transition", "reward"}) {
    EXPECT_EQ(unfit(cheetah.get(), set("train.algorithm", algorithm)),
              fmt::format("The algorithm {} needs a world with a table of states, and half-cheetah "
                          "has none; take implicit, mixture, marginal, counted, belief, explicit, "
                          "counted-skills, "
                          "diayn, open-loop or random.",
                          algorithm));
  }
}

}  // namespace
}  // namespace vic
