#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vic {
namespace {

// how many bytes at `text` are one control character of ASCII, of Latin-1, or a Unicode line or
// paragraph separator; 0 where none is
std::size_t control_at(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) <= 0x9f) return 2;
  if (byte(0) == 0xe2 && byte(1) == 0x80 && (byte(2) == 0xa8 || byte(2) == 0xa9)) return 3;
  return 0;
}

}  // namespace

bool has_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (control_at(text.substr(i)) > 0) return true;
  }
  return false;
}

std::string shown(std::string_view text, std::size_t limit) {
  const bool whole = text.size() <= limit;
  std::size_t end = whole ? text.size() : limit;
  // cut between characters, not inside one: 10xxxxxx continues a character of UTF-8
  while (!whole && end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text = text.substr(0, end);

  std::string line;
  while (!text.empty()) {
    const std::size_t control = control_at(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, control));
    if (control == 0) {
      line += character;
    } else if (character == "\n") {
      line += "\\n";
    } else if (character == "\t") {
      line += "\\t";
    } else {
      for (char byte : character) {
        line += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
      }
    }
    text.remove_prefix(character.size());
  }
  return whole ? line : line + "...";
}

std::string file_name(std::string_view text) {
  std::string out;
  for (char c : text) {
    const bool keep = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '.' || c == '_';
    if (keep) {
      out += c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  return out;
}

std::string signed_text(double value, int digits) {
  const std::string text = fmt::format("{:.{}f}", std::abs(value), digits);
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return (zero ? "" : value < 0 ? "\u2212" : "+") + text;
}

std::string minus_text(double value, int digits) {
  return fmt::format("{}{:.{}f}", std::signbit(value) ? "\u2212" : "", std::abs(value), digits);
}

std::string alternatives(std::span<const std::string> items) {
  if (items.size() < 2) return items.empty() ? "" : items[0];
  return fmt::format("{} or {}", joined(items.first(items.size() - 1), ", "), items.back());
}

std::string joined(std::span<const std::string> parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

}  // namespace vic
