// A model that MuJoCo simulates, compiled, and what is read from it.
//
// It is immutable once built and may be shared by threads; what changes is MujocoData. Once a model
// is made, MuJoCo throws a MujocoError where it would print and exit, and writes nothing where it
// would print a warning.
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

// What a user may set of any MuJoCo world.
struct MujocoSettings {
  std::string model{};  // empty: the one that is built in
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
          "auto: as it moves");
    field("healthy", healthy, Range{},
          "where options go on, as in \"z > 0.7, up > 0\"; elsewhere it has fallen, and they end");
    field("behaviours", behaviours, Range{},
          "names of your own before others: \"jumps: height > 1; left: y > 1, up > 0\"");
  }
};

struct MujocoModel {
  SimulatorSpec spec;  // a state is positions, velocities and activations, after each other
  MujocoSettings settings;
  std::string text;  // of the file that it was read from; empty for one that is built in

  MainBody main;
  std::vector<BodyNumber> measures;         // what the coordinates of the specification measure
  std::vector<HealthyRange> healthy;        // where there are some, a last coordinate is `fallen`
  std::vector<NamedConditions> behaviours;  // the user's own

  std::shared_ptr<const mjModel_> model;
  std::shared_ptr<const mjModel_> plain;  // as it was written: the same bits, often more slowly
};

// The model of a text, which is all that is read: no other file is opened. Throws a UsageError
// where MuJoCo cannot read it, where it names another file or is too large, and for a model without
// actuators, or with one that has no ctrlrange.
MujocoModel make_mujoco_model(const std::string& name, std::string_view text,
                              const MujocoSettings& settings);

// The model of settings.model, a file, named after it. A `copy` of the file is read in its place
// where there is one. Throws a UsageError.
MujocoModel load_mujoco_model(const MujocoSettings& settings, const std::string& copy = "");

// What a simulation of the model works on. The model must outlive it.
using MujocoData = std::unique_ptr<mjData_, void (*)(mjData_*)>;
MujocoData make_data(const MujocoModel& model);

}  // namespace vic
