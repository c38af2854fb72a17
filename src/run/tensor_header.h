// The header of a safetensors file: JSON that describes the bytes after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vic {

// The longest header that is written or read, as in the reference implementation.
inline constexpr std::size_t longest_tensor_header = 100'000'000;

// Where the bytes of one tensor are, counted from the end of the header.
struct TensorEntry {
  std::string name, dtype;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0, end = 0;  // the half-open interval [begin, end)
};

struct TensorHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorEntry> entries;  // in the order of the text
};

// The header as JSON, padded with spaces to a multiple of 8 bytes. Throws an Error if a name or a
// text is not UTF-8, or the header would be too long.
std::string write_tensor_header(const TensorHeader& header);

// Reads a header, in time and memory proportional to its length. Checks the form of the entries
// (names are unique, every field is there once and has its type), not their contents. Throws an
// Error as `reject_tensors` does.
TensorHeader parse_tensor_header(std::string_view json, const std::string& path);

// Throws the Error that says why `path` cannot be read; `why` is a clause without a full stop.
[[noreturn]] void reject_tensors(const std::string& path, const std::string& why);

}  // namespace vic
