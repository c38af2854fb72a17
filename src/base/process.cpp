#include "base/process.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"

namespace vic {

void run_each(int n, int threads, const std::function<void(int i, int thread)>& task,
              const TaskProgress& progress) {
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(n));
  std::atomic<int> next = 0;
  std::mutex mutex;
  int done = 0;
  const auto work = [&](int thread) {
    for (int i = next++; i < n; i = next++) {
      try {
        task(i, thread);
        if (!progress) continue;
        const std::lock_guard lock(mutex);
        progress(++done, n);
      } catch (...) {
        errors[static_cast<std::size_t>(i)] = std::current_exception();
      }
    }
  };
  // a thread costs some 20 us, a task worth sharing some ms: a pool would gain nothing
  {
    std::vector<std::jthread> pool;
    // where the system refuses more threads, fewer do the same work
    try {
      for (int thread = 1; thread < std::min(n, threads); ++thread) pool.emplace_back(work, thread);
    } catch (const std::system_error&) {
    }
    work(0);
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

void run_tasks(std::span<const std::function<void()>> tasks, int threads) {
  run_each(static_cast<int>(tasks.size()), threads, [&](int i, int) { tasks[i](); });
}

int thread_count(int wanted) {
  if (wanted > 0) return wanted;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

namespace {

template <class Work>
std::thread start(Work work) {
  try {
    return std::thread(work);
  } catch (const std::system_error& error) {
    throw Error(fmt::format(
        "Cannot start a thread: {}; use train.threads=1, or raise the limits of this process.",
        error.code().message()));
  }
}

}  // namespace

Worker::Worker() : thread_(start([this] { work(); })) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Worker::hand(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void Worker::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.empty(); });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Worker::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return closing_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    // elements of a deque do not move when others are added
    const std::function<void()>& job = jobs_.front();
    if (!error_) {
      lock.unlock();
      std::exception_ptr error;
      try {
        job();
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      error_ = error;
    }
    jobs_.pop_front();
    if (jobs_.empty()) changed_.notify_all();
  }
}

double Stopwatch::process_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  // Linux counts in units of 1024 bytes
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

}  // namespace vic
