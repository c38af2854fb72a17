#include "run/run_logs.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <vector>

#include "base/checksum.h"
#include "base/file.h"
#include "base/file_value.h"
#include "base/process.h"
#include "run/event_file.h"

namespace vic {
namespace {

constexpr const char* metrics_name = "/metrics.jsonl";
constexpr const char* events_name = "/events.out.tfevents.vic";
constexpr const char* timing_name = "/timing.jsonl";

std::size_t size_of(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::size_t checked_metrics(const std::string& path, const LogMarks& marks) {
  return marks.metrics_bytes == 0 ? 0
                                  : kept_metrics(read_file(path, largest_run_file), marks, path);
}

// TensorBoard's file is expendable: if it is not whole, a new one is begun
std::size_t checked_events(const std::string& path, const LogMarks& marks, const Warn& warn) {
  const std::size_t size = size_of(path);
  if (size >= marks.events_bytes) return marks.events_bytes;
  warn(fmt::format("{} has lost its end; what is left of the run begins a new one.", path));
  return 0;
}

// timing covers every start, including lost updates; only half a line is cut
std::size_t checked_timing(const std::string& path) {
  if (size_of(path) == 0) return 0;
  return read_file(path, largest_run_file).rfind('\n') + 1;
}

template <class Number>
bool parse_number(std::string_view text, Number& number, int base) {
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return status == std::errc() && stop == text.data() + text.size();
}

}  // namespace

std::string metrics_line(Metrics metrics) {
  std::string line = "{";
  metrics.visit([&](const char* name, auto& value) {
    fmt::format_to(std::back_inserter(line), "{}\"{}\":", line.size() > 1 ? "," : "", name);
    // JSON has no word for infinity or NaN
    if (std::isfinite(static_cast<double>(value))) {
      fmt::format_to(std::back_inserter(line), "{}", value);
    } else {
      line += "null";
    }
  });
  return line + "}\n";
}

void put_marks(std::map<std::string, std::string>& metadata, const LogMarks& marks) {
  metadata["metrics_bytes"] = fmt::format("{}", marks.metrics_bytes);
  metadata["metrics_crc32c"] = fmt::format("{:08x}", marks.metrics_crc);
  metadata["events_bytes"] = fmt::format("{}", marks.events_bytes);
}

LogMarks get_marks(const std::map<std::string, std::string>& metadata) {
  LogMarks marks;
  const auto get = [&](const char* key, auto& number, int base) {
    const auto found = metadata.find(key);
    if (found == metadata.end() || !parse_number(found->second, number, base)) {
      throw Error(fmt::format("The checkpoint does not say its {}.", key));
    }
  };
  get("metrics_bytes", marks.metrics_bytes, 10);
  get("metrics_crc32c", marks.metrics_crc, 16);
  get("events_bytes", marks.events_bytes, 10);
  return marks;
}

std::size_t kept_metrics(std::string_view text, const LogMarks& marks, const std::string& path) {
  if (text.size() < marks.metrics_bytes) {
    fail_usage("{} has {} bytes and the checkpoint knows of {}: it was changed; put it back.", path,
               text.size(), marks.metrics_bytes);
  }
  if (crc32c(text.substr(0, marks.metrics_bytes)) != marks.metrics_crc) {
    fail_usage("{} is not what it was at the checkpoint: it was changed; put it back.", path);
  }
  return marks.metrics_bytes;
}

void add_end_of_timing(const std::string& folder, long update, double seconds) {
  const std::string path = folder + timing_name;
  AppendFile timing(path, checked_timing(path));
  timing.append(fmt::format(
      "{{\"update\":{},\"seconds\":{:.3f},\"updates_per_second\":{:.1f},\"wall_time\":{:.3f},"
      "\"peak_megabytes\":{:.0f}}}\n",
      update, seconds, 0.0, seconds_since_1970(), peak_megabytes()));
  timing.flush();
}

std::optional<RunTime> read_run_time(const std::string& folder) {
  const std::string path = folder + timing_name;
  try {
    require_plain_file(path);
    std::istringstream lines(read_file(path, largest_run_file));
    RunTime time;
    double last = 0;
    for (std::string line; std::getline(lines, line);) {
      const FileValue values = FileValue::parse(line, path);
      const double seconds = values.number("seconds");
      // seconds begin at zero with every start
      time.seconds += seconds >= last ? seconds - last : seconds;
      last = seconds;
      if (values.has("peak_megabytes")) time.megabytes = values.number("peak_megabytes");
    }
    return time;
  } catch (const Error&) {
    return std::nullopt;
  }
}

RunLogs::RunLogs(const std::string& folder, const LogMarks& marks, long update, const Warn& warn)
    : metrics_(folder + metrics_name, checked_metrics(folder + metrics_name, marks)),
      events_(folder + events_name, checked_events(folder + events_name, marks, warn)),
      timing_(folder + timing_name, checked_timing(folder + timing_name)),
      metrics_crc_(marks.metrics_crc),
      last_update_(update) {
  if (events_.size() == 0) events_.append(first_event(seconds_since_1970()));
}

void RunLogs::add(const Metrics& metrics) {
  const std::string line = metrics_line(metrics);
  metrics_.append(line);
  metrics_crc_ = crc32c(line, metrics_crc_);
  std::vector<Scalar> scalars;
  Metrics copy = metrics;
  copy.visit([&](const char* name, auto& value) {
    // the update is the step of the record itself
    if (std::string_view(name) == "update") return;
    scalars.push_back({name, static_cast<double>(value)});
  });
  events_.append(scalars_event(seconds_since_1970(), metrics.update, scalars));
}

void RunLogs::follow(long update) {
  using namespace std::chrono_literals;
  const Clock::time_point now = Clock::now();
  if (now - last_ < 1s) return;
  add_timing(update, now);
  metrics_.flush();
  events_.flush();
  timing_.flush();
}

void RunLogs::sync(long update) {
  if (update > last_update_) add_timing(update, Clock::now());
  metrics_.sync();
  events_.sync();
  timing_.flush();
}

void RunLogs::add_timing(long update, Clock::time_point now) {
  const std::chrono::duration<double> all = now - begin_, step = now - last_;
  timing_.append(fmt::format(
      "{{\"update\":{},\"seconds\":{:.3f},\"updates_per_second\":{:.1f},\"wall_time\":{:.3f}}}\n",
      update, all.count(), static_cast<double>(update - last_update_) / step.count(),
      seconds_since_1970()));
  last_ = now;
  last_update_ = update;
}

}  // namespace vic
