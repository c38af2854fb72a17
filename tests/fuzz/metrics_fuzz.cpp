// Whatever metrics.jsonl contains, and whatever a checkpoint says about it, it is cut where it
// ended at the checkpoint or left alone with one clean sentence.
#include <cstdint>
#include <map>
#include <string>

#include "base/checksum.h"
#include "base/error.h"
#include "require.h"
#include "run/run_logs.h"

namespace {

// the first three lines of the input are the checkpoint's metadata, the rest is the file
std::map<std::string, std::string> take_metadata(std::string_view& text) {
  std::map<std::string, std::string> metadata;
  for (const char* key : {"metrics_bytes", "metrics_crc32c", "events_bytes"}) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    metadata[key] = std::string(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return metadata;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  vic::LogMarks marks;
  try {
    marks = vic::get_marks(take_metadata(text));
  } catch (const vic::Error& error) {
    vic::require_sentence(error.what(), "The checkpoint does not say its ");
  }
  // marks are written as they were read
  std::map<std::string, std::string> metadata;
  vic::put_marks(metadata, marks);
  vic::require(vic::get_marks(metadata) == marks);
  try {
    const std::size_t kept = vic::kept_metrics(text, marks, "metrics.jsonl");
    vic::require(kept == marks.metrics_bytes && kept <= text.size());
    vic::require(vic::crc32c(text.substr(0, kept)) == marks.metrics_crc);
  } catch (const vic::UsageError& error) {
    vic::require_sentence(error.what(), "metrics.jsonl ");
  }
  // correct marks of any prefix are always found again
  marks.metrics_bytes = text.size() / 2;
  marks.metrics_crc = vic::crc32c(text.substr(0, marks.metrics_bytes));
  vic::require(vic::kept_metrics(text, marks, "metrics.jsonl") == text.size() / 2);
  return 0;
}
