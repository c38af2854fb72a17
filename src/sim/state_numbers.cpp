#include "sim/state_numbers.h"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "base/text.h"

namespace vic {

std::vector<int> numbers_named(const SimulatorSpec& spec, std::string_view setting,
                               const std::string& words) {
  std::vector<int> all(spec.state_names.size()), named;
  std::iota(all.begin(), all.end(), 0);
  if (words == "all") return all;
  int left_out = 0;
  std::istringstream list(words);
  for (std::string word; list >> word;) {
    const bool without = word.front() == '-';
    const std::string name = without ? word.substr(1) : word;
    const auto found = std::ranges::find(spec.state_names, name);
    if (found == spec.state_names.end()) {
      fail_usage("{} names {}, which is no number of {}{}", setting, shown(name), spec.name,
                 suggestion(name, spec.state_names));
    }
    const int number = static_cast<int>(found - spec.state_names.begin());
    if (without) {
      std::erase(all, number);
      ++left_out;
    } else {
      named.push_back(number);
    }
  }
  if (left_out > 0 && !named.empty()) {
    fail_usage("{} = {} has names with and without a hyphen; it takes the one or the other.",
               setting, shown(words));
  }
  if (left_out > 0) named = all;
  if (named.empty()) fail_usage("{} = {} leaves no number of a state.", setting, shown(words));
  return named;
}

}  // namespace vic
