// Where run folders are.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace vic {

// The run folders at a path and below it, numbers in their names in the order of numbers; none
// where nothing is there. Calls `unreadable` with a sentence for every folder that cannot be read.
std::vector<std::string> run_folders_below(
    const std::string& path, const std::function<void(const std::string&)>& unreadable);

// The run folders among `paths` and below them, without doubles. Throws a UsageError for a path in
// which there is none, and for a folder that cannot be read.
std::vector<std::string> find_run_folders(const std::vector<std::string>& paths);

}  // namespace vic
