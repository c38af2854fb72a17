// Finding run folders.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace vic {

// The run folders at a path and below it, in natural order of their names; none if there is
// nothing. Calls `unreadable` with a sentence for every folder that cannot be read.
std::vector<std::string> run_folders_below(
    const std::string& path, const std::function<void(const std::string&)>& unreadable);

// The run folders among `paths` and below them, each once. Throws a UsageError for a path that has
// none, and for a folder that cannot be read.
std::vector<std::string> find_run_folders(const std::vector<std::string>& paths);

}  // namespace vic
