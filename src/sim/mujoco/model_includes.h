// Models in several files: MuJoCo's <include> elements are replaced by their contents, so that a
// run keeps one file.
#pragma once

#include <cstddef>
#include <string>

namespace vic {

// The text of a model file with the elements of every file that it includes, of at most `largest`
// bytes in total. Opens nothing outside the model's folder. Throws a UsageError.
std::string read_with_includes(const std::string& path, std::size_t largest);

}  // namespace vic
