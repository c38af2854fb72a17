// Training in simulated worlds: interrupted runs end in the bytes of those that were not, and
// marginal finds more than chance does.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "run/training.h"

namespace vic {
namespace {

const std::string pendulum = std::string(VIC_SOURCE_DIR) + "/examples/pendulum.xml";

Run small(const std::string& algorithm, std::vector<Assignment> more = {}) {
  std::vector<Assignment> list = {{"run.world", pendulum, "test"},
                                  {"run.metrics_every", "3", "test"},
                                  {"run.checkpoint_every", "4", "test"},
                                  {"run.survey_every", "5", "test"},
                                  {"world.T", "8", "test"},
                                  {"train.algorithm", algorithm, "test"},
                                  {"train.batch", "16", "test"},
                                  {"train.hidden", "16", "test"},
                                  {"train.warm_up", "3", "test"},
                                  {"train.updates", "12", "test"}};
  list.insert(list.end(), more.begin(), more.end());
  return make_run(Overrides(list));
}

class SimulatorTraining : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_ =
      testing::TempDir() + "vic_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

struct Crash {};

TEST_F(SimulatorTraining, GoesOnToTheSameBytes) {
  const std::string whole = folder_ + "/whole", parts = folder_ + "/parts";
  std::optional<Reference> reference;
  {
    Training training = begin_training(small("mixture"), whole);
    reference = find_reference(training.run.world);
    ASSERT_TRUE(train(training, *reference, {}));
  }
  // gone after update 6, which no checkpoint knows of; then after 11
  for (long at : {6L, 11L}) {
    Training training =
        has_run(parts) ? resume_training(parts) : begin_training(small("mixture"), parts);
    const auto end = [&](const Learner& learner) {
      if (learner.state().update == at) throw Crash();
    };
    EXPECT_THROW(train(training, *reference, {.progress = end}), Crash);
  }
  Training training = resume_training(parts);
  EXPECT_EQ(training.run.learner->state().update, 8);
  ASSERT_TRUE(train(training, *reference, {}));
  for (const char* name : {"checkpoint.safetensors", "metrics.jsonl", "behaviours.jsonl",
                           "films.json", "evaluation.json", "truth.json", "world.xml"}) {
    EXPECT_EQ(read_file(whole + "/" + name), read_file(parts + "/" + name)) << name;
  }
  EXPECT_EQ(read_file(whole + "/world.xml"), read_file(pendulum));
  EXPECT_EQ(world_name(load_run(whole, no_warning).world), "pendulum");
}

// what a checkpoint says of the scales is what the nets go on with
TEST_F(SimulatorTraining, ScalesComeFromTheCheckpoint) {
  {
    vic::Run run = small("implicit");
    Scales scales = run.learner->agent().scales;
    scales.deviation[0] *= 2;
    run.learner = std::make_unique<Learner>(
        make_agent(run.learner->agent().world, run.learner->settings(), std::move(scales)));
    Training training = begin_training(std::move(run), folder_);
    ASSERT_TRUE(train(training, find_reference(training.run.world), {}));
  }
  const vic::Run again = load_run(folder_, no_warning);
  const vic::Run fresh = small("implicit");
  EXPECT_EQ(again.learner->agent().scales.deviation[0],
            2 * fresh.learner->agent().scales.deviation[0]);
  EXPECT_EQ(again.learner->agent().scales.step, fresh.learner->agent().scales.step);
}

TEST_F(SimulatorTraining, MarginalFindsMoreThanChance) {
  const vic::Run run = small("marginal", {{"world.T", "30", "test"},
                                          {"train.warm_up", "0", "test"},
                                          {"train.batch", "64", "test"},
                                          {"world.turn", "0.5", "test"},
                                          {"world.bin", "0.1", "test"},
                                          {"train.count_decay", "0.95", "test"},
                                          {"train.updates", "150", "test"}});
  for (int u = 0; u < 150; ++u) run.learner->update();
  const double random = truth_json(find_reference(run.world))["random"]["H"].get<double>();
  const Evaluation evaluation = evaluate(*run.learner, {});
  // 0.3 nats is seven times the interval of either
  EXPECT_LT(evaluation.ci95, 0.06);
  EXPECT_GT(evaluation.H, random + 0.3);
}

TEST_F(SimulatorTraining, SayInOneSentenceWhatCannotBe) {
  const auto message = [](const std::string& algorithm, std::vector<Assignment> more = {}) {
    try {
      small(algorithm, std::move(more));
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(message("transition"),
            "The algorithm transition needs a world with a table of states, and pendulum has none; "
            "take implicit, mixture, marginal or open-loop.");
  EXPECT_EQ(message("implicit", {{"train.starts", "all", "test"}}),
            "pendulum has one start: train.starts = all is for worlds with a table of states.");
  EXPECT_EQ(message("implicit", {{"train.hindsight", "none", "test"}}),
            "test: train.hindsight = none is not allowed; it must be separate or residual.");
  EXPECT_NE(message("implicit", {{"world.goal", "nose", "test"}}).find("world.goal names nose"),
            std::string::npos);
}

// a run keeps its model, and a model in several files would be lost
TEST_F(SimulatorTraining, ModelIsOneFile) {
  std::filesystem::create_directories(folder_);
  write_file(folder_ + "/part.xml", read_file(pendulum));
  const std::string model = folder_ + "/two.xml";
  write_file(model, "<mujoco><include file=\"part.xml\"/></mujoco>");
  EXPECT_THROW(make_run(Overrides({{"run.world", model, "test"}})), UsageError);
}

}  // namespace
}  // namespace vic
