// The known name that a mistyped one most likely meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vic {

// The candidate with the smallest edit distance to `name`; the first of them on a tie, "" of none.
std::string closest(std::string_view name, std::span<const std::string> candidates);

// The end of a message about an unknown name: "; did you mean X?" where a candidate is near, else
// "; known are X, Y and Z.", or of many "; the closest is X.".
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace vic
