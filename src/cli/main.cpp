#include "cli/program.h"

int main(int argc, char** argv) {
  return vic::run_program({argv + 1, argv + argc}, vic::standard_console());
}
