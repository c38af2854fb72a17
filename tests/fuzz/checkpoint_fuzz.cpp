// Any bytes are either tensors that can be written again, or one clean sentence; a learner accepts
// them whole or reports what does not fit.
#include <cstdint>
#include <string>

#include "base/error.h"
#include "require.h"
#include "run/checkpoint.h"
#include "run/checkpoint_file.h"
#include "run/run_folder.h"

namespace {

vic::Learner& small_learner() {
  static const vic::Run run = vic::make_run(vic::Overrides({{"run.world", "line", "fuzz"},
                                                            {"train.algorithm", "marginal", "fuzz"},
                                                            {"train.hidden", "8", "fuzz"}}));
  return *run.learner;
}

void check(const vic::TensorFile& file) {
  // tensors that were read can be written, and are then the same except for the order; with a
  // checksum too
  const std::string text = vic::write_tensors(file);
  const vic::TensorFile again = vic::parse_tensors(text, "x");
  vic::require(vic::write_tensors(again) == text && again.metadata == file.metadata);
  vic::TensorFile sealed = again;
  sealed.metadata.erase("crc32c");
  const std::string bytes = vic::seal_tensors(sealed);
  vic::require(vic::unseal_tensors(bytes, "x") == sealed);
  // one changed byte is noticed
  std::string changed = bytes;
  char& byte = changed[bytes.size() * 7 / 11];
  byte = static_cast<char>(byte ^ 4);
  try {
    vic::unseal_tensors(changed, "x");
    vic::require(false);
  } catch (const vic::Error& error) {
    vic::require_sentence(error.what(), "x is damaged or not a safetensors file: ");
  }
  try {
    vic::restore(small_learner(), file);
    vic::get_marks(file.metadata);
  } catch (const vic::Error& error) {
    vic::require_sentence(error.what(), "");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  vic::TensorFile file;
  try {
    file = vic::parse_tensors(bytes, "x");
  } catch (const vic::Error& error) {
    vic::require_sentence(error.what(), "x is damaged or not a safetensors file: ");
    return 0;
  }
  check(file);
  try {
    vic::unseal_tensors(bytes, "x");
  } catch (const vic::Error& error) {
    vic::require_sentence(error.what(), "x is damaged or not a safetensors file: ");
  }
  return 0;
}
