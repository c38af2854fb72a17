// A readable record of one option in a world, for people and for golden tests.
#pragma once

#include <cstdint>
#include <string>

#include "world/tabular.h"

namespace vic {

// The picture with the agent's start, what it does until termination is the only action left, and
// the picture with its path. Every action is drawn uniformly from the moves, by the seed.
std::string playthrough(const TabularWorld& world, std::uint64_t seed);

// The picture as text with '@' where the state is and '*' on the states of `path`. Lines end in
// '\n'.
std::string draw(const TabularWorld& world, int state, const std::vector<int>& path);

}  // namespace vic
