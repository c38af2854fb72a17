// Checkpoints on disk: with a checksum, and in two generations.
//
// checkpoint.safetensors is the newest, checkpoint.previous.safetensors the one before, and
// checkpoint.next.safetensors one that is being written. Whatever interrupts the writing, the two
// are as they were, or the next has become the newest.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "run/tensors.h"

namespace vic {

// Called with a sentence about what was wrong and could be mended.
using Warn = std::function<void(const std::string&)>;
inline void no_warning(const std::string&) {}

// The bytes of a file whose metadata hold their CRC-32C. Other readers of safetensors take it as
// any text.
std::string seal_tensors(TensorFile file);

// The file, without the checksum. Throws an Error of one sentence where a byte has changed.
TensorFile unseal_tensors(const std::string& bytes, const std::string& path);

// Makes the bytes the newest checkpoint, and what was the newest the one before.
void write_checkpoint(const std::string& folder, const std::string& bytes);

// The newest checkpoint that is sound; nothing where there is none at all. Throws an Error where
// there are some and none is sound, and where one cannot be read: that is no damage.
struct Checkpoint {
  TensorFile file;
  bool newest_damaged = false;  // this is the older one
};
std::optional<Checkpoint> read_checkpoint(const std::string& folder, const Warn& warn);

// Takes the newest checkpoint, which was found damaged, out of the way, as
// checkpoint.damaged.safetensors: the next one that is written must not push a sound one out for
// it.
void set_damaged_aside(const std::string& folder);

}  // namespace vic
