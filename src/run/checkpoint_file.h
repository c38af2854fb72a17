// Checkpoints on disk: with a checksum, and in two generations.
//
// checkpoint.safetensors is the newest, checkpoint.previous.safetensors the one before, and
// checkpoint.next.safetensors one that is being written. If the writing is interrupted, either the
// first two are unchanged or the next has become the newest.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "run/tensors.h"

namespace vic {

// Called with a sentence about damage that was found and repaired.
using Warn = std::function<void(const std::string&)>;
inline void no_warning(const std::string&) {}

// The bytes of a file with its CRC-32C among the metadata. To other readers of safetensors it is
// plain text.
std::string seal_tensors(TensorFile file);

// The file, without the checksum. Throws an Error of one sentence if a byte has changed.
TensorFile unseal_tensors(const std::string& bytes, const std::string& path);

// Makes the bytes the newest checkpoint, and the one that was the newest the previous one.
void write_checkpoint(const std::string& folder, const std::string& bytes);

// The newest checkpoint that is sound; nothing if there is none at all. Throws an Error if there
// are some and none is sound, and if one cannot be read, which is not damage.
struct Checkpoint {
  TensorFile file;
  bool newest_damaged = false;  // this is the older one
};
std::optional<Checkpoint> read_checkpoint(const std::string& folder, const Warn& warn);

// Renames the newest checkpoint, which was found damaged, to checkpoint.damaged.safetensors:
// otherwise the next one written would make it the previous one, in place of a sound one.
void set_damaged_aside(const std::string& folder);

}  // namespace vic
