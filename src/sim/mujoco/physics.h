// Worlds that MuJoCo simulates: a body with M motors, each set to one of L levels for an action.
//
// A world is immutable once built and may be shared by threads; what changes is a PhysicsEpisode.
// Every option takes T actions, no more and no less, and starts in the same state: the world is
// deterministic. A state is the positions and velocities of the joints, n numbers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"

struct mjModel_;

namespace vic {

// What a user may say of any physics world.
struct PhysicsSettings {
  std::string model{};  // empty: the one that is built in
  int levels = 5;
  int T = 100;
  int frame_skip = 5;
  double bin = 0.5;
  double turn = 0.9;
  double pitch_bin = 0;
  std::string goal = "cell";

  template <class Visitor>
  void visit(Visitor&& field) {
    field("model", model, Range{}, "a MuJoCo model file (.xml) in place of the world's own");
    field("levels", levels, Range{2, 1000}, "levels of a motor, evenly over its ctrlrange");
    field("T", T, Range{1, 100000}, "actions in an option, always");
    field("frame_skip", frame_skip, Range{1, 10000}, "simulation steps an action");
    field("bin", bin, Range{1e-6, 1e6}, "metres of distance that count as the same place");
    field("turn", turn, Range{0.5, 1}, "the share of a turn that counts as full in a cell");
    field("pitch_bin", pitch_bin, Range{0, 100},
          "turns that the method takes for the same; 0: full turns, as in a cell");
    field("goal", goal, Range{},
          "what hindsight is told of s_f: cell, all, or numbers of a state, as in \"rootx rooty\"");
  }
};

struct Motor {
  std::string name;
  double low = 0, high = 0;  // its ctrlrange
  double gear = 0;           // newton metres, or newtons, at control 1
};

struct Joint {
  std::string name;
  std::string kind;  // hinge, slide, ball or free
  bool limited = false;
  double low = 0, high = 0;  // radians or metres, where limited
};

struct PhysicsWorld {
  std::string name;
  std::string text;  // the model's XML
  int M = 0;         // motors
  int L = 0;         // levels of each
  int T = 0;         // actions in an option
  int frame_skip = 0;
  double timestep = 0;   // seconds of a simulation step
  double mass = 0;       // kg, of all that moves
  double bin = 0;        // metres of a cell; see behaviour.h
  double turn = 0;       // the share of a turn that counts as full in a cell
  double pitch_bin = 0;  // turns that the method takes for the same; 0: full turns

  int nq = 0, nv = 0, na = 0;            // positions, velocities, activations of motors (mostly 0)
  int n = 0;                             // numbers of a state, these three after each other
  std::vector<std::string> state_names;  // (n)
  std::vector<double> start;             // (n)
  std::vector<Motor> motors;             // (M)
  std::vector<Joint> joints;             // in the order of the state
  std::vector<double> controls;          // (M, L) what a level sets the motor to

  // What stands for the whole body: the one that slides or floats, or else the last, which is the
  // end of an arm; and the position that is its pitch, the first hinge without limits, -1 for none.
  int main_body = 0;
  bool main_slides = false;
  int pitch = -1;

  // What hindsight is told of s_f: its cell, or these numbers.
  bool goal_is_cell = false;
  std::vector<int> goal;

  std::shared_ptr<const mjModel_> model;

  // Turns that a cell of the method spans.
  double turn_bin() const { return pitch_bin > 0 ? pitch_bin : 1; }

  double seconds() const { return T * frame_skip * timestep; }
};

// The world of a model's text. Throws a UsageError where MuJoCo cannot read it, and for a model
// without motors, or with one that has no ctrlrange.
PhysicsWorld make_physics_world(const std::string& name, std::string_view text,
                                const PhysicsSettings& settings);

// The world of settings.model, a file, named after it. Throws a UsageError.
PhysicsWorld load_physics_file(const PhysicsSettings& settings);

}  // namespace vic
