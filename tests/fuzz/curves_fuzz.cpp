// Any bytes are either curves or one sentence about the line that is wrong.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "report/data/run_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const vic::RunCurve curve = vic::parse_metrics(text, "metrics.jsonl", data[0] % 2 == 0);
    if (curve.I_hat.size() != curve.update.size()) std::abort();
    if (curve.external.size() != curve.update.size()) std::abort();
  } catch (const vic::UsageError&) {
  }
  return 0;
}
