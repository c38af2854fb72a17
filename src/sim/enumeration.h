// All options of a simulated world, one for each sequence of actions, where these are few.
#pragma once

#include "sim/simulator.h"
#include "world/tabular.h"

namespace vic {

// Sequences of T actions, (L^F)^T, and all their beginnings, of no action to T of them; infinite
// where they are beyond all numbers.
double sequence_count(const SimulatorSpec& spec);
double history_count(const SimulatorSpec& spec);

// The levels (T, F) of sequence i: those of the last action change first.
std::vector<int> sequence_levels(const SimulatorSpec& spec, long i);

// Where each of them ends, (sequences). Of a deterministic world what sequences have in common is
// simulated once. Throws what Simulator::final_cells throws.
std::vector<std::vector<CellShare>> final_cells_of_all(const Simulator& simulator);

// The world as a table. Its states are the beginnings of the sequences, and the cells that end an
// option, as evaluations count them. Whoever lives in it sees its own actions and nothing else: of
// a deterministic world that is all there is to see, of another one it is what an agent knows that
// chooses in advance. Throws a UsageError where there are more sequences than `most`, and where the
// simulator does not know how its options end.
TabularWorld table_of(const Simulator& simulator, double most);

}  // namespace vic
