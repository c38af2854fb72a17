// The sum of the shards' gradients, over threads and ranks.
#include <algorithm>

#include "base/ranks.h"
#include "method/shard.h"

namespace vic {
namespace {

// y += x, then x = 0
void move_into(Block<float>& y, Block<float>& x) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += x[i];
  std::fill(x.begin(), x.end(), 0.0F);
}

int middle_of(ItemRange node) {
  return node.begin + node.size() / 2;
}

// sums a node's shards into its first one, for the models that learn; `first` is the number of
// shards[0]
void add_halves(std::span<Shard> shards, int first, ItemRange node,
                const std::vector<char>& learns) {
  if (node.size() == 1) return;
  const int middle = middle_of(node);
  add_halves(shards, first, {node.begin, middle}, learns);
  add_halves(shards, first, {middle, node.end}, learns);
  Shard &left = shards[node.begin - first], &right = shards[middle - first];
  for (std::size_t i = 0; i < learns.size(); ++i) {
    if (learns[i]) move_into(left.gradient[i], right.gradient[i]);
  }
}

// the models that learn from any of the shards: where all options stop at once, some do not
std::vector<char> learners_of(std::span<const Shard> shards) {
  std::vector<char> learns = shards[0].learns;
  for (const Shard& shard : shards) {
    for (std::size_t i = 0; i < learns.size(); ++i) learns[i] |= shard.learns[i];
  }
  return learns;
}

// appends the largest subtrees of `node` that lie within `own`, in order
void find_nodes(std::vector<ItemRange>& nodes, ItemRange node, ItemRange own) {
  if (node.end <= own.begin || own.end <= node.begin) return;
  if (own.holds(node)) return nodes.push_back(node);
  find_nodes(nodes, {node.begin, middle_of(node)}, own);
  find_nodes(nodes, {middle_of(node), node.end}, own);
}

// the sum over a node of the tree: one that a rank has computed, or that of both halves
std::span<float> fold(ItemRange node, std::span<const ItemRange>& nodes, std::span<float>& sums,
                      std::size_t length) {
  if (nodes.front().begin == node.begin && nodes.front().end == node.end) {
    const std::span<float> sum = sums.first(length);
    nodes = nodes.subspan(1);
    sums = sums.subspan(length);
    return sum;
  }
  const std::span<float> left = fold({node.begin, middle_of(node)}, nodes, sums, length);
  const std::span<float> right = fold({middle_of(node), node.end}, nodes, sums, length);
  for (std::size_t i = 0; i < length; ++i) left[i] += right[i];
  return left;
}

// the gradients of all models that learn, concatenated
std::vector<float> joined(const Shard& shard, const std::vector<char>& learns) {
  std::vector<float> all;
  for (std::size_t i = 0; i < learns.size(); ++i) {
    if (learns[i]) all.insert(all.end(), shard.gradient[i].begin(), shard.gradient[i].end());
  }
  return all;
}

// sums over ranks: each rank sums one slice of all gradients and sends it to the others
std::vector<float> sum_over_ranks(std::span<Shard> shards, ItemRange own, ItemRange all,
                                  const std::vector<char>& learns, Ranks& ranks) {
  std::vector<ItemRange> nodes;
  find_nodes(nodes, all, own);
  std::vector<std::vector<float>> sums;  // (nodes)
  for (const ItemRange& node : nodes) {
    add_halves(shards, own.begin, node, learns);
    sums.push_back(joined(shards[node.begin - own.begin], learns));
  }
  const auto slice = [&](int rank) {
    return part_of(static_cast<int>(sums[0].size()), ranks.size(), rank);
  };
  const auto bytes = [](std::size_t floats) { return static_cast<int>(floats * sizeof(float)); };
  const auto length = static_cast<std::size_t>(slice(ranks.rank()).size());
  std::vector<Bytes> parts(static_cast<std::size_t>(ranks.size()));
  std::vector<int> coming, slices;  // (ranks) bytes
  nodes.clear();
  for (int r = 0; r < ranks.size(); ++r) {
    std::vector<float> part;
    for (const std::vector<float>& sum : sums) {
      part.insert(part.end(), sum.begin() + slice(r).begin, sum.begin() + slice(r).end);
    }
    parts[r] = to_bytes<float>(part);
    const std::size_t before = nodes.size();
    find_nodes(nodes, all, part_of(all.size(), ranks.size(), r));
    coming.push_back(bytes((nodes.size() - before) * length));
    slices.push_back(bytes(static_cast<std::size_t>(slice(r).size())));
  }
  std::vector<float> came;
  for (const Bytes& part : ranks.exchange(std::move(parts), coming)) append_items(came, part);
  std::span<const ItemRange> left_nodes(nodes);
  std::span<float> left_sums(came);
  const std::span<float> sum = fold(all, left_nodes, left_sums, length);
  return gather(ranks, std::vector<float>(sum.begin(), sum.end()), slices);
}

}  // namespace

std::vector<char> sum_gradients(std::span<Optimizer<float>> optimizers, std::span<Shard> shards,
                                ItemRange own, int count, Ranks& ranks) {
  const std::vector<char> learns = learners_of(shards);
  if (ranks.size() == 1) {
    add_halves(shards, 0, {0, count}, learns);
    for (std::size_t i = 0; i < learns.size(); ++i) {
      if (learns[i]) optimizers[i].gradient.swap(shards[0].gradient[i]);
    }
    return learns;
  }
  const std::vector<float> sum = sum_over_ranks(shards, own, {0, count}, learns, ranks);
  auto from = sum.begin();
  for (std::size_t i = 0; i < learns.size(); ++i) {
    if (!learns[i]) continue;
    std::copy_n(from, optimizers[i].gradient.size(), optimizers[i].gradient.begin());
    from += static_cast<std::ptrdiff_t>(optimizers[i].gradient.size());
    for (Shard& shard : shards) std::fill(shard.gradient[i].begin(), shard.gradient[i].end(), 0.0F);
  }
  return learns;
}

}  // namespace vic
