// The program run in the test's own process: its output, and its exit code.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/program.h"

namespace vic {

struct Result {
  int code = 0;
  std::string out, err;
};

inline Result run(const std::vector<std::string>& args) {
  std::ostringstream out, err;
  const int code = run_program(args, {.out = out, .err = err});
  return {code, out.str(), err.str()};
}

}  // namespace vic
