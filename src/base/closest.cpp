#include "base/closest.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/text.h"

namespace vic {
namespace {

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

}  // namespace

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
