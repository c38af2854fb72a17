// Text for people: foreign text made safe for a message of one line or for a file name; numbers
// with their sign; lists; the known name that a mistyped one most likely meant.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vic {

// The most bytes of a value that a message shows.
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

// The columns of the text on a terminal: its characters.
std::size_t text_width(std::string_view text);

// The text aligned to a side, padded with spaces to `width` columns.
enum class Side { left, right };
std::string padded(std::string_view text, std::size_t width, Side side);

// The text in at most `width` columns: a longer one has "…" in place of its end, or of a part
// before its last third, which distinguishes file names.
std::string cut_end(std::string_view text, std::size_t width);
std::string cut_middle(std::string_view text, std::size_t width);

// The lines of a text broken between words where they are wider than `width`. Continuations are
// indented to the last column of their line, which begins after two or more spaces.
std::string fitted(std::string_view text, std::size_t width);

// The text as a word of a shell command, in quotes where needed.
std::string shell_word(std::string_view text);

// The text without leading and trailing blanks.
std::string_view trimmed(std::string_view text);

// The parts of a text between separators, one more than the separators.
std::vector<std::string> split(std::string_view text, char separator);

// The whole text as a finite number; empty where it is not one.
std::optional<double> number_in(const std::string& text);

// "95 s", "12 min 04 s", "3 h 20 min", "9 d 04 h"; at most eleven characters.
std::string duration_text(double seconds);

// The number with "+" or a minus sign (not a hyphen) in front; without one if it rounds to zero.
std::string signed_text(double value, int digits);

// The same without the "+".
std::string minus_text(double value, int digits);

// The whole number with commas, "12,000".
std::string grouped_text(long value);

// "a, b or c".
std::string alternatives(std::span<const std::string> items);

// The parts with the separator between them.
std::string joined(std::span<const std::string> parts, std::string_view separator);

// The candidate nearest to `name`: the fewest letters to change, insert, leave out or swap. The
// first of them on a tie, "" where there are no candidates.
std::string closest(std::string_view name, std::span<const std::string> candidates);

// The end of a message about an unknown name: "; did you mean X?" where some are near, else
// "; known are X, Y and Z.", or for many candidates "; the closest are X, Y and Z.".
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace vic
