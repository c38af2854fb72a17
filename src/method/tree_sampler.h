// All options of a world, weighted by their probabilities, in place of a sample, which makes the
// expectations of an update exact. For worlds whose tree of histories is small.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "method/table_sampler.h"

namespace vic {

// The batch has every history of positive probability, and each row the expected number of the B
// options that end there, a fraction. Nothing is drawn.
class TreeSampler : public TableSampler {
 public:
  // The largest number of histories of a world.
  static constexpr int largest_rows = 200'000;

  TreeSampler(const TabularWorld& world, const Encoding& encoding,
              std::shared_ptr<const Codes> codes);

 protected:
  int most_rows(int options) const override;
  void begin(Batch& batch, std::span<const Beginning> beginnings, RolloutAddress address) override;
  bool step(Batch& batch, int t, const Deciding& by, RolloutAddress address) override;

 private:
  int rows_;                     // histories of the world
  std::vector<double> passing_;  // (R) the expected number of options that pass the row
};

}  // namespace vic
