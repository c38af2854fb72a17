// Processes that share a job, each a rank in the sense of MPI. All of them call the same functions
// in the same order. A single process is the only rank.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/stop.h"

namespace vic {

using Bytes = std::vector<std::byte>;

class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }

  // All ranks' `own`, in the order of the ranks, on every rank (an all-gather). Takes one message
  // less where the numbers of bytes are known, (ranks).
  virtual std::vector<Bytes> gather(Bytes own, std::span<const int> /*bytes*/ = {}) {
    return {std::move(own)};
  }

  // Sends parts[r] to rank r, (ranks), and returns the parts received from each rank, (ranks), of
  // known numbers of bytes, (ranks) (an all-to-all).
  virtual std::vector<Bytes> exchange(std::vector<Bytes> parts, std::span<const int> /*bytes*/) {
    return parts;
  }

  // Whether any rank wants to stop. All ranks get the same answer, after the next gather.
  virtual bool stopped(bool wanted) { return wanted; }

  // Waits for all ranks, at the end.
  virtual void finish() {}
};

// A single process.
inline Ranks& alone() {
  static Ranks ranks;
  return ranks;
}

// The ranks of the job of this process, from the first call to the end of the process; alone()
// where mpirun did not start it with others. `stop` ends a wait for ranks that do not answer.
// Throws a UsageError where this build has no MPI.
Ranks& ranks_of_job(Stop stop);

// Lists of plain values as bytes.
template <class Item>
Bytes to_bytes(std::span<const Item> items) {
  static_assert(std::is_trivially_copyable_v<Item>);
  const std::span<const std::byte> bytes = std::as_bytes(items);
  return {bytes.begin(), bytes.end()};
}

// Appends the items of such bytes.
template <class Item>
void append_items(std::vector<Item>& items, std::span<const std::byte> bytes) {
  const std::size_t before = items.size();
  items.resize(before + bytes.size() / sizeof(Item));
  if (!bytes.empty()) std::memcpy(items.data() + before, bytes.data(), bytes.size());
}

// The lists of all ranks, concatenated; `bytes` as above.
template <class Item>
std::vector<Item> gather(Ranks& ranks, std::vector<Item> own, std::span<const int> bytes = {}) {
  if (ranks.size() == 1) return own;
  std::vector<Item> all;
  for (const Bytes& part : ranks.gather(to_bytes<Item>(own), bytes)) append_items(all, part);
  return all;
}

}  // namespace vic
