// vic bench --against PROGRAM: the time that users wait, compared with another build of the
// program.
//
// Both programs run the same commands in separate processes, alternately, because machines are
// shared: only the ratio counts.
#pragma once

#include <string>
#include <vector>

#include "base/stop.h"
#include "bench/parts.h"

namespace vic {

// A command, with "{}" in place of the folder of its run.
struct AgainstCase {
  std::string answer;  // what the user waits for
  std::vector<std::string> arguments;
};

// Trainings with their evaluations, and exact values: commands that all versions have.
const std::vector<AgainstCase>& against_cases();

struct ProgramTime {
  double processor = 0, wall = 0;  // seconds
};

// Medians over the rounds. A ratio is the other program's time divided by this one's.
struct AgainstRow {
  ProgramTime ours, theirs, ratio;
};

// Runs each program `rounds` times. Throws an Error if one of them fails.
AgainstRow measure_against(const AgainstCase& c, const std::string& ours, const std::string& theirs,
                           int rounds, const Progress& progress);

// Throws a UsageError if the file cannot be run.
void require_program(const std::string& program);

}  // namespace vic
