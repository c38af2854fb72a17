// The time and the memory that this process uses.
#pragma once

#include <chrono>

namespace vic {

// A clock that runs from its construction.
class Stopwatch {
 public:
  // Seconds by the clock on the wall.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  // Seconds that the processor spent on this process, all threads together: other programs do not
  // count.
  double processor_seconds() const { return process_time() - process_begin_; }

 private:
  static double process_time();

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double process_begin_ = process_time();
};

// The largest resident memory so far, in MB of 1e6 bytes.
double peak_megabytes();

}  // namespace vic
