// A request to stop, which long work looks at between its steps.
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

// The request itself, where all who work on something can see it.
struct StopRequest {
  std::atomic<bool> wanted = false;
  std::atomic<bool> noticed = false;  // some work has seen it, and ends by itself
};

// What long work is handed; a value. The request must outlive it.
class Stop {
 public:
  Stop() = default;  // of work that is never stopped
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

// Called by long work between its steps. What it throws ends the work: Interrupted, mostly.
using Step = std::function<void(int done, int all)>;

}  // namespace vic
