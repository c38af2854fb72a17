// The body that represents a MuJoCo model, and the numbers measured in its states, for cells and
// conditions.
#pragma once

#include <array>
#include <vector>

#include "sim/condition.h"

struct mjData_;
struct mjModel_;

namespace vic {

struct MujocoModel;

// A number measured in a state.
struct BodyNumber {
  enum class Kind {
    main,    // the place of the main body along an axis, metres
    body,    // that of another body
    site,    // that of a site
    number,  // a number of the state
    pitch,   // of the main body, radians; positive is nose down
    turns,   // the same in turns
    up,      // the height of the tip of the main body's arrow
  };
  Kind kind = Kind::main;
  int id = 0;  // of the body, the site or the number
  int axis = 0;
};

// A state is healthy where all of these hold.
struct HealthyRange {
  BodyNumber measure;
  Condition condition;
};

// The body that represents the model: in the tree that most actuators move, the first that slides
// or floats or, without one, the last, the end of an arm.
struct MainBody {
  int id = 0;
  bool slides = false;            // or floats
  int pitch = -1;                 // the position that is its pitch: the first hinge about y without
                                  // limits of a body that stays in the plane of x and z; -1: none
  double pitch_sign = 1;          // of that hinge, so that nose down is positive
  double arrow[3] = {0, 0, 1};    // the vector that points up at the start, in the body's frame
  std::vector<int> turning = {};  // positions that are angles without limits
};

// Sets the main body and the view of films.
void find_main_body(MujocoModel& model, const mjModel_& m);

// The distance of an arm's end from its root, stretched out, in metres.
double reach_of(const MujocoModel& model, const mjModel_& m);

// A number of the state in `d`, whose positions must be up to date (mj_kinematics).
double measured(const MujocoModel& model, const mjData_& d, const BodyNumber& measure);

// Whether such a state meets all conditions of health; true where there are none.
bool is_healthy(const MujocoModel& model, const mjData_& d);

}  // namespace vic
