// Arrays in NumPy's npz format: a zip archive, not compressed, with a .npy file for each array.
// numpy.load reads it, and so does every unzip.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace vic {

struct NpzArray {
  std::string name;
  std::vector<std::size_t> shape;  // row-major; () is a single number
  // numbers, or texts in UTF-8; as many as the product of shape
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>> values;
};

// The bytes of the archive, the same for equal arguments. Throws an Error where the values of an
// array do not fit its shape, and where the archive would have 4 GiB or more.
std::string npz_bytes(const std::vector<NpzArray>& arrays);

}  // namespace vic
