// Users' models: what is read, what is refused, and a pendulum against its closed form.
#include "sim/mujoco/mujoco_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "sim/mujoco/mujoco_world.h"
#include "support/one_episode.h"

namespace vic::mujoco_model_test {
namespace {

const std::string pendulum_file = VIC_SOURCE_DIR "/examples/pendulum.xml";

// a ball on a rod without mass, and an actuator on its hinge
std::string pendulum(const std::string& actuator, const std::string& option = "") {
  return "<mujoco><option timestep='0.001' integrator='RK4' " + option +
         "/><worldbody><body pos='0 0 2'><joint name='hinge' type='hinge' axis='0 1 0'/>"
         "<geom type='sphere' size='0.1' pos='0 0 -0.8' mass='1.5'/></body></worldbody>"
         "<actuator>" +
         actuator + "</actuator></mujoco>";
}

const std::string motor = "<motor joint='hinge' gear='3' ctrllimited='true' ctrlrange='-2 1'/>";

std::string message_of_model(const std::string& text, MujocoSettings settings = {}) {
  try {
    make_mujoco_model("mine", text, settings);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MujocoModel, SaysInWordsWhatIsWrongWithTheXml) {
  EXPECT_EQ(message_of_model("<mujoco>\n<a></mujoco>"),
            "mine is no model that MuJoCo can simulate: it is not well-formed XML: mismatched "
            "element in line 2.");
  EXPECT_EQ(message_of_model("<mujoco><worldbody><body/></worldbody></mujoco>").find("XML_ERROR"),
            std::string::npos);
}

TEST(MujocoModel, WordsOfAModelAreNotTakenForALackOfMemory) {
  const std::string message = message_of_model("<mujoco><could_not_allocate_memory/></mujoco>");
  EXPECT_NE(message.find("is no model"), std::string::npos) << message;
  const std::string angle = "<mujoco><compiler angle=\"could not allocate memory\"/></mujoco>";
  EXPECT_NE(message_of_model(angle).find("is no model"), std::string::npos);
}

TEST(MujocoModel, LevelsAreSpreadOverTheRange) {
  const MujocoModel world = make_mujoco_model("mine", pendulum(motor), {.levels = 4});
  EXPECT_EQ(world.spec.actuators[0].controls, (std::vector<double>{-2, -1, 0, 1}));
  EXPECT_EQ(world.spec.n(), 2);
  EXPECT_EQ(world.spec.state_names, (std::vector<std::string>{"hinge", "v(hinge)"}));
  EXPECT_EQ(world.spec.actuators[0].name, "actuator 0");
  EXPECT_EQ(world.main.pitch, 0);
  EXPECT_EQ(world.spec.facts[1].second, "1.5 kg");
}

TEST(MujocoModel, NamesTheNumbersOfEveryKindOfJoint) {
  const MujocoModel world = make_mujoco_model(
      "mine",
      "<mujoco><worldbody><body><freejoint name='f'/><geom size='1'/>"
      "<body><joint name='b' type='ball'/><geom size='1'/></body></body></worldbody>"
      "<actuator><motor joint='b' ctrllimited='true' ctrlrange='-1 1'/></actuator></mujoco>",
      {});
  EXPECT_EQ(world.spec.n(), 7 + 4 + 6 + 3);
  EXPECT_EQ(static_cast<int>(world.spec.state_names.size()), world.spec.n());
  EXPECT_EQ(world.spec.state_names[3], "f.qw");
  EXPECT_EQ(world.spec.start[3], 1);
  EXPECT_EQ(world.spec.state_names.back(), "v(b.wz)");
  EXPECT_EQ(world.main.pitch, -1);
}

TEST(MujocoModel, RefusesModelsThatCannotBeUsed) {
  EXPECT_EQ(message_of_model(pendulum("")),
            "mine has no actuators; give it an <actuator> section with at least one <motor>.");
  EXPECT_EQ(
      message_of_model(pendulum("<motor name='arm' joint='hinge'/>")),
      "The actuator arm of mine has no range to cut into levels; write ctrllimited=\"true\" and "
      "ctrlrange=\"LOW HIGH\".");
  EXPECT_EQ(message_of_model("<mujoco/>"), "mine has no joints; nothing in it can move.");
  // MuJoCo's words, in one line
  for (const std::string& broken :
       {std::string("not xml"), std::string("<mujoco>"), std::string("<body/>"),
        pendulum("<motor joint='knee'/>"), pendulum(motor, "timestep='-1'"), std::string("<")}) {
    const std::string message = message_of_model(broken);
    EXPECT_TRUE(message.starts_with("mine is no model that MuJoCo can simulate: ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

// a shared model must not open files on another user's disk, whatever the quoting
TEST(MujocoModel, OpensNoOtherFile) {
  for (const std::string part :
       {"<include file='part.xml'/>", "<include file = \"/etc/passwd\"/>",
        "<asset><hfield name='h' file\t='h.bin' size='1 1 1 1'/></asset>",
        "<asset><mesh\nfile\n=\n'm.stl'/></asset>",
        "<asset><texture name='t' type='cube' fileright='t.png'/></asset>"}) {
    const std::string message = message_of_model(
        "<mujoco>" + part + pendulum(motor).substr(std::string("<mujoco>").size()));
    EXPECT_TRUE(message.starts_with("mine takes parts from other files (file")) << message;
  }
  EXPECT_TRUE(
      message_of_model("<robot name='r'><link name='l'><visual><geometry><mesh filename='m.stl'/>"
                       "</geometry></visual></link></robot>")
          .starts_with("mine takes parts from other files (filename)"));
  // from the disk, too
  const std::string path = testing::TempDir() + "vic_model_with_parts.xml";
  std::ofstream(path) << "<mujoco><include file='part.xml'/></mujoco>";
  EXPECT_THROW(load_mujoco_model({.model = path}), UsageError);
  std::filesystem::remove(path);
}

TEST(MujocoModel, IsBoundedInSizeAndTime) {
  const auto with = [](const std::string& part) {
    return message_of_model("<mujoco>" + part +
                            pendulum(motor).substr(std::string("<mujoco>").size()));
  };
  EXPECT_EQ(with("<worldbody><body><composite type='grid' count='1000 1000 1' spacing='.1'>"
                 "<geom size='.01'/></composite></body></worldbody>"),
            "mine is too large: its count adds up to 1000000, and 1000 is the most.");
  EXPECT_EQ(
      with("<asset><texture name='a' builtin='flat' type='2d' width='5000' height='5'/>"
           "<texture name='b' builtin='flat' type='2d' width = \"5000\" height='5'/></asset>"),
      "mine is too large: its width adds up to 10000, and 8192 is the most.");
  EXPECT_EQ(with("<size njmax='1e9'/>"),
            "mine is too large: its njmax adds up to 1000000000, and 10000 is the most.");
  for (const char* step : {"0", "-1", "nan"}) {
    std::string text = pendulum(motor);
    text.replace(text.find("0.001"), 5, step);
    const std::string message = message_of_model(text);
    EXPECT_NE(message.find("timestep"), std::string::npos) << step << ": " << message;
  }
}

TEST(MujocoModel, RefusesFilesThatCannotBeRead) {
  const std::string folder = testing::TempDir();
  const auto message = [](const std::string& name, std::vector<Assignment> settings = {}) {
    try {
      Overrides overrides(std::move(settings));
      load_mujoco_world(name, overrides);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("no/such.xml"), "Cannot open no/such.xml: No such file or directory.");
  EXPECT_EQ(message("half-cheetah", {{"world.model", "no/such.xml", "--set"}}),
            "Cannot open no/such.xml: No such file or directory.");
  EXPECT_EQ(message("half-cheetah", {{"world.levels", "1", "--set"}}),
            "--set: world.levels = 1 is not allowed; it must be a whole number from 2 to 1000.");
  for (const char* text : {"", "<mujoco>", "\x01\x02"}) {
    const std::string path = folder + "vic_broken_model.xml";
    std::ofstream(path) << text;
    EXPECT_TRUE(message(path).starts_with(path + " is no model that MuJoCo can simulate: "));
    std::filesystem::remove(path);
  }
}

TEST(MujocoModel, ReadsTheExampleAndAnyFileInPlaceOfTheCheetah) {
  Overrides none;
  const MujocoModel world = load_mujoco_world(pendulum_file, none)->model();
  EXPECT_EQ(world.spec.name, "pendulum");
  EXPECT_EQ(world.spec.F(), 1);
  Overrides model({{"world.model", pendulum_file, "--set"},
                   {"world.levels", "3", "--set"},
                   {"world.T", "7", "--set"}});
  const MujocoModel other = load_mujoco_world("half-cheetah", model)->model();
  model.finish();
  EXPECT_EQ(other.spec.name, "pendulum");
  EXPECT_EQ(other.text, world.text);
  EXPECT_EQ(other.spec.L(), 3);
  EXPECT_EQ(other.spec.T, 7);
}

// a pendulum's period is 2 pi sqrt(I / m g l) / agm(1, cos(amplitude / 2))
double closed_form_period(double amplitude) {
  constexpr double m = 1.5, l = 0.8, r = 0.1, fall = 9.81;
  const double I = m * (l * l + 0.4 * r * r);
  double a = 1, b = std::cos(amplitude / 2);
  for (int i = 0; i < 20; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * std::numbers::pi * std::sqrt(I / (m * fall * l)) / a;
}

TEST(MujocoModel, APendulumSwingsWithItsClosedFormPeriod) {
  const MujocoModel world =
      make_mujoco_model("mine", pendulum(motor), {.levels = 4, .T = 10000, .frame_skip = 1});
  for (double amplitude : {0.1, 1.0, 2.8}) {
    OneEpisode episode(world);
    std::vector<double> snapshot(snapshot_size(world), 0), state(2);
    snapshot[state_at] = amplitude;
    episode.restore(snapshot);
    // the first and the third time that it hangs down are a period apart
    std::vector<double> crossings;
    double last = amplitude, last_v = 0;
    const double h = world.model->opt.timestep;
    while (crossings.size() < 3 && !episode.done()) {
      episode.step(std::vector<int>{2});
      episode.state(state);
      if (last * state[0] < 0) {
        // near the bottom the path is straight but for a third-order term: one step by velocity
        const double at = (episode.actions_taken() - 1) * h;
        crossings.push_back(at + h * last / (last - state[0]));
        EXPECT_GT(std::abs(last_v), 0.1);
      }
      last = state[0];
      last_v = state[1];
    }
    ASSERT_EQ(crossings.size(), 3u);
    EXPECT_NEAR((crossings[2] - crossings[0]) / closed_form_period(amplitude), 1, 1e-7);
  }
}

}  // namespace
}  // namespace vic::mujoco_model_test
