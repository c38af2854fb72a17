// Independent tasks on a few threads.
#pragma once

#include <functional>
#include <span>

namespace vic {

// Runs all tasks and returns when they are done; threads only decide who does which. The caller is
// one of the threads. If tasks throw, the exception of the first of them in the list is thrown.
void run_tasks(std::span<const std::function<void()>> tasks, int threads);

// `wanted` threads, or one for each core where that is 0.
int thread_count(int wanted);

}  // namespace vic
