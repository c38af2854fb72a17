#include "base/process.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace vic {
namespace {

TEST(Tasks, AreAllDoneOnce) {
  for (int threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> done(20);
    std::vector<std::function<void()>> tasks;
    for (auto& count : done) tasks.push_back([&count] { ++count; });
    run_tasks(tasks, threads);
    for (const auto& count : done) EXPECT_EQ(count, 1);
  }
  run_tasks({}, 3);
}

TEST(Tasks, PassOnTheFirstErrorAfterTheRestIsDone) {
  for (int threads : {1, 3}) {
    std::atomic<int> done = 0;
    const std::vector<std::function<void()>> tasks = {
        [&] { ++done; }, [] { throw std::runtime_error("first"); },
        [] { throw std::runtime_error("second"); }, [&] { ++done; }};
    try {
      run_tasks(tasks, threads);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "first");
    }
    EXPECT_EQ(done, 2);
  }
}

TEST(Tasks, AreNumberedAndSoAreTheirThreads) {
  for (int threads : {1, 3}) {
    std::vector<int> done_by(50, -1);
    run_each(50, threads, [&](int i, int thread) { done_by[i] = thread; });
    for (int thread : done_by) EXPECT_TRUE(thread >= 0 && thread < threads) << thread;
  }
}

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
