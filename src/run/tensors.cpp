#include "run/tensors.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "run/tensor_header.h"

namespace vic {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are stored as they are");

constexpr std::size_t prefix = 8;  // the bytes that hold the header's length

// bytes of one number; none if the dtype is unknown
std::optional<std::uint64_t> number_size(const std::string& dtype) {
  if (dtype == "F32") return 4;
  if (dtype == "F64" || dtype == "I64" || dtype == "U64") return 8;
  return std::nullopt;
}

// why `size` bytes are not a tensor of that dtype and shape; "" if they are
std::string mismatch(const std::string& dtype, const std::vector<std::int64_t>& shape,
                     std::uint64_t size) {
  const auto number = number_size(dtype);
  if (!number) return fmt::format("has the unknown dtype '{}'", shown(dtype));
  std::uint64_t needed = *number;
  for (const std::int64_t n : shape) {
    if (n < 0) return fmt::format("has the length {} in its shape", n);
    if (__builtin_mul_overflow(needed, static_cast<std::uint64_t>(n), &needed)) {
      return "has an impossibly large shape";
    }
  }
  if (size == needed) return "";
  return fmt::format("has {} bytes where its shape needs {}", size, needed);
}

// throws if the entries, in the order of their data, leave gaps or overlap
void check_layout(const std::vector<TensorEntry>& entries, std::uint64_t size,
                  const std::string& path) {
  std::uint64_t covered = 0;
  for (const TensorEntry& entry : entries) {
    const auto fail = [&](std::string_view fault) {
      reject_tensors(path, fmt::format("its tensor '{}' {}", shown(entry.name), fault));
    };
    if (entry.end < entry.begin) fail("ends before it begins");
    if (entry.end > size) fail(fmt::format("ends {} bytes beyond the data", entry.end - size));
    if (entry.begin < covered) fail("overlaps another");
    if (entry.begin > covered) fail(fmt::format("begins {} bytes late", entry.begin - covered));
    const std::string fault = mismatch(entry.dtype, entry.shape, entry.end - entry.begin);
    if (!fault.empty()) fail(fault);
    covered = entry.end;
  }
  if (covered < size) {
    reject_tensors(path, fmt::format("{} bytes at its end belong to no tensor", size - covered));
  }
}

}  // namespace

void check_tensor(const Tensor& tensor, const std::string& what) {
  const std::string fault = mismatch(tensor.dtype, tensor.shape, tensor.bytes.size());
  if (!fault.empty()) throw Error(fmt::format("{} {}.", what, fault));
}

template <class T>
std::vector<T> values(const Tensor& tensor) {
  if (tensor.dtype != dtype_of<T>) {
    throw Error(fmt::format("A tensor of {} was found where {} belongs.", shown(tensor.dtype),
                            dtype_of<T>));
  }
  check_tensor(tensor);
  std::vector<T> numbers(tensor.bytes.size() / sizeof(T));
  // an empty vector may have a null address, which memcpy does not allow
  if (!numbers.empty()) std::memcpy(numbers.data(), tensor.bytes.data(), tensor.bytes.size());
  return numbers;
}

template std::vector<float> values(const Tensor&);
template std::vector<double> values(const Tensor&);
template std::vector<std::int64_t> values(const Tensor&);
template std::vector<std::uint64_t> values(const Tensor&);

const Tensor& TensorFile::at(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& [candidate, tensor] : tensors) {
    if (candidate == name) return tensor;
    names.push_back(shown(candidate));
  }
  throw Error(fmt::format("There is no tensor {}{}", shown(name), suggestion(name, names)));
}

std::string write_tensors(const TensorFile& file) {
  std::set<std::string_view> names;
  for (const auto& [name, tensor] : file.tensors) {
    check_tensor(tensor, fmt::format("The tensor {}", shown(name)));
    if (!names.insert(name).second) {
      throw Error(fmt::format("Two tensors have the name {}.", shown(name)));
    }
  }
  TensorHeader header{file.metadata, {}};
  std::string data;
  for (const std::uint64_t size : {8, 4}) {
    for (const auto& [name, tensor] : file.tensors) {
      if (number_size(tensor.dtype) != size) continue;
      const std::uint64_t begin = data.size();
      data += tensor.bytes;
      header.entries.push_back({name, tensor.dtype, tensor.shape, begin, data.size()});
    }
  }
  const std::string text = write_tensor_header(header);
  const std::uint64_t length = text.size();
  std::string bytes(prefix, '\0');
  std::memcpy(bytes.data(), &length, prefix);
  bytes.reserve(prefix + text.size() + data.size());
  bytes += text;
  bytes += data;
  return bytes;
}

TensorFile parse_tensors(std::string_view bytes, const std::string& path) {
  if (bytes.size() < prefix) {
    reject_tensors(path, fmt::format("it ends after {} bytes", bytes.size()));
  }
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), prefix);
  bytes.remove_prefix(prefix);
  if (length > longest_tensor_header) reject_tensors(path, "its header is longer than 100 MB");
  if (length > bytes.size()) reject_tensors(path, "it ends within its header");

  TensorHeader header = parse_tensor_header(bytes.substr(0, length), path);
  bytes.remove_prefix(length);
  // tensors without numbers have the offset of another: they keep the order of the header
  std::stable_sort(header.entries.begin(), header.entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  check_layout(header.entries, bytes.size(), path);

  TensorFile file{std::move(header.metadata), {}};
  for (TensorEntry& entry : header.entries) {
    file.tensors.emplace_back(
        std::move(entry.name),
        Tensor{std::move(entry.dtype), std::move(entry.shape),
               std::string(bytes.substr(entry.begin, entry.end - entry.begin))});
  }
  return file;
}

}  // namespace vic
