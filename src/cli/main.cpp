// The process: its arguments, its signals, its exit code.
#include <fcntl.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>

#include "cli/program.h"

int main(int argc, char** argv) {
  // closed standard files: the next file opened would get their numbers, and receive what is
  // printed
  for (int file = 0; file <= 2; ++file) {
    if (::fcntl(file, F_GETFD) == -1) ::open("/dev/null", O_RDWR);
  }
  // a smaller stack would crash anywhere, without a message
  constexpr rlim_t least_stack = 128 << 10;
  rlimit stack = {};
  if (::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < least_stack) {
    std::fprintf(stderr, "vic: The stack is limited to %lu KiB; ulimit -s %lu is the least.\n",
                 stack.rlim_cur >> 10, least_stack >> 10);
    return vic::exit_failed;
  }
  // a file beyond the user's limit is then a write error, reported in a sentence
  std::signal(SIGXFSZ, SIG_IGN);
  return vic::run_program({argv + 1, argv + argc}, vic::standard_console());
}
