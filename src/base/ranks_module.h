// The interface between the program and its MPI module (src/ranks). The module is a separate
// library, loaded where mpirun has started several processes, so that only such jobs need MPI.
#pragma once

// Called while a rank waits for others; false gives up.
using RanksPoll = bool (*)(void* context);

// The functions of the module, looked up by name. Those that wait return false where the poll has
// given up. Sizes are in bytes.
extern "C" {
void vic_ranks_begin(int* rank, int* size);
bool vic_ranks_gather(const void* own, int size, void* all, const int* sizes, RanksPoll poll,
                      void* context);
bool vic_ranks_exchange(const void* parts, const int* sizes, void* came, const int* came_sizes,
                        RanksPoll poll, void* context);
bool vic_ranks_finish(RanksPoll poll, void* context);
}
