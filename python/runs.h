// A trained run in Python.
#pragma once

#include <string>

#include "core.h"
#include "run/training.h"

namespace vic::python {

struct PyRun {
  std::string folder;
  Run run;

  const Agent& agent() const { return run.learner->agent(); }
};

}  // namespace vic::python
