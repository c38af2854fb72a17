#include "sim/mujoco/mujoco_errors.h"

#include <mujoco/mujoco.h>

namespace vic {
namespace {

// The exception passes through frames of C, which have nothing to clean up and, on x86-64, tables
// to unwind them by. What MuJoCo had taken of an mjData's stack is given back by mj_resetData.
[[noreturn]] void throw_error(const char* message) {
  throw MujocoError(message);
}

// a warning about an mjData is counted in its `warning`, where the episode looks after every step
void ignore_warning(const char*) {}

}  // namespace

void catch_mujoco_errors() {
  // MuJoCo's handlers belong to the whole process. They are set once, under the lock that the
  // language puts around this line, and keep no state: an error travels in the exception of the
  // thread that met it, a warning stays in the mjData that it is about.
  static const bool installed = [] {
    mju_user_error = throw_error;
    mju_user_warning = ignore_warning;
    return true;
  }();
  static_cast<void>(installed);
}

}  // namespace vic
