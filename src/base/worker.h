// A thread that does what it is handed, in order, while its owner goes on.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace vic {

class Worker {
 public:
  Worker();
  ~Worker();  // does what it was handed before it ends
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void hand(std::function<void()> job);

  // Returns when all that was handed is done. Throws what the first of it threw, if any did; what
  // came after that was not begun.
  void finish();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;  // the first one is being done
  std::exception_ptr error_;
  bool closing_ = false;
  std::thread thread_;  // last: it begins when the rest is there
};

}  // namespace vic
