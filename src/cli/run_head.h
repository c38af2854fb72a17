// How a run is named at the head of what commands show of it.
#pragma once

#include <string>

#include "eval/record.h"
#include "run/run_folder.h"

namespace vic {

// "line-noisy, implicit, seed 1".
std::string run_title(const Run& run);

// The same as a document: world, algorithm, seed.
Json run_json(const Run& run);

}  // namespace vic
