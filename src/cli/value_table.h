// Values for people: a line for each, with its name and what it means.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace vic {

struct ValueTable {
  std::ostream& out;
  int width;  // characters of the longest name

  void row(std::string_view name, const std::string& value, const std::string& meaning) const;
};

// The number with so many digits after the point, "-" where it is not known.
std::string number_text(const std::optional<double>& number, int digits = 6);

}  // namespace vic
