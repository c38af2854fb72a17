// For the tests: settings under which an update takes milliseconds.
#pragma once

#include "method/settings.h"

namespace vic {

inline TrainSettings small_settings(const char* algorithm) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.hidden = 16;
  settings.batch = 32;
  settings.T_smooth = 16;
  settings.n_gmm = 3;
  settings.warm_up = 5;
  return settings;
}

}  // namespace vic
