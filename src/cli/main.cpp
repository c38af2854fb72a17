// The process: its arguments, its signals, its exit code.
#include <csignal>

#include "cli/program.h"

int main(int argc, char** argv) {
  // a file that grows beyond the user's limit is an error of the write, with a sentence
  std::signal(SIGXFSZ, SIG_IGN);
  return vic::run_program({argv + 1, argv + argc}, vic::standard_console());
}
