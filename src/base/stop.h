// A request to stop, which long work checks between its steps.
#pragma once

#include <atomic>
#include <functional>

#include "base/error.h"

namespace vic {

// The work has ended because a stop was requested.
class Interrupted : public Error {
 public:
  using Error::Error;
};

// The request itself, shared by all threads of the work.
struct StopRequest {
  std::atomic<bool> wanted = false;
  std::atomic<bool> noticed = false;  // some work has seen it, and is about to end
};

// A handle on a request, passed to long work by value. The request must outlive it.
class Stop {
 public:
  Stop() = default;  // for work that is never stopped
  explicit Stop(StopRequest& request) : request_(&request) {}

  bool wanted() const {
    if (request_ == nullptr || !request_->wanted.load(std::memory_order_relaxed)) return false;
    request_->noticed = true;
    return true;
  }

  // Throws Interrupted where it is wanted.
  void check() const {
    if (wanted()) throw Interrupted("Stopped.");
  }

 private:
  StopRequest* request_ = nullptr;
};

// Called by long work between its steps. An exception from it, usually Interrupted, ends the work.
using Step = std::function<void(int done, int all)>;

}  // namespace vic
