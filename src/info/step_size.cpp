#include "info/step_size.h"

#include <algorithm>

namespace vic {

bool StepSize::accept(double bregman, double kl) {
  // both are second differences: below this they are rounding, and the last good step is kept
  constexpr double noise = 1e-11;
  if (kl < noise) return true;
  if (eta_ > 1 && eta_ * bregman > kl) {
    eta_ = std::max(1.0, 0.5 * eta_);
    return false;
  }
  eta_ *= 1.3;
  return true;
}

}  // namespace vic
