// Which program ran, and where.
#pragma once

#include <nlohmann/json.hpp>

namespace vic {

// Version, commit, compiler and flags of the program; processor and system of the host.
nlohmann::ordered_json build_json();

}  // namespace vic
