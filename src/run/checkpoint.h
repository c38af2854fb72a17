// A learner as named tensors, and back: all that it needs to continue as if nothing had happened.
#pragma once

#include <optional>

#include "method/learner.h"
#include "run/tensors.h"

namespace vic {

// Weights are "MODEL/SLICE", Adam's moments "adam.mean/MODEL" and "adam.square/MODEL".
TensorFile snapshot(const Learner& learner);

// Throws an Error if the tensors are not those of such a learner.
void restore(Learner& learner, const TensorFile& file);

// The scales of the numbers of simulated states; nothing in the checkpoint of a table. An agent is
// made with them, and then restored.
std::optional<Scales> saved_scales(const TensorFile& file);

}  // namespace vic
