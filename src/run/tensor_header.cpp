#include "run/tensor_header.h"

#include <fmt/core.h>

#include <limits>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"

namespace vic {
namespace {

constexpr const char* metadata_key = "__metadata__";

// Follows the text token by token. A tree of values would be simpler, but it keeps the last of two
// equal keys without a word, and grows as large and as deep as a hostile header likes.
class HeaderReader : public JsonEvents {
 public:
  explicit HeaderReader(const std::string& path) : path_(path) {}

  TensorHeader header;

  void begin_object() override {
    if (place_ == Place::text) {
      place_ = Place::file;
    } else if (place_ == Place::file) {
      place_ = key_ == metadata_key ? Place::metadata : Place::tensor;
      if (place_ == Place::tensor) header.entries.emplace_back().name = key_;
    } else {
      fail_value();
    }
    keys_.emplace_back();
  }

  void key(std::string key) override {
    if (!keys_.back().insert(key).second) {
      reject_tensors(path_, fmt::format("its header has '{}' twice", shown(key)));
    }
    key_ = std::move(key);
  }

  void end_object() override {
    // no other key than the three finds a value that fits, so three of them are all of them
    if (place_ == Place::tensor && keys_.back().size() != 3) {
      reject_tensors(path_, fmt::format("its tensor '{}' lacks a dtype, shape or data_offsets",
                                        shown(header.entries.back().name)));
    }
    keys_.pop_back();
    place_ = place_ == Place::file ? Place::text : Place::file;
  }

  void string(std::string text) override {
    if (place_ == Place::metadata) {
      header.metadata[key_] = std::move(text);
    } else if (place_ == Place::tensor && key_ == "dtype") {
      header.entries.back().dtype = std::move(text);
    } else {
      fail_value();
    }
  }

  void begin_array() override {
    if (place_ != Place::tensor || (key_ != "shape" && key_ != "data_offsets")) fail_value();
    place_ = key_ == "shape" ? Place::shape : Place::offsets;
    offsets_ = 0;
  }

  void whole(std::uint64_t number) override {
    if (place_ == Place::shape && number <= std::numeric_limits<std::int64_t>::max()) {
      header.entries.back().shape.push_back(static_cast<std::int64_t>(number));
    } else if (place_ == Place::offsets && offsets_ < 2) {
      TensorEntry& entry = header.entries.back();
      (offsets_++ == 0 ? entry.begin : entry.end) = number;
    } else {
      fail_value();
    }
  }

  void end_array() override {
    if (place_ == Place::offsets && offsets_ != 2) fail_value();
    place_ = Place::tensor;
  }

  void null() override { fail_value(); }
  void boolean(bool) override { fail_value(); }
  void negative(std::int64_t) override { fail_value(); }
  void real(double) override { fail_value(); }
  void error(std::size_t byte, const std::string&) override {
    reject_tensors(path_, fmt::format("its header is not JSON at byte {}", byte));
  }

 private:
  enum class Place { text, file, metadata, tensor, shape, offsets };

  [[noreturn]] void fail_value() const {
    if (place_ == Place::file || place_ == Place::metadata) {
      reject_tensors(path_, fmt::format("its header has a wrong value for '{}'", shown(key_)));
    }
    reject_tensors(path_, fmt::format("its tensor '{}' has a wrong value for '{}'",
                                      shown(header.entries.back().name), shown(key_)));
  }

  const std::string& path_;
  Place place_ = Place::text;
  std::string key_;                          // the last one read
  std::vector<std::set<std::string>> keys_;  // of the objects that are open, outermost first
  int offsets_ = 0;                          // how many of [begin, end] were read
};

// JSON's quotes and escapes around the text
std::string quoted(const std::string& text) {
  try {
    return quoted_json(text);
  } catch (const JsonError&) {
    throw Error(
        fmt::format("Cannot store '{}' in a safetensors file: it is not UTF-8.", shown(text)));
  }
}

}  // namespace

std::string write_tensor_header(const TensorHeader& header) {
  std::vector<std::string> members;
  if (!header.metadata.empty()) {
    std::vector<std::string> texts;
    for (const auto& [key, text] : header.metadata) {
      texts.push_back(quoted(key) + ":" + quoted(text));
    }
    members.push_back(fmt::format("\"{}\":{{{}}}", metadata_key, joined(texts, ",")));
  }
  for (const TensorEntry& entry : header.entries) {
    if (entry.name == metadata_key) {
      throw Error(fmt::format("No tensor can have the name {}.", metadata_key));
    }
    std::vector<std::string> shape;
    for (std::int64_t n : entry.shape) shape.push_back(std::to_string(n));
    members.push_back(fmt::format(R"({}:{{"dtype":{},"shape":[{}],"data_offsets":[{},{}]}})",
                                  quoted(entry.name), quoted(entry.dtype), joined(shape, ","),
                                  entry.begin, entry.end));
  }
  std::string text = fmt::format("{{{}}}", joined(members, ","));
  // the data behind the header start at a multiple of 8, aligned for every dtype
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > longest_tensor_header) {
    throw Error(fmt::format("A safetensors header of {} bytes is too long.", text.size()));
  }
  return text;
}

TensorHeader parse_tensor_header(std::string_view text, const std::string& path) {
  // the JSON parser would skip a byte order mark, and take a zero byte for the end
  if (!text.starts_with('{') || text.find('\0') != std::string_view::npos) {
    reject_tensors(path, "its header is not a JSON object");
  }
  HeaderReader reader(path);
  read_json(text, reader);
  return std::move(reader.header);
}

void reject_tensors(const std::string& path, const std::string& why) {
  throw Error(fmt::format("{} is damaged or not a safetensors file: {}.", path, why));
}

}  // namespace vic
