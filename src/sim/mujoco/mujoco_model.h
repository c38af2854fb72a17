// A compiled MuJoCo model, and the facts read from it.
//
// It is immutable once built and may be shared by threads; mutable state is in MujocoData. Once a
// model has been made, MuJoCo throws a MujocoError where it would print and exit, and is silent
// where it would print a warning.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/settings.h"
#include "sim/mujoco/mujoco_body.h"
#include "sim/simulator.h"

struct mjData_;
struct mjModel_;

namespace vic {

// MuJoCo met an error that would have ended the program.
class MujocoError : public Error {
 public:
  using Error::Error;
};

// The settings of every MuJoCo world.
struct MujocoSettings {
  std::string model{};  // empty: the built-in one
  int levels = 5;
  int T = 100;
  int frame_skip = 5;
  double bin = 0.5;
  double turn = 0.9;
  double pitch_bin = 0;
  std::string goal = "cell";
  std::string observe = "all";
  double reset_noise = 0;
  std::string place = "auto";
  std::string healthy{};
  std::string behaviours{};

  template <class Visitor>
  void visit(Visitor&& field) {
    field("model", model, Range{}, "a MuJoCo model file (.xml) in place of the world's own");
    field("levels", levels, Range{2, 1000}, "levels of an actuator, evenly over its ctrlrange");
    field("T", T, Range{1, 100000}, "actions of every option");
    field("frame_skip", frame_skip, Range{1, 10000}, "simulation steps per action");
    field("bin", bin, Range{1e-6, 1e6}, "width of a cell, in metres or as world.place counts");
    field("turn", turn, Range{0.5, 1}, "share of a turn from which it counts as full in a cell");
    field("pitch_bin", pitch_bin, Range{0, 100},
          "turns of a cell as the method counts it; 0: full turns, as in evaluations");
    field("goal", goal, Range{},
          "what represents s_f in hindsight: cell, all, or state numbers, as in \"rootx rooty\"");
    field("observe", observe, Range{},
          "state numbers that histories show: all, names, or \"-rootx\" for all but that one");
    field("reset_noise", reset_noise, Range{0, 10},
          "noise of the first state: uniform in positions, normal in velocities");
    field("place", place, Range{},
          "what cells are made of, with bins: \"x y\", \"rootx:1 rooty:0.5\", \"ball.x tip.z\"; "
          "auto: the coordinates that the actuators move");
    field("healthy", healthy, Range{},
          "condition under which options go on, as in \"z > 0.7, up > 0\"; without it the body has "
          "fallen");
    field("behaviours", behaviours, Range{},
          "further names of behaviours, tried first: \"jumps: height > 1; left: y > 1, up > 0\"");
  }
};

struct MujocoModel {
  SimulatorSpec spec;  // a state is positions, velocities and activations, one after the other
  MujocoSettings settings;
  std::string text;  // of the file that it was read from; empty for a built-in model

  MainBody main;
  std::vector<BodyNumber> measures;         // those of the specification's coordinates
  std::vector<HealthyRange> healthy;        // where there are some, the last coordinate is `fallen`
  std::vector<NamedConditions> behaviours;  // the user's own

  std::shared_ptr<const mjModel_> model;
  std::shared_ptr<const mjModel_> plain;  // as written: simulates the same bits, often more slowly
};

// The model of a text; no other file is opened. Throws a UsageError where MuJoCo cannot read it,
// where it names another file or is too large, and for a model without actuators, or with one that
// has no ctrlrange.
MujocoModel make_mujoco_model(const std::string& name, std::string_view text,
                              const MujocoSettings& settings);

// The model of the file settings.model, named after it. If `copy` is given, it is read in place of
// the file. Throws a UsageError.
MujocoModel load_mujoco_model(const MujocoSettings& settings, const std::string& copy = "");

// The mutable state of a simulation. The model must outlive it.
using MujocoData = std::unique_ptr<mjData_, void (*)(mjData_*)>;
MujocoData make_data(const MujocoModel& model);

// "2.2.2", of the library that is running.
const char* mujoco_version();

}  // namespace vic
