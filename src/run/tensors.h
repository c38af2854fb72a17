// Named arrays of numbers in the safetensors format, which Python's package of that name reads too:
//
//   8 bytes   n, the length of the header, little-endian
//   n bytes   {"__metadata__":{"key":"text"},"name":{"dtype":"F32","shape":[2,3],
//             "data_offsets":[0,24]}} and spaces up to a multiple of 8
//   the rest  the numbers, little-endian, row-major, without gaps
#pragma once

#include <concepts>
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

// The dtype of numbers of type T.
template <class T>
inline constexpr const char* dtype_of = std::same_as<T, float>          ? "F32"
                                        : std::same_as<T, double>       ? "F64"
                                        : std::same_as<T, std::int64_t> ? "I64"
                                                                        : "U64";

// Throws an Error that begins with `what` if the bytes do not match dtype and shape.
void check_tensor(const Tensor& tensor, const std::string& what = "A tensor");

// A tensor of the numbers of a vector or a span. Throws an Error if their count does not match the
// shape.
template <class Numbers>
Tensor make_tensor(const Numbers& numbers, std::vector<std::int64_t> shape) {
  const auto bytes = std::as_bytes(std::span(numbers));
  Tensor tensor{dtype_of<typename Numbers::value_type>, std::move(shape),
                std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
  check_tensor(tensor);
  return tensor;
}

// The numbers of a tensor, flat. T is float, double, std::int64_t or std::uint64_t. Throws an Error
// if T does not match dtype, or the bytes do not match the shape.
template <class T>
std::vector<T> values(const Tensor& tensor);

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::vector<std::pair<std::string, Tensor>> tensors;  // names are unique

  // The tensor of that name. Throws an Error with the closest name if there is none.
  const Tensor& at(std::string_view name) const;

  bool operator==(const TensorFile&) const = default;
};

// The bytes of the file, the same for equal arguments. Tensors keep their order, except that F32
// comes last so that every number is aligned. Throws an Error for a file that could not be read
// again: a tensor whose bytes do not fit its dtype and shape, or a name that occurs twice.
std::string write_tensors(const TensorFile& file);

// Parses the bytes of a file, with tensors in the order of their data; errors call it `path`.
// Whatever the bytes, returns a sound file or throws an Error of one sentence. The format has no
// checksum: changed numbers are not noticed (run/checkpoint_file.h adds one).
TensorFile parse_tensors(std::string_view bytes, const std::string& path);

}  // namespace vic
