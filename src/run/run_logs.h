// The files of a run that grow while it trains:
//
//   metrics.jsonl             a line of Metrics every run.metrics_every updates, no time or host
//   events.out.tfevents.vic   the same for TensorBoard
//   timing.jsonl              the speed, about one line per second, and the time it took
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/append_file.h"
#include "method/learner.h"
#include "run/checkpoint_file.h"

namespace vic {

// One line of metrics.jsonl.
std::string metrics_line(Metrics metrics);

// How much of the logs belongs to a state of the learner. Independent of the time.
struct LogMarks {
  std::size_t metrics_bytes = 0;
  std::uint32_t metrics_crc = 0;
  std::size_t events_bytes = 0;

  bool operator==(const LogMarks&) const = default;
};

// Writes the marks into a checkpoint's metadata, and reads them back. Throws an Error if they are
// not there.
void put_marks(std::map<std::string, std::string>& metadata, const LogMarks& marks);
LogMarks get_marks(const std::map<std::string, std::string>& metadata);

// The length of metrics.jsonl up to the marks. Throws a UsageError of one sentence if the text
// before them has changed.
std::size_t kept_metrics(std::string_view text, const LogMarks& marks, const std::string& path);

// Adds a last line to timing.jsonl after the evaluation: the seconds since this start, and the peak
// memory of the process.
void add_end_of_timing(const std::string& folder, long update, double seconds);

// How long a run took, from its timing.jsonl.
struct RunTime {
  double seconds = 0;               // wall-clock time, summed over all its starts
  std::optional<double> megabytes;  // peak memory, once the evaluation is done
};

// Nothing if the log is missing or damaged.
std::optional<RunTime> read_run_time(const std::string& folder);

class RunLogs {
 public:
  // Opens the logs of a folder for a learner that has done `update` updates, and cuts them at the
  // marks: the lines after them will be written again. Throws a UsageError if metrics.jsonl has
  // changed before its mark.
  RunLogs(const std::string& folder, const LogMarks& marks, long update, const Warn& warn);

  void add(const Metrics& metrics);

  // Adds a line of timing about once a second, and then flushes the other files for readers.
  void follow(long update);

  // Adds a last line of timing, and writes everything to the disk.
  void sync(long update);

  LogMarks marks() const { return {metrics_.size(), metrics_crc_, events_.size()}; }

 private:
  using Clock = std::chrono::steady_clock;
  void add_timing(long update, Clock::time_point now);

  AppendFile metrics_, events_, timing_;
  std::uint32_t metrics_crc_;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
  long last_update_;  // of the last line of timing
};

}  // namespace vic
