// Options in a world with a table: equal histories share a row.
#pragma once

#include "method/sampler.h"
#include "world/tabular.h"

namespace vic {

class TableSampler : public Sampler {
 public:
  // The world must outlive the sampler; the codes are those of its states.
  TableSampler(const TabularWorld& world, const Encoding& encoding,
               std::shared_ptr<const Codes> codes);

 protected:
  int most_levels() const override { return world_.T_max; }
  void begin(Batch& batch, std::span<const Beginning> beginnings, RolloutAddress address) override;
  bool step(Batch& batch, int t, const Deciding& by, RolloutAddress address) override;

  // Appends a batch's entries for a new row in level t.
  void add_row(Batch& batch, int t, int s, double external_reward, int decision);

  const TabularWorld& world_;
  std::vector<double> p_;  // (A + 1)
  std::vector<int> at_;    // (B) the current row of each option

 private:
  std::shared_ptr<const Codes> codes_;
  int largest_fan_ = 0;        // most transitions of a state, over all its moves
  std::vector<int> roots_;     // states of level 0
  std::vector<int> alive_;     // options that have not terminated
  std::vector<int> decision_;  // (rows of the level, A + 1)
  std::vector<int> child_;     // (rows of the level, largest_fan)
};

}  // namespace vic
