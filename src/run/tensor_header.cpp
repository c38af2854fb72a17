#include "run/tensor_header.h"

#include <fmt/core.h>

#include <set>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"

namespace vic {
namespace {

constexpr const char* metadata_key = "__metadata__";

// Parses the text token by token. A tree of values would be simpler, but it silently keeps the last
// of two equal keys, and a hostile header can make it as large and as deep as it likes.
class HeaderReader {
 public:
  explicit HeaderReader(const std::string& path) : path_(path) {}

  TensorHeader header;

  void read(JsonToken token, const Json& value) {
    switch (token) {
      case JsonToken::scalar:
        return read_scalar(value);
      case JsonToken::key:
        return read_key(value.get<std::string>());
      case JsonToken::begin_object:
        return begin_object();
      case JsonToken::end_object:
        return end_object();
      case JsonToken::begin_array:
        if (place_ != Place::tensor || (key_ != "shape" && key_ != "data_offsets")) fail_value();
        place_ = key_ == "shape" ? Place::shape : Place::offsets;
        offsets_ = 0;
        return;
      case JsonToken::end_array:
        if (place_ == Place::offsets && offsets_ != 2) fail_value();
        place_ = Place::tensor;
        return;
    }
  }

 private:
  enum class Place { text, file, metadata, tensor, shape, offsets };

  void begin_object() {
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

  void end_object() {
    // only the three known keys can have a value here, so three keys are all of them
    if (place_ == Place::tensor && keys_.back().size() != 3) {
      reject_tensors(path_, fmt::format("its tensor '{}' lacks a dtype, shape or data_offsets",
                                        shown(header.entries.back().name)));
    }
    keys_.pop_back();
    place_ = place_ == Place::file ? Place::text : Place::file;
  }

  void read_key(std::string key) {
    if (!keys_.back().insert(key).second) {
      reject_tensors(path_, fmt::format("its header has '{}' twice", shown(key)));
    }
    key_ = std::move(key);
  }

  void read_scalar(const Json& value) {
    const bool natural = value.is_integer() && value.get<double>() >= 0;
    if (place_ == Place::metadata && value.is_string()) {
      header.metadata[key_] = value.get<std::string>();
    } else if (place_ == Place::tensor && key_ == "dtype" && value.is_string()) {
      header.entries.back().dtype = value.get<std::string>();
    } else if (place_ == Place::shape && natural && value.get<double>() < 0x1p63) {
      header.entries.back().shape.push_back(value.get<std::int64_t>());
    } else if (place_ == Place::offsets && natural && offsets_ < 2) {
      TensorEntry& entry = header.entries.back();
      (offsets_++ == 0 ? entry.begin : entry.end) = value.get<std::uint64_t>();
    } else {
      fail_value();
    }
  }

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

}  // namespace

std::string write_tensor_header(const TensorHeader& header) {
  Json::Object members;
  if (!header.metadata.empty()) {
    members.emplace_back(metadata_key,
                         Json::object({header.metadata.begin(), header.metadata.end()}));
  }
  for (const TensorEntry& entry : header.entries) {
    if (entry.name == metadata_key) {
      throw Error(fmt::format("No tensor can have the name {}.", metadata_key));
    }
    members.emplace_back(entry.name, Json{{"dtype", entry.dtype},
                                          {"shape", entry.shape},
                                          {"data_offsets", {entry.begin, entry.end}}});
  }
  std::string text = Json::object(std::move(members)).dump();
  // the data after the header start at a multiple of 8, aligned for every dtype
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
  try {
    read_json(text, [&](JsonToken token, const Json& value) { reader.read(token, value); });
  } catch (const JsonError& error) {
    reject_tensors(path, fmt::format("its header is not JSON at byte {}", error.byte));
  }
  return std::move(reader.header);
}

void reject_tensors(const std::string& path, const std::string& why) {
  throw Error(fmt::format("{} is damaged or not a safetensors file: {}.", path, why));
}

}  // namespace vic
