// Runs that begin with what another has learned, or look at it in another world.
#pragma once

#include <string>
#include <vector>

#include "run/run_folder.h"

namespace vic {

// A run that has not begun, with all that a trained one has learned: weights, the moments of Adam,
// b(s_0), running frequencies and scales. Its updates, and with them the learning rate and all
// schedules, begin anew. Has the settings of the other, with what the user set on top; without
// train.warm_up there is none. Where run.world is among it, those of world.* are not taken over.
// Throws a UsageError where the models of the two have other shapes.
Run make_run_from(const std::string& folder, const std::vector<Assignment>& set, const Warn& warn);

// A trained run in another world, or in its own with other world.* settings; also of eval.*.
// Nothing of it is written. Throws as above.
Run load_run_elsewhere(const std::string& folder, const std::vector<Assignment>& set,
                       const Warn& warn);

}  // namespace vic
