#include "base/worker.h"

#include <system_error>
#include <utility>

#include "base/error.h"

namespace vic {

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
    // elements of a deque stay where they are when others come
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

}  // namespace vic
