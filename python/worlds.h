// A world in Python.
#pragma once

#include <string>

#include "core.h"
#include "sim/world.h"

namespace vic::python {

struct PyWorld {
  std::string source;     // the name or the file
  SettingPairs settings;  // world.*
  std::string text;       // for a table made in Python: its file; else empty
  World world;

  const TabularWorld& table() const { return require_table(world); }
};

}  // namespace vic::python
