#include "base/npz.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "base/error.h"

namespace vic {
namespace {

// CRC-32 of zip archives, whose polynomial differs from that of our checkpoints
std::uint32_t crc32(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> list{};
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? 0xedb88320U ^ c >> 1 : c >> 1;
      list[i] = c;
    }
    return list;
  }();
  std::uint32_t crc = 0xffffffffU;
  for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xffU] ^ crc >> 8;
  return crc ^ 0xffffffffU;
}

// appends the low bytes of a number, the lowest first
void put(std::string& out, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xffU);
}

// the characters of a text in UTF-8
std::u32string characters(const std::string& text) {
  std::u32string list;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t n = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    char32_t code = n == 1 ? lead : lead & (0x7fU >> n);
    for (std::size_t k = 1; k < n && i + k < text.size(); ++k) {
      code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
    }
    list += code;
    i += n;
  }
  return list;
}

template <class Number>
std::string data_of(const std::vector<Number>& numbers, std::string& type) {
  type = std::is_same_v<Number, double> ? "<f8" : "<i8";
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

// texts have 4 bytes for each character, and all have the length of the longest
std::string data_of(const std::vector<std::string>& texts, std::string& type) {
  std::vector<std::u32string> all;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    all.push_back(characters(text));
    longest = std::max(longest, all.back().size());
  }
  type = fmt::format("<U{}", longest);
  std::string bytes;
  for (std::u32string& text : all) {
    text.resize(longest);
    for (const char32_t c : text) put(bytes, c, 4);
  }
  return bytes;
}

// a .npy file: magic, version 1.0, a header that ends on a multiple of 64, the numbers
std::string npy_bytes(const NpzArray& array) {
  std::string type;
  const std::string data =
      std::visit([&](const auto& values) { return data_of(values, type); }, array.values);
  const std::size_t count =
      std::visit([](const auto& values) { return values.size(); }, array.values);
  const auto product =
      std::accumulate(array.shape.begin(), array.shape.end(), std::size_t{1}, std::multiplies<>());
  require(product == count, "The array {} has {} values, and its shape has {}.", array.name, count,
          product);
  std::string shape;
  for (const std::size_t n : array.shape) shape += fmt::format("{},", n);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  constexpr std::size_t before = 10;  // magic, version, length
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string out = "\x93NUMPY";
  put(out, 1, 2);
  put(out, header.size(), 2);
  return out + header + data;
}

}  // namespace

std::string npz_bytes(const std::vector<NpzArray>& arrays) {
  constexpr std::uint64_t limit = 0xffffffffU;
  // 1980-01-01, the first day that zip knows: equal arrays make equal bytes
  constexpr std::uint64_t date = 0x21;
  std::string out, directory;
  for (const NpzArray& array : arrays) {
    const std::string name = array.name + ".npy", bytes = npy_bytes(array);
    const std::size_t begin = out.size();
    // needed version, flags, no compression, time, date, checksum, sizes, lengths of the names
    std::string entry;
    put(entry, 20, 2), put(entry, 0, 2), put(entry, 0, 2), put(entry, 0, 2), put(entry, date, 2);
    put(entry, crc32(bytes), 4), put(entry, bytes.size(), 4), put(entry, bytes.size(), 4);
    put(entry, name.size(), 2), put(entry, 0, 2);
    out += "PK\x03\x04" + entry + name + bytes;
    directory += "PK\x01\x02";
    put(directory, 20, 2);  // made by
    directory += entry;
    // no comment, disk 0, no attributes
    put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 4);
    put(directory, begin, 4);
    directory += name;
    require(out.size() + directory.size() < limit,
            "The archive would have 4 GiB or more; export fewer rows.");
  }
  const std::size_t begin = out.size();
  out += directory + "PK\x05\x06";
  put(out, 0, 4);
  put(out, arrays.size(), 2), put(out, arrays.size(), 2);
  put(out, directory.size(), 4), put(out, begin, 4), put(out, 0, 2);
  return out;
}

}  // namespace vic
