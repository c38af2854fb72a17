// The ranks of an MPI job. The only file that includes mpi.h.
#include <mpi.h>
#include <time.h>

#include <cstdlib>
#include <vector>

#include "base/ranks_module.h"

namespace {

int size_of_job() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

// where the parts of a list begin
std::vector<int> offsets_of(const int* sizes) {
  std::vector<int> offsets(static_cast<std::size_t>(size_of_job()), 0);
  for (std::size_t r = 1; r < offsets.size(); ++r) offsets[r] = offsets[r - 1] + sizes[r - 1];
  return offsets;
}

// MPI's own wait keeps a core busy and cannot be interrupted: poll instead, a little less often
// each time
bool wait(MPI_Request& request, RanksPoll poll, void* context) {
  constexpr long shortest = 5'000, longest = 500'000;  // ns
  constexpr int at_once = 200;                         // polls before the first pause
  long pause = shortest;
  for (int looks = 0;; ++looks) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return true;
    if (looks < at_once) continue;
    if (!poll(context)) return false;
    const timespec time{.tv_sec = 0, .tv_nsec = pause};
    nanosleep(&time, nullptr);
    pause = pause < longest ? pause + pause / 8 : longest;
  }
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] void vic_ranks_begin(int* rank, int* size) {
  int begun = 0;
  MPI_Initialized(&begun);
  // in half of the jobs of two ranks over TCP, Open MPI would look for messages only every ten
  // milliseconds: make it look at every call, unless the user has set this
  setenv("OMPI_MCA_mpi_event_tick_rate", "1", /*overwrite=*/0);
  // only the main thread communicates
  int provided = 0;
  if (begun == 0) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  *size = size_of_job();
}

[[gnu::visibility("default")]] bool vic_ranks_gather(const void* own, int size, void* all,
                                                     const int* sizes, RanksPoll poll,
                                                     void* context) {
  const std::vector<int> offsets = offsets_of(sizes);
  MPI_Request request;
  MPI_Iallgatherv(own, size, MPI_BYTE, all, sizes, offsets.data(), MPI_BYTE, MPI_COMM_WORLD,
                  &request);
  return wait(request, poll, context);
}

[[gnu::visibility("default")]] bool vic_ranks_exchange(const void* parts, const int* sizes,
                                                       void* came, const int* came_sizes,
                                                       RanksPoll poll, void* context) {
  const std::vector<int> from = offsets_of(sizes), to = offsets_of(came_sizes);
  MPI_Request request;
  MPI_Ialltoallv(parts, sizes, from.data(), MPI_BYTE, came, came_sizes, to.data(), MPI_BYTE,
                 MPI_COMM_WORLD, &request);
  return wait(request, poll, context);
}

[[gnu::visibility("default")]] bool vic_ranks_finish(RanksPoll poll, void* context) {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  if (!wait(request, poll, context)) return false;
  // at the very end: it waits for mpirun, which does not answer while it ends the job, and what the
  // program says before its end would be lost
  std::atexit([] { MPI_Finalize(); });
  return true;
}
}
