#include "sim/condition.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace vic {
namespace {

// the items between the separators, without blanks; empty ones are left out
std::vector<std::string> items_of(const std::string& text, char separator) {
  std::vector<std::string> items;
  for (const std::string& part : split(text, separator)) {
    if (!trimmed(part).empty()) items.emplace_back(trimmed(part));
  }
  return items;
}

}  // namespace

std::vector<Condition> parse_conditions(std::string_view setting, const std::string& text) {
  std::vector<Condition> conditions;
  for (const std::string& part : items_of(text, ',')) {
    const std::size_t sign = part.find_first_of("<>");
    const std::string_view whole(part);
    const std::string word(trimmed(whole.substr(0, sign)));
    const auto bound =
        sign == part.npos ? std::nullopt : number_in(std::string(trimmed(whole.substr(sign + 1))));
    if (word.empty() || !bound) {
      fail_usage("{} has '{}', which is no condition; write a name, < or >, and a number: z > 0.7.",
                 setting, shown(part));
    }
    conditions.push_back({word, part[sign] == '>', *bound});
  }
  return conditions;
}

bool NamedConditions::hold(const std::function<double(const std::string& word)>& number_of) const {
  return std::ranges::all_of(conditions,
                             [&](const Condition& one) { return one.holds(number_of(one.word)); });
}

std::vector<NamedConditions> parse_named_conditions(std::string_view setting,
                                                    const std::string& text) {
  std::vector<NamedConditions> list;
  for (const std::string& part : items_of(text, ';')) {
    const std::size_t colon = std::min(part.find(':'), part.size());
    NamedConditions& one = list.emplace_back();
    one.name = trimmed(std::string_view(part).substr(0, colon));
    if (colon < part.size()) one.conditions = parse_conditions(setting, part.substr(colon + 1));
    if (one.name.empty() || one.conditions.empty()) {
      fail_usage("{} has '{}', which is no name with conditions; write jumps: height > 1.", setting,
                 shown(part));
    }
  }
  return list;
}

}  // namespace vic
