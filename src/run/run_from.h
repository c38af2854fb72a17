// Runs that begin with the weights of another, or evaluate it in another world.
#pragma once

#include <string>
#include <vector>

#include "run/run_folder.h"

namespace vic {

// A run that has not begun, with everything that a trained one has learned: weights, the moments of
// Adam, b(s_0), running frequencies and scales. Its updates start again at 0, and with them the
// learning rate and all schedules. It has the settings of the other, overridden by those in `set`;
// unless `set` has train.warm_up there is no warm-up. If `set` has run.world, settings of world.*
// are not inherited. Throws a UsageError if the models of the two differ in shape.
Run make_run_from(const std::string& folder, const std::vector<Assignment>& set, const Warn& warn);

// A trained run in another world, or in its own with other settings of world.* or eval.*. Writes
// nothing. Throws as above.
Run load_run_elsewhere(const std::string& folder, const std::vector<Assignment>& set,
                       const Warn& warn);

}  // namespace vic
