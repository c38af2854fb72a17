#include "run/checkpoint_file.h"

#include <fmt/core.h>

#include <filesystem>

#include "base/checksum.h"
#include "base/error.h"
#include "base/file.h"
#include "run/tensor_header.h"

namespace vic {
namespace {

constexpr const char* newest_name = "/checkpoint.safetensors";
constexpr const char* next_name = "/checkpoint.next.safetensors";
constexpr const char* previous_name = "/checkpoint.previous.safetensors";
constexpr const char* damaged_name = "/checkpoint.damaged.safetensors";

// the checksum is computed with these eight digits in its place
constexpr const char* checksum_key = "crc32c";
constexpr std::string_view no_checksum = "00000000";

// the position of the digits, or npos. Text in the header that looks like the key has escaped
// quotes, and the header comes first in the file
std::size_t checksum_place(std::string_view bytes) {
  const std::string key = fmt::format("\"{}\":\"", checksum_key);
  const std::size_t found = bytes.find(key);
  if (found == std::string_view::npos) return found;
  const std::size_t place = found + key.size();
  return place + no_checksum.size() <= bytes.size() ? place : std::string_view::npos;
}

std::string digits(std::uint32_t checksum) {
  return fmt::format("{:08x}", checksum);
}

// the file, or nothing and the fault in its contents
std::optional<TensorFile> read_sound(const std::string& path, std::string& fault) {
  const std::string bytes = read_file(path, largest_run_file);
  try {
    return unseal_tensors(bytes, path);
  } catch (const Error& error) {
    fault = error.what();
    return std::nullopt;
  }
}

}  // namespace

std::string seal_tensors(TensorFile file) {
  file.metadata[checksum_key] = no_checksum;
  std::string bytes = write_tensors(file);
  bytes.replace(checksum_place(bytes), no_checksum.size(), digits(crc32c(bytes)));
  return bytes;
}

TensorFile unseal_tensors(const std::string& bytes, const std::string& path) {
  TensorFile file = parse_tensors(bytes, path);
  const std::size_t place = checksum_place(bytes);
  if (!file.metadata.contains(checksum_key) || place == std::string::npos) {
    reject_tensors(path, "it has no checksum");
  }
  const std::string_view view = bytes;
  std::uint32_t checksum = crc32c(view.substr(0, place));
  checksum = crc32c(no_checksum, checksum);
  checksum = crc32c(view.substr(place + no_checksum.size()), checksum);
  if (view.substr(place, no_checksum.size()) != digits(checksum)) {
    reject_tensors(path, "its checksum is wrong");
  }
  file.metadata.erase(checksum_key);
  return file;
}

void write_checkpoint(const std::string& folder, const std::string& bytes) {
  const std::string newest = folder + newest_name, previous = folder + previous_name;
  const std::string next = folder + next_name;
  if (bytes.size() > largest_run_file) {
    throw Error(fmt::format("The checkpoint has {} bytes, and {} are the most; use smaller models.",
                            bytes.size(), largest_run_file));
  }
  // on the disk before the old ones are touched: a full disk keeps both
  write_file(next, bytes, Links::replace);
  if (path_may_exist(newest)) {
    // a second name first, so that there is a newest checkpoint at every instant
    const std::string second = previous + ".vic-tmp";
    std::error_code error;
    std::filesystem::remove(second, error);
    std::filesystem::create_hard_link(newest, second, error);
    // not every file system has hard links
    rename_file(error ? newest : second, previous);
    // still there if a crash had left one file with both names: then the rename does nothing
    std::filesystem::remove(second, error);
  }
  rename_file(next, newest);
}

std::optional<Checkpoint> read_checkpoint(const std::string& folder, const Warn& warn) {
  std::string first_fault;
  for (const char* name : {newest_name, previous_name}) {
    // a checkpoint that cannot be examined is an error: the run must not start anew
    if (!path_may_exist(folder + name)) continue;
    std::string fault;
    auto file = read_sound(folder + name, fault);
    if (first_fault.empty()) first_fault = fault;
    if (!file) continue;
    if (!first_fault.empty()) warn(first_fault + " The older one is used.");
    return Checkpoint{std::move(*file), !first_fault.empty()};
  }
  if (first_fault.empty()) return std::nullopt;
  throw Error(fmt::format("{} No checkpoint of {} is sound; train again in another folder.",
                          first_fault, folder));
}

void set_damaged_aside(const std::string& folder) {
  rename_file(folder + newest_name, folder + damaged_name);
}

}  // namespace vic
