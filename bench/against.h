// vic bench --against PROGRAM: what users wait for, beside another build of the program.
//
// Both programs run the same commands as processes of their own, in turn, because machines are
// shared: the ratio is the message.
#pragma once

#include <string>
#include <vector>

#include "base/stop.h"
#include "bench/parts.h"

namespace vic {

// A command, with "{}" where the folder of its run is to stand.
struct AgainstCase {
  std::string answer;  // what the user waits for
  std::vector<std::string> arguments;
};

// Trainings with their evaluations, and exact values: commands that all versions know.
const std::vector<AgainstCase>& against_cases();

struct ProgramTime {
  double processor = 0, wall = 0;  // seconds
};

// Medians over the rounds. A ratio is the other program's time by that of this one.
struct AgainstRow {
  ProgramTime ours, theirs, ratio;
};

// Runs each program `rounds` times. Throws an Error where one of them fails.
AgainstRow measure_against(const AgainstCase& c, const std::string& ours, const std::string& theirs,
                           int rounds, const Progress& progress);

// Throws a UsageError where the file cannot be run.
void require_program(const std::string& program);

}  // namespace vic
