// Processes that do one thing together, each a rank, as MPI calls them. All of them call the same
// functions in the same order. By itself a process is a rank of one.
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

  // What each rank brings, in the order of the ranks: all of it, for all of them. It takes
  // one message less where the bytes of each rank are known, (ranks).
  virtual std::vector<Bytes> gather(Bytes own, std::span<const int> /*bytes*/ = {}) {
    return {std::move(own)};
  }

  // Part r of what a rank brings goes to rank r, (ranks); `bytes` come from each, (ranks). Returns
  // what has come, (ranks).
  virtual std::vector<Bytes> exchange(std::vector<Bytes> parts, std::span<const int> /*bytes*/) {
    return parts;
  }

  // Whether a rank wants to stop. All ranks get the same answer, after the next gathering.
  virtual bool stopped(bool wanted) { return wanted; }

  // Waits for all ranks, at the end.
  virtual void finish() {}
};

// A process by itself.
inline Ranks& alone() {
  static Ranks ranks;
  return ranks;
}

// The ranks of the job that this process belongs to, from the first call to the end of the process;
// alone() where mpirun did not start it with others. `stop` ends a wait for ranks that do not
// answer. Throws a UsageError where this build has no MPI.
Ranks& ranks_of_job(Stop stop);

// Lists of plain values as bytes.
template <class Item>
Bytes to_bytes(std::span<const Item> items) {
  static_assert(std::is_trivially_copyable_v<Item>);
  const std::span<const std::byte> bytes = std::as_bytes(items);
  return {bytes.begin(), bytes.end()};
}

// Appends what bytes were made of.
template <class Item>
void append_items(std::vector<Item>& items, std::span<const std::byte> bytes) {
  const std::size_t before = items.size();
  items.resize(before + bytes.size() / sizeof(Item));
  if (!bytes.empty()) std::memcpy(items.data() + before, bytes.data(), bytes.size());
}

// The lists of all ranks, one behind the other; `bytes` as above.
template <class Item>
std::vector<Item> gather(Ranks& ranks, std::vector<Item> own, std::span<const int> bytes = {}) {
  if (ranks.size() == 1) return own;
  std::vector<Item> all;
  for (const Bytes& part : ranks.gather(to_bytes<Item>(own), bytes)) append_items(all, part);
  return all;
}

}  // namespace vic
