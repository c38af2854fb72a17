// Conditions on named numbers, as written in settings: "z > 0.7, up > 0".
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace vic {

struct Condition {
  std::string word;   // the name of the number
  bool above = true;  // it must be greater than the bound, or else less
  double bound = 0;

  bool holds(double number) const { return above ? number > bound : number < bound; }
};

// The conditions of a text, with commas between them. Throws a UsageError that names the setting.
std::vector<Condition> parse_conditions(std::string_view setting, const std::string& text);

// A name for whatever meets all of its conditions.
struct NamedConditions {
  std::string name;
  std::vector<Condition> conditions;

  bool hold(const std::function<double(const std::string& word)>& number_of) const;
};

// "jumps: height > 1; left: y > 1, up > 0". The first that holds counts. Throws a UsageError.
std::vector<NamedConditions> parse_named_conditions(std::string_view setting,
                                                    const std::string& text);

}  // namespace vic
