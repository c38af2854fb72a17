// The files of assets/, as they were when the program was built.
#pragma once

#include <string_view>

namespace vic::resources {

extern const std::string_view half_cheetah;

}  // namespace vic::resources
