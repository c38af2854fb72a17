// The folder of files that come with the program: experiments, examples, the peers of benchmarks.
#pragma once

#include <filesystem>

namespace vic {

// PREFIX/share/vic of an installed executable PREFIX/bin/vic, wherever its tree has been moved to;
// the source tree of one that was only built. Links to the executable are followed.
std::filesystem::path data_folder();

// The same for any executable; the source tree where it has no share/vic beside it.
std::filesystem::path data_folder_of(const std::filesystem::path& executable);

}  // namespace vic
