// From nets to tables: what a policy does in every history of a world.
#pragma once

#include <optional>

#include "method/agent.h"
#include "oracle/unrolled.h"
#include "world/histories.h"

namespace vic {

// All histories of a world: as rows that nets encode, and as the tree that the oracle walks.
struct HistoryTree {
  Histories histories;
  Unrolled unrolled;
};

// Nothing if there are more than `largest_rows`. The world must outlive the tree.
std::optional<HistoryTree> enumerate_tree(const TabularWorld& world, long largest_rows);

class TreePolicy {
 public:
  // Encodes the tree of all histories for an actor of the agent. The arguments must outlive this.
  TreePolicy(const Actor& policy, const Agent& agent, const HistoryTree& tree);

  // Fills a table of the tree's shape: the policy conditioned on `goal`, -1 for none, at a
  // temperature (method/sampler.h).
  void fill(Policy& table, int goal = -1, double temperature = 1);

 private:
  const Actor policy_;
  const Agent& agent_;
  const HistoryTree& tree_;
  HistoryInputs<float> inputs_;
  ActorWorkspace work_;
  Queries queries_;

  QueryContext context() const;
};

// pi_p on the tree of all histories. If it is conditioned on a skill, the mean over the skills: the
// policy as seen by an observer who does not know the skill.
struct PolicyTable {
  Policy policy;
  // I(Omega; s_f) of a choice made in advance: the index of a skill, or all actions of an open
  // loop. Otherwise Omega is the whole option, and I = H(s_f).
  std::optional<double> I;
};
PolicyTable tabulate(const Agent& agent, const HistoryTree& tree);

}  // namespace vic
