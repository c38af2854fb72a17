// This process: its work on several threads, its time and its memory.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>

namespace vic {

// Called with the number of tasks done, by one thread at a time.
using TaskProgress = std::function<void(int done, int all)>;

// Calls task(i, thread) for every i from 0 to n - 1 and returns when all are done. Any thread may
// run any task; threads are numbered from 0, and the caller is one of them. If calls throw, the
// exception of the smallest i is thrown.
void run_each(int n, int threads, const std::function<void(int i, int thread)>& task,
              const TaskProgress& progress = {});

// The same for a list of tasks.
void run_tasks(std::span<const std::function<void()>> tasks, int threads);

// `wanted` threads, or one for each core where that is 0.
int thread_count(int wanted);

// A thread that runs jobs in order, while its owner continues.
class Worker {
 public:
  Worker();
  ~Worker();  // finishes its jobs first
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void hand(std::function<void()> job);

  // Returns when all jobs are done. Rethrows the exception of a job; later jobs do not begin.
  void finish();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;  // the first one is running
  std::exception_ptr error_;
  bool closing_ = false;
  std::thread thread_;  // last: it begins when the other members exist
};

// A clock that runs from its construction.
class Stopwatch {
 public:
  // Seconds of real time.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  // Seconds that the processor spent on this process, all threads together.
  double processor_seconds() const { return process_time() - process_begin_; }

 private:
  static double process_time();

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double process_begin_ = process_time();
};

// The largest resident memory so far, in MB of 1e6 bytes.
double peak_megabytes();

}  // namespace vic
