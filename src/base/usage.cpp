#include "base/usage.h"

#include <sys/resource.h>

#include <ctime>

namespace vic {

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
