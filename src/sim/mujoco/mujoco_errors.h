// MuJoCo's errors as exceptions.
#pragma once

#include "base/error.h"

namespace vic {

// MuJoCo met an error that would have ended the program.
class MujocoError : public Error {
 public:
  using Error::Error;
};

// Makes MuJoCo throw a MujocoError where it would print and exit, and write nothing where it would
// print a warning. Called before any other of its functions; again does nothing.
void catch_mujoco_errors();

}  // namespace vic
