#include "base/tasks.h"

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

}  // namespace
}  // namespace vic
