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
  // shape's product of numbers or of texts in UTF-8
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>> values;
};

// The bytes of the archive, the same for equal arguments. Throws an Error where an array has
// another number of values than its shape, and where the archive would have 4 GiB or more.
std::string npz_bytes(const std::vector<NpzArray>& arrays);

}  // namespace vic
