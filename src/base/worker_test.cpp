#include "base/worker.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace vic {
namespace {

TEST(Worker, DoesAllInOrderBeforeFinishReturns) {
  Worker worker;
  std::vector<int> done;
  for (int round = 1; round <= 3; ++round) {
    for (int i = 0; i < 100; ++i) worker.hand([&done, i] { done.push_back(i); });
    worker.finish();
    ASSERT_EQ(done.size(), 100U * static_cast<unsigned>(round));
  }
  for (std::size_t i = 0; i < done.size(); ++i) EXPECT_EQ(done[i], static_cast<int>(i % 100));
}

TEST(Worker, AnErrorStopsWhatComesAfterItAndIsThrownOnce) {
  Worker worker;
  std::vector<int> done;
  worker.hand([&] { done.push_back(1); });
  worker.hand([] { throw std::runtime_error("the second"); });
  worker.hand([&] { done.push_back(3); });
  EXPECT_THROW(worker.finish(), std::runtime_error);
  EXPECT_EQ(done, std::vector<int>{1});
  worker.hand([&] { done.push_back(4); });
  worker.finish();
  EXPECT_EQ(done, (std::vector<int>{1, 4}));
}

TEST(Worker, EndsWithItsJobsDone) {
  int done = 0;
  {
    Worker worker;
    for (int i = 0; i < 10; ++i) worker.hand([&] { ++done; });
  }
  EXPECT_EQ(done, 10);
}

}  // namespace
}  // namespace vic
