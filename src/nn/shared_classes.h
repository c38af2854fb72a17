// Logits of classes that share outputs: the logit of a class is the sum of the outputs it names, so
// a class that was never seen benefits from others with the same features.
#pragma once

#include <span>
#include <vector>

#include "base/matrix.h"

namespace vic {

// For features relative to the query's own class, the outputs belong to differences.
struct SharedClasses {
  Index S = 0;                   // classes
  Index width = 0;               // outputs that classes name; after them comes one separate number
  bool own = false;              // output s belongs to class s alone
  std::vector<int> name = {};    // (K, S) further outputs of each class
  std::vector<int> offset = {};  // (S, K) added to them where the query's own class is s; or empty

  Index outputs() const { return width + 1; }
  Index K() const { return static_cast<Index>(name.size()) / S; }
};

// logits (Q, S) from outputs (Q, C >= width); `at` (Q) is the query's own class. Where classes have
// outputs of their own, the logits may be the outputs themselves: then the first S columns of them.
template <class Real>
void shared_logits(MatrixView<Real> logits, MatrixView<const Real> outputs, std::span<const int> at,
                   const SharedClasses& classes);

// Sets doutputs (Q, C), padding included, from dlogits (Q, S).
template <class Real>
void shared_logits_backward(MatrixView<Real> doutputs, MatrixView<const Real> dlogits,
                            std::span<const int> at, const SharedClasses& classes);

}  // namespace vic
