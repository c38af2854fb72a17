#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

namespace vic {
namespace {

// the number of bytes of the control character at the beginning of `text`, of ASCII, Latin-1, or
// one of Unicode that ends a line or changes the direction of writing; 0 where there is none
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

// the number of bytes of the first character; 0 where it is not UTF-8
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
  // neither overlong, nor half of a surrogate pair, nor beyond Unicode
  const bool longer = (n == 3 && code < 0x800) || (n == 4 && code < 0x10000);
  return longer || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0 : n;
}

// whether two letters are the same up to case, which is easily mistyped: tmax for T_max
bool same_letter(char a, char b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return lower(a) == lower(b);
}

// the letters to change, insert, leave out, or swap with the next one; three rows of the table
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = last[j] + (same_letter(a[i], b[j]) ? 0 : 1);
      row[j + 1] = std::min({changed, last[j + 1] + 1, row[j] + 1});
      const bool swapped =
          i > 0 && j > 0 && same_letter(a[i], b[j - 1]) && same_letter(a[i - 1], b[j]);
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = std::exchange(last, row);
  }
  return last[b.size()];
}

// the columns of a line on a terminal, where colours take none
std::size_t columns_of(std::string_view line) {
  std::size_t colours = 0;
  for (std::size_t i = line.find('\x1b'); i != std::string_view::npos; i = line.find('\x1b', i)) {
    const std::size_t end = std::min(line.find('m', i), line.size() - 1);
    colours += end + 1 - i;
    i = end + 1;
  }
  return text_width(line) - colours;
}

// the beginning of a line's last column, if that leaves it room; else the end of its indentation
std::size_t hanging(std::string_view line, std::size_t width) {
  const std::size_t begin = line.find_first_not_of(' ');
  std::size_t indent = begin == 0 || begin == std::string_view::npos ? 0 : begin + 2;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t gap = line.find("  ", i);
    if (gap == std::string_view::npos) break;
    i = std::min(line.find_first_not_of(' ', gap), line.size()) - 1;
    const std::size_t column = text_width(line.substr(0, i + 1));
    if (gap > 0 && column <= 3 * width / 4) indent = column;
  }
  return indent;
}

void add_fitted(std::string& out, std::string_view line, std::size_t width) {
  const std::size_t indent = hanging(line, width);
  std::size_t column = 0;
  while (!line.empty()) {
    const std::size_t spaces = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = std::min(line.find(' ', spaces), line.size());
    const std::string_view word = line.substr(spaces, end - spaces);
    const std::size_t wide = columns_of(word);
    if (column > indent && column + spaces + wide > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else {
      out.append(spaces, ' ');
      column += spaces;
    }
    out += word;
    column += wide;
    line.remove_prefix(end);
  }
}

// the number of bytes of the first characters
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

std::string fitted(std::string_view text, std::size_t width) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (columns_of(line) <= width) {
      out += line;
    } else {
      add_fitted(out, line, width);
    }
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string shell_word(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./=+,:@%").find(c) != std::string_view::npos ||
           (static_cast<unsigned char>(c) & 0x80) != 0;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
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

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return "";
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<double> number_in(const std::string& text) {
  char* rest = nullptr;
  const double number = std::strtod(text.c_str(), &rest);
  if (text.empty() || *rest != '\0' || !std::isfinite(number)) return std::nullopt;
  return number;
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
  // a longer list does not help to find a typing error
  constexpr std::size_t longest_list = 12, most_nearest = 3;
  if (candidates.empty()) return "; none are known here.";
  std::vector<std::string> sorted(candidates.begin(), candidates.end());
  const auto distance = [&](const std::string& each) { return edit_distance(name, each); };
  std::ranges::stable_sort(sorted, {}, distance);
  const std::size_t least = distance(sorted[0]);
  const auto ties = static_cast<std::size_t>(std::ranges::count(sorted, least, distance));
  const std::span all = sorted;
  if (least <= std::max<std::size_t>(1, sorted[0].size() / 3) && ties <= most_nearest) {
    return fmt::format("; did you mean {}?", alternatives(all.first(ties)));
  }
  if (candidates.size() == 1) return fmt::format("; the only one known here is {}.", sorted[0]);
  const bool many = candidates.size() > longest_list;
  const auto list = many ? all.first(most_nearest) : candidates;
  return fmt::format("; {} are {} and {}.", many ? "the closest" : "known",
                     joined(list.first(list.size() - 1), ", "), list.back());
}

}  // namespace vic
