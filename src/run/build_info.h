// The program that ran, and its host.
#pragma once

#include <string>

#include "base/json.h"

namespace vic {

// Version, commit, compiler and flags of the program; processor and system of the host.
Json build_json();

// How the program differs from that of a build.json, as "the commit was a and is b"; "" if it does
// not. The machine does not count.
std::string build_difference(const std::string& text);

}  // namespace vic
