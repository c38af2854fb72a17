// The registered worlds, as they are without settings.
#pragma once

#include "world/registry.h"

namespace vic {

inline TabularWorld world_named(const char* name) {
  Overrides none;
  return load_world(name, none);
}

}  // namespace vic
