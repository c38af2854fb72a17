// Named arrays of numbers in the safetensors format, which Python's package of that name reads too:
//
//   8 bytes   n, the length of the header, little-endian
//   n bytes   {"__metadata__":{"key":"text"},"name":{"dtype":"F32","shape":[2,3],
//             "data_offsets":[0,24]}} and spaces up to a multiple of 8
//   the rest  the numbers, little-endian, row-major, without gaps
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vic {

struct Tensor {
  std::string dtype;                // F32, F64, I64 or U64
  std::vector<std::int64_t> shape;  // () is a single number
  std::string bytes;                // shape's product x the size of dtype

  bool operator==(const Tensor&) const = default;
};

// A tensor of these numbers. Throws an Error where the shape holds more or fewer.
Tensor make_tensor(std::span<const float> numbers, std::vector<std::int64_t> shape);
Tensor make_tensor(std::span<const double> numbers, std::vector<std::int64_t> shape);
Tensor make_tensor(std::span<const std::int64_t> numbers, std::vector<std::int64_t> shape);
Tensor make_tensor(std::span<const std::uint64_t> numbers, std::vector<std::int64_t> shape);

// The numbers of a tensor, flat. T is float, double, std::int64_t or std::uint64_t. Throws an Error
// where T is not what dtype says, or the bytes are not what shape says.
template <class T>
std::vector<T> values(const Tensor& tensor);

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::vector<std::pair<std::string, Tensor>> tensors;  // names are unique

  // The tensor of that name. Throws an Error with the closest name where there is none.
  const Tensor& at(std::string_view name) const;

  bool operator==(const TensorFile&) const = default;
};

// The bytes of the file, the same for equal arguments. Tensors come in their order, except that
// F32 is behind all others so that every number is aligned. Throws an Error for what could not be
// read again: a tensor whose bytes do not fit its dtype and shape, a name given twice.
std::string write_tensors(const TensorFile& file);

// The file that the bytes are, tensors in the order of their data; `path` is what errors call it.
// Whatever the bytes, it returns a sound file or throws an Error of one sentence. The format has no
// checksum: numbers that were changed are not noticed (run/checkpoint_file.h adds one).
TensorFile parse_tensors(std::string_view bytes, const std::string& path);

}  // namespace vic
