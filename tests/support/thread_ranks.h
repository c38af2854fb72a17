// For the tests: ranks that are threads of one process.
#pragma once

#include <gtest/gtest.h>

#include <barrier>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/ranks.h"

namespace vic {

class ThreadRanks : public Ranks {
 public:
  // Calls task(ranks) on `size` threads, each with its own rank, and waits for all of them.
  static void run(int size, const std::function<void(Ranks& ranks)>& task) {
    Table table(size);
    std::vector<std::jthread> threads;
    for (int r = 0; r < size; ++r) {
      threads.emplace_back([&, r] {
        ThreadRanks ranks(r, table);
        task(ranks);
      });
    }
  }

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(table_.sent.size()); }

  std::vector<Bytes> gather(Bytes own, std::span<const int> bytes = {}) override {
    return exchange(std::vector<Bytes>(table_.sent.size(), own), bytes);
  }

  std::vector<Bytes> exchange(std::vector<Bytes> parts, std::span<const int> bytes) override {
    table_.sent[rank_] = std::move(parts);
    table_.all.arrive_and_wait();
    std::vector<Bytes> came;
    for (const std::vector<Bytes>& from : table_.sent) came.push_back(from[rank_]);
    table_.all.arrive_and_wait();
    for (std::size_t r = 0; r < bytes.size(); ++r) {
      EXPECT_EQ(came[r].size(), static_cast<std::size_t>(bytes[r])) << "from rank " << r;
    }
    return came;
  }

 private:
  // the messages from each rank to each rank
  struct Table {
    explicit Table(int size) : sent(size), all(size) {}
    std::vector<std::vector<Bytes>> sent;  // (ranks, ranks)
    std::barrier<> all;
  };

  ThreadRanks(int rank, Table& table) : rank_(rank), table_(table) {}

  int rank_;
  Table& table_;
};

}  // namespace vic
