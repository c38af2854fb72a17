#include "sim/condition.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/error.h"
#include "base/text.h"

namespace vic {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == text.npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1));
}

// the parts of a text between the marks, without those that are empty
std::vector<std::string> parts_of(const std::string& text, char mark) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(mark, begin), text.size());
    parts.push_back(trimmed(std::string_view(text).substr(begin, end - begin)));
    if (parts.back().empty()) parts.pop_back();
    begin = end + 1;
  }
  return parts;
}

}  // namespace

std::vector<Condition> parse_conditions(std::string_view setting, const std::string& text) {
  std::vector<Condition> conditions;
  for (const std::string& part : parts_of(text, ',')) {
    const std::size_t sign = part.find_first_of("<>");
    const std::string bound = sign == part.npos ? "" : trimmed(part.substr(sign + 1));
    char* rest = nullptr;
    const double number = std::strtod(bound.c_str(), &rest);
    const std::string word = trimmed(part.substr(0, sign));
    if (word.empty() || bound.empty() || *rest != '\0' || !std::isfinite(number)) {
      fail_usage("{} has '{}', which is no condition; write a name, < or >, and a number: z > 0.7.",
                 setting, shown(part));
    }
    conditions.push_back({word, part[sign] == '>', number});
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
  for (const std::string& part : parts_of(text, ';')) {
    const std::size_t colon = std::min(part.find(':'), part.size());
    NamedConditions& one = list.emplace_back();
    one.name = trimmed(part.substr(0, colon));
    if (colon < part.size()) one.conditions = parse_conditions(setting, part.substr(colon + 1));
    if (one.name.empty() || one.conditions.empty()) {
      fail_usage("{} has '{}', which is no name with conditions; write jumps: height > 1.", setting,
                 shown(part));
    }
  }
  return list;
}

}  // namespace vic
