// Training in simulated worlds: interrupted runs end in the same bytes as uninterrupted ones, and
// marginal covers more than random actions do.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "run/run_from.h"
#include "run/training.h"
#include "sim/world.h"
#include "support/training_fixture.h"

namespace vic {
namespace {

// A simulator that counts its steps, and requests a stop at one of them.
struct Counted : StepSimulator {
  static inline long steps = 0, stop_at = -1;
  static inline StopRequest request;

  struct Settings {
    int T = 4;
    template <class Visitor>
    void visit(Visitor&& field) {
      field("T", T, Range{1, 100}, "actions of every option");
    }
  };
  explicit Counted(const Settings& settings)
      : StepSimulator(
            {.name = "counted",
             .state_names = {"x"},
             .start = {0},
             .actuators = {{"push", {-1, 1}}},
             .T = settings.T,
             .coordinates = {
                 {.name = "x", .unit = "m", .bins = {.width = 1}, .limit = 9, .number = 0}}}) {}

  void step(std::span<double> state, std::span<const double> controls,
            const RandomAddress&) const override {
    state[0] += controls[0];
    if (++steps == stop_at) request.wanted = true;
  }
};

[[maybe_unused]] const bool registered = register_simulators(one_simulator<Counted::Settings>(
    {.name = "counted", .figure = "-", .summary = "counts its steps"},
    [](const std::string&, const Counted::Settings& settings) -> SimulatorPtr {
      return std::make_shared<const Counted>(settings);
    }));

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

// trains a run in one piece and in three, and compares all files that they leave
void expect_same_bytes(const std::string& folder, const std::string& algorithm,
                       const std::vector<Assignment>& more) {
  SCOPED_TRACE(algorithm);
  const std::string whole = folder + "/whole", parts = folder + "/parts";
  std::optional<Reference> reference;
  {
    Training training = begin_training(small(algorithm, more), whole);
    reference = find_reference(training.run.world);
    ASSERT_TRUE(train(training, *reference, {}));
  }
  // killed after update 6, which no checkpoint has; then after 11
  for (long at : {6L, 11L}) {
    crash(has_run(parts) ? resume_training(parts) : begin_training(small(algorithm, more), parts),
          *reference, at);
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

TEST_F(SimulatorTraining, GoesOnToTheSameBytes) {
  expect_same_bytes(folder_ + "/1", "mixture", {});
  expect_same_bytes(folder_ + "/2", "mixture", {{"train.normalise", "goals", "test"}});
  expect_same_bytes(folder_ + "/3", "belief", {{"train.lambda", "0.5", "test"}});
  expect_same_bytes(folder_ + "/4", "explicit", {});
}

// stopped at one step of the simulator after another: in updates, in the surveys between them, and
// in the evaluation
TEST_F(SimulatorTraining, StoppedInASurveyGoesOnToTheSameBytes) {
  const auto begin = [](const std::string& folder) {
    return begin_training(small("implicit", {{"run.world", "counted", "test"},
                                             {"run.survey_options", "400", "test"}}),
                          folder);
  };
  const std::string whole = folder_ + "/whole";
  Training undisturbed = begin(whole);
  const Reference reference = find_reference(undisturbed.run.world);
  const long first = Counted::steps;
  ASSERT_TRUE(train(undisturbed, reference, {.stop = Stop(Counted::request)}));
  const long last = Counted::steps;
  int in_survey = 0;
  for (long at = 1; at < last - first; at += 397) {
    SCOPED_TRACE(at);
    const std::string parts = folder_ + "/" + std::to_string(at);
    Training training = begin(parts);
    Counted::stop_at = Counted::steps + at;
    bool done = train(training, reference, {.stop = Stop(Counted::request)}).has_value();
    Counted::request.wanted = false;
    const long update = training.run.learner->state().update;
    in_survey += !done && update % 5 == 0 && update < 15;
    { const Training closed = std::move(training); }
    if (!done) {
      Training resumed = resume_training(parts);
      EXPECT_EQ(resumed.run.learner->state().update, update);
      done = train(resumed, reference, {}).has_value();
    }
    EXPECT_TRUE(done);
    for (const char* name : {"checkpoint.safetensors", "metrics.jsonl", "behaviours.jsonl",
                             "films.json", "evaluation.json"}) {
      EXPECT_EQ(read_file(whole + "/" + name), read_file(parts + "/" + name)) << name;
    }
    EXPECT_FALSE(path_exists(parts + "/evaluation.part.safetensors"));
  }
  EXPECT_GT(in_survey, 5);
}

// random options are a part of what evaluations cost
TEST_F(SimulatorTraining, IsComparedWithAsManyRandomOptionsAsOfItsOwn) {
  const vic::Run run = small("marginal", {{"eval.survey", "40", "test"}});
  EXPECT_EQ(find_reference(run).random->options(), 40);
  EXPECT_EQ(find_reference(small("marginal", {{"eval.survey", "5000", "test"}})).random->options(),
            1024);
}

// longer options, and surveys of the size that the new training wants
TEST_F(SimulatorTraining, GoesOnWithLongerOptions) {
  {
    Training training = begin_training(small("marginal"), folder_);
    ASSERT_TRUE(train(training, find_reference(training.run), {}));
    EXPECT_EQ(training.run.eval.survey, 32);
  }
  const auto longer = [&](std::vector<Assignment> more) {
    more.push_back({"world.T", "16", "test"});
    more.push_back({"train.updates", "3000", "test"});
    return make_run_from(folder_, more, no_warning);
  };
  const vic::Run run = longer({});
  EXPECT_EQ(run.learner->agent().simulator()->spec().T, 16);
  EXPECT_EQ(run.eval.survey, 3000 * 16 / 100);
  EXPECT_EQ(
      run.learner->agent().models[0].model.net().parameters().values,
      load_run(folder_, no_warning).learner->agent().models[0].model.net().parameters().values);
  EXPECT_EQ(longer({{"eval.survey", "50", "test"}}).eval.survey, 50);
}

// the nets continue with the scales of the checkpoint
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
                                          {"train.batch", "32", "test"},
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
            "take implicit, mixture, marginal, counted, belief, explicit, counted-skills, diayn, "
            "open-loop or "
            "random.");
  EXPECT_EQ(message("implicit", {{"train.starts", "all", "test"}}),
            "pendulum has one start: train.starts = all is for worlds with a table of states.");
  EXPECT_EQ(message("implicit", {{"train.hindsight", "none", "test"}}),
            "test: train.hindsight = none is not allowed; it must be separate or residual.");
  EXPECT_NE(message("implicit", {{"world.goal", "nose", "test"}}).find("world.goal names nose"),
            std::string::npos);
}

// a run keeps its model in one file, with all that it includes; other files would be lost
TEST_F(SimulatorTraining, ModelIsOneFile) {
  std::filesystem::create_directories(folder_);
  write_file(folder_ + "/part.xml", read_file(pendulum));
  const std::string model = folder_ + "/two.xml";
  write_file(model, "<mujoco><include file=\"part.xml\"/></mujoco>");
  const auto run = make_run(Overrides({{"run.world", model, "test"}}));
  const std::string text = simulator_in(run.world)->model_text();
  EXPECT_NE(text.find("<actuator>"), std::string::npos);
  EXPECT_EQ(text.find("include"), std::string::npos);
  write_file(model, "<mujoco><asset><mesh file=\"part.stl\"/></asset></mujoco>");
  EXPECT_THROW(make_run(Overrides({{"run.world", model, "test"}})), UsageError);
}

}  // namespace
}  // namespace vic
