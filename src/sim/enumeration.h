// All options of a simulated world, one for each sequence of actions, where these are few.
#pragma once

#include "sim/simulator.h"
#include "world/tabular.h"

namespace vic {

// The number of sequences of T actions, (L^F)^T, and of all their prefixes, of 0 to T actions;
// infinite where a double overflows.
double sequence_count(const SimulatorSpec& spec);
double history_count(const SimulatorSpec& spec);

// The levels (T, F) of sequence i; those of the last action change fastest.
std::vector<int> sequence_levels(const SimulatorSpec& spec, long i);

// Where each sequence ends, (sequences). In a deterministic world shared prefixes are simulated
// once. Throws what Simulator::final_cells throws.
std::vector<std::vector<CellShare>> final_cells_of_all(const Simulator& simulator);

// The world as a table. Its states are the prefixes of the sequences, and the cells that end an
// option, by the bins of evaluations. An agent in it observes its own actions and nothing else: in
// a deterministic world these determine the state, in any other it chooses its actions in advance.
// Throws a UsageError where there are more sequences than `most`, and where the simulator cannot
// compute how its options end.
TabularWorld table_of(const Simulator& simulator, double most);

}  // namespace vic
