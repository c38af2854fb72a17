// The experiments that come with the program: the figures of the paper, and more.
#pragma once

#include <string>
#include <vector>

namespace vic {

// Their names, sorted.
std::vector<std::string> shipped_experiments();

// The file of an experiment: a shipped one is found by its name; a path that ends in .toml is the
// user's own and is returned as it is. Throws a UsageError that suggests the closest name.
std::string experiment_file(const std::string& name);

}  // namespace vic
