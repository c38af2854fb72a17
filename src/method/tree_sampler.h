// All options of a world, by their probabilities, in the place of a sample: the expectations of an
// update are then exact. For worlds whose tree of histories is small.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "method/table_sampler.h"

namespace vic {

// The batch has every history that the policy can have, and of its B options each row has those
// that are expected there, a fraction. Nothing is drawn.
class TreeSampler : public TableSampler {
 public:
  // Histories of a world at most.
  static constexpr int largest_rows = 200'000;

  TreeSampler(const TabularWorld& world, const Encoding& encoding,
              std::shared_ptr<const Codes> codes);

 protected:
  int most_rows(int options) const override;
  void begin(Batch& batch, std::span<const Beginning> beginnings, RolloutAddress address) override;
  bool step(Batch& batch, int t, const Deciding& by, RolloutAddress address) override;

 private:
  int rows_;                     // histories of the world
  std::vector<double> passing_;  // (R) the options that are expected to pass a row
};

}  // namespace vic
