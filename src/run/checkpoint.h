// A learner as named tensors, and back: all that it needs to go on as if nothing had happened.
#pragma once

#include "method/learner.h"
#include "run/tensors.h"

namespace vic {

// Weights are "MODEL/SLICE", Adam's moments "adam.mean/MODEL" and "adam.square/MODEL".
TensorFile snapshot(Learner& learner);

// Throws an Error where the tensors are not those of such a learner.
void restore(Learner& learner, const TensorFile& file);

}  // namespace vic
