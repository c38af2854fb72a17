// The files of a run that grow while it trains:
//
//   metrics.jsonl             a line of Metrics every so many updates; no time or host in it
//   events.out.tfevents.vic   the same for TensorBoard
//   timing.jsonl              how fast it went, about a line a second, and how long it took
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

// How much of the logs belongs to a state of the learner. It does not depend on the time.
struct LogMarks {
  std::size_t metrics_bytes = 0;
  std::uint32_t metrics_crc = 0;
  std::size_t events_bytes = 0;

  bool operator==(const LogMarks&) const = default;
};

// The marks as a checkpoint's metadata keep them, and back. Throws an Error where they are not
// there.
void put_marks(std::map<std::string, std::string>& metadata, const LogMarks& marks);
LogMarks get_marks(const std::map<std::string, std::string>& metadata);

// How much of metrics.jsonl is kept at the marks. Throws a UsageError of one sentence where it is
// not what it was then.
std::size_t kept_metrics(std::string_view text, const LogMarks& marks, const std::string& path);

// Adds a last line to timing.jsonl after the evaluation: the seconds since this start, the largest
// memory of the process.
void add_end_of_timing(const std::string& folder, long update, double seconds);

// How long a run took, from its timing.jsonl.
struct RunTime {
  double seconds = 0;               // of all its starts, by the clock on the wall
  std::optional<double> megabytes;  // the largest memory, once the evaluation is done
};

// Nothing where the log is missing or damaged.
std::optional<RunTime> read_run_time(const std::string& folder);

class RunLogs {
 public:
  // Opens the logs of a folder for a learner that has done `update` updates, and cuts them to the
  // marks: what is behind them will come again. Throws a UsageError where metrics.jsonl is not what
  // it was.
  RunLogs(const std::string& folder, const LogMarks& marks, long update, const Warn& warn);

  void add(const Metrics& metrics);

  // A line of timing about once a second, and the other files brought up to date for who looks.
  void follow(long update);

  // A last line of timing, and everything on the disk.
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
