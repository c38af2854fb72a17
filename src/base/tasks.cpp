#include "base/tasks.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace vic {

void run_tasks(std::span<const std::function<void()>> tasks, int threads) {
  std::vector<std::exception_ptr> errors(tasks.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      try {
        tasks[i]();
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  // a thread costs some 20 us, a task worth sharing some ms: a pool would gain nothing
  const std::size_t helpers = std::min(tasks.size(), static_cast<std::size_t>(threads)) - 1;
  {
    std::vector<std::jthread> pool;
    if (!tasks.empty()) {
      // where the system has no more threads to give, fewer do the same
      try {
        for (std::size_t i = 0; i < helpers; ++i) pool.emplace_back(work);
      } catch (const std::system_error&) {
      }
    }
    work();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

int thread_count(int wanted) {
  if (wanted > 0) return wanted;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace vic
