#include "method/table_sampler.h"

#include <algorithm>
#include <numeric>

namespace vic {

TableSampler::TableSampler(const TabularWorld& world, const Encoding& encoding,
                           std::shared_ptr<const Codes> codes)
    : Sampler(encoding), world_(world), p_(world.A + 1), codes_(std::move(codes)) {
  for (int s = 0; s < world.S; ++s) {
    largest_fan_ = std::max(largest_fan_, world.end(s) - world.begin(s));
  }
}

void TableSampler::add_row(Batch& batch, int t, int s, double external_reward, int decision) {
  batch.forced.push_back(t + 1 >= world_.T_max || world_.absorbing[s]);
  batch.ended.push_back(0);
  batch.external.push_back(external_reward);
  batch.cell.push_back(s);
  batch.into.push_back(decision);
  batch.stop.push_back(-1);
}

// a root for each run of equal beginnings
void TableSampler::begin(Batch& batch, std::span<const Beginning> beginnings, RolloutAddress) {
  const int B = batch.options;
  batch.codes = codes_;
  roots_.clear();
  at_.resize(B);
  for (int b = 0; b < B; ++b) {
    if (b == 0 || beginnings[b] != beginnings[b - 1]) {
      roots_.push_back(beginnings[b].state);
      batch.goal.push_back(beginnings[b].goal);
      add_row(batch, 0, beginnings[b].state, 0, -1);
    }
    at_[b] = static_cast<int>(roots_.size()) - 1;
  }
  batch.histories.begin(roots_);
  alive_.resize(B);
  std::iota(alive_.begin(), alive_.end(), 0);
}

bool TableSampler::step(Batch& batch, int t, const Deciding& by, RolloutAddress address) {
  const int begin = batch.histories.first[t], rows = batch.histories.first[t + 1] - begin;
  const int A = world_.A;
  decision_.assign(std::size_t(rows) * (A + 1), -1);
  child_.assign(std::size_t(rows) * largest_fan_, -1);
  std::size_t still_alive = 0;
  for (const int b : alive_) {
    const int row = at_[b], i = row - begin, s = batch.histories.state[row];
    if (batch.forced[row]) {
      ++batch.ended[row];
      continue;
    }
    // draw the action
    const auto [u_action, u_outcome] =
        uniform_pair({.seed = address.seed,
                      .update = address.update,
                      .row = address.first + static_cast<std::uint32_t>(b),
                      .step = static_cast<std::uint32_t>(t)});
    const float* pi = by.p.row(query_of_[i]);
    std::copy(pi, pi + A + 1, p_.begin());
    // floats sum to 1 only up to rounding, which must not favour an action
    temper(p_, by.actor.temperature);
    const int a = pick_index(p_, u_action);
    int& decision = decision_[std::size_t(i) * (A + 1) + a];
    if (decision < 0) {
      decision = static_cast<int>(batch.decision_row.size());
      batch.decision_row.push_back(row);
      batch.decision_action.push_back(a);
      batch.decision_weight.push_back(0);
    }
    batch.decision_weight[decision] += 1;
    if (a == A) {
      ++batch.ended[row];
      batch.stop[row] = decision;
      continue;
    }
    // draw the outcome and find or add its history
    const int e = world_.draw(s, a, u_outcome);
    int& child = child_[std::size_t(i) * largest_fan_ + (e - world_.begin(s))];
    if (child < 0) {
      child = batch.histories.add(row, a, world_.next[e]);
      add_row(batch, t + 1, world_.next[e], batch.external[row] + world_.reward(s, world_.next[e]),
              decision);
    }
    at_[b] = child;
    alive_[still_alive++] = b;
  }
  alive_.resize(still_alive);
  return still_alive > 0;
}

}  // namespace vic
