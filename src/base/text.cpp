#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace vic {
namespace {

// how many bytes at `text` are one control character of ASCII, of Latin-1, or one of Unicode that
// ends a line or turns the direction of writing; 0 where none is
std::size_t control_at(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) <= 0x9f) return 2;
  if (byte(0) != 0xe2) return 0;
  const bool ends_or_turns = byte(2) >= 0xa8 && byte(2) <= 0xae;  // U+2028 to U+202E
  const bool marks = byte(2) == 0x8e || byte(2) == 0x8f;          // U+200E, U+200F
  if (byte(1) == 0x80 && (ends_or_turns || marks)) return 3;
  return byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9 ? 3 : 0;  // U+2066 to U+2069
}

// how many bytes the first character has; 0 where it is no UTF-8
std::size_t character_at(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < n) return 0;
  std::uint32_t code = lead & (0x7fU >> n);
  for (std::size_t i = 1; i < n; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return 0;
    code = code << 6 | (next & 0x3fU);
  }
  // neither longer than needed, nor half of a pair of UTF-16, nor beyond Unicode
  const bool longer = (n == 3 && code < 0x800) || (n == 4 && code < 0x10000);
  return longer || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0 : n;
}

// whether two letters are the same but for their case, which is easily forgotten: tmax for T_max
bool same_letter(char a, char b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return lower(a) == lower(b);
}

// Levenshtein distance, one row of the table at a time
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substitute = diagonal + (same_letter(a[i], b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substitute, diagonal + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

// how many bytes the first characters have
std::size_t bytes_of(std::string_view text, std::size_t characters) {
  std::size_t i = 0;
  while (i < text.size() && characters-- > 0) {
    do {
      ++i;
    } while (i < text.size() && (text[i] & 0xC0) == 0x80);
  }
  return i;
}

}  // namespace

bool has_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (control_at(text.substr(i)) > 0) return true;
  }
  return false;
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t n = character_at(bytes);
    if (n == 0) return false;
    bytes.remove_prefix(n);
  }
  return true;
}

std::string shown(std::string_view text, std::size_t limit) {
  const bool whole = text.size() <= limit;
  std::size_t end = whole ? text.size() : limit;
  // cut between characters, not inside one: 10xxxxxx continues a character of UTF-8
  while (!whole && end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text = text.substr(0, end);

  std::string line;
  while (!text.empty()) {
    const std::size_t n = character_at(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, n));
    if (n > 0 && control_at(text) == 0) {
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

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width, Side side) {
  const std::string space(width - std::min(width, text_width(text)), ' ');
  return side == Side::right ? space + std::string(text) : std::string(text) + space;
}

std::string cut_end(std::string_view text, std::size_t width) {
  if (text_width(text) <= width || width == 0) return std::string(text);
  return std::string(text.substr(0, bytes_of(text, width - 1))) + "…";
}

std::string cut_middle(std::string_view text, std::size_t width) {
  const std::size_t all = text_width(text), last = width - width / 3;
  if (all <= width || width < 3) return cut_end(text, width);
  return std::string(text.substr(0, bytes_of(text, width - last - 1))) + "…" +
         std::string(text.substr(bytes_of(text, all - last)));
}

std::string duration_text(double seconds) {
  if (!(seconds < 1e9)) return "years";
  const long s = static_cast<long>(seconds + 0.5);
  if (s < 120) return fmt::format("{} s", s);
  if (s < 7200) return fmt::format("{} min {:02} s", s / 60, s % 60);
  if (s < 48 * 3600) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  return fmt::format("{} d {:02} h", s / 86400, s / 3600 % 24);
}

std::string signed_text(double value, int digits) {
  const std::string text = fmt::format("{:.{}f}", std::abs(value), digits);
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return (zero ? "" : value < 0 ? "\u2212" : "+") + text;
}

std::string minus_text(double value, int digits) {
  return fmt::format("{}{:.{}f}", std::signbit(value) ? "\u2212" : "", std::abs(value), digits);
}

std::string grouped_text(long value) {
  std::string text = std::to_string(value);
  const std::ptrdiff_t first = text.starts_with('-') ? 1 : 0;
  for (std::ptrdiff_t at = std::ssize(text) - 3; at > first; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string alternatives(std::span<const std::string> items) {
  if (items.size() < 2) return items.empty() ? "" : items[0];
  return fmt::format("{} or {}", joined(items.first(items.size() - 1), ", "), items.back());
}

std::string joined(std::span<const std::string> parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string closest(std::string_view name, std::span<const std::string> candidates) {
  const auto best = std::ranges::min_element(
      candidates, {}, [&](const std::string& each) { return edit_distance(name, each); });
  return best == candidates.end() ? "" : *best;
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates) {
  // names and keys are short: comparing a huge one letter by letter would only take time
  name = name.substr(0, 64);
  // a list that is longer than this does not help to find a typing error
  constexpr std::size_t longest_list = 12;
  if (candidates.empty()) return "; none are known here.";
  const std::string best = closest(name, candidates);
  if (edit_distance(name, best) <= std::max<std::size_t>(1, best.size() / 3)) {
    return fmt::format("; did you mean {}?", best);
  }
  if (candidates.size() == 1) return fmt::format("; the only one known here is {}.", best);
  if (candidates.size() > longest_list) return fmt::format("; the closest is {}.", best);
  return fmt::format("; known are {} and {}.",
                     joined(candidates.first(candidates.size() - 1), ", "), candidates.back());
}

}  // namespace vic
