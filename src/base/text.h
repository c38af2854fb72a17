// Text made fit for people: what comes from outside, for a message of one line or for the name of a
// file; numbers with their sign; lists; the known name that a mistyped one most likely meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace vic {

// The most bytes of a value that a message repeats.
inline constexpr std::size_t longest_shown = 60;

// The text with control characters and bytes that are not UTF-8 escaped, and cut with "..." where
// it is longer than `limit` bytes.
std::string shown(std::string_view text, std::size_t limit = longest_shown);

// Whether the text has a control character, a line separator or a mark of writing direction.
bool has_control(std::string_view text);

// Whether the bytes are text in UTF-8.
bool is_utf8(std::string_view bytes);

// The text as the name of a file: letters, digits, dots and underscores, and '-' for runs of
// others.
std::string file_name(std::string_view text);

// The number with "+" or a minus sign (not a hyphen) in front; what rounds to zero has none.
std::string signed_text(double value, int digits);

// The same without the "+".
std::string minus_text(double value, int digits);

// The whole number with commas, "12,000".
std::string grouped_text(long value);

// "a, b or c".
std::string alternatives(std::span<const std::string> items);

// The parts, one after the other with the separator between them.
std::string joined(std::span<const std::string> parts, std::string_view separator);

// The candidate with the smallest edit distance to `name`; the first of them on a tie, "" of none.
std::string closest(std::string_view name, std::span<const std::string> candidates);

// The end of a message about an unknown name: "; did you mean X?" where a candidate is near, else
// "; known are X, Y and Z.", or of many "; the closest is X.".
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace vic
