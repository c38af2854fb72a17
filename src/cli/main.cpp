// The process: its arguments, its signals, its exit code.
#include <fcntl.h>

#include <csignal>

#include "cli/program.h"

int main(int argc, char** argv) {
  // standard files that are closed: the next file to be opened would get their numbers, and what is
  // printed would go into it
  for (int file = 0; file <= 2; ++file) {
    if (::fcntl(file, F_GETFD) == -1) ::open("/dev/null", O_RDWR);
  }
  // a file that grows beyond the user's limit is an error of the write, with a sentence
  std::signal(SIGXFSZ, SIG_IGN);
  return vic::run_program({argv + 1, argv + argc}, vic::standard_console());
}
