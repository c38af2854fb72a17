// The list of runs that vic runs and vic submit --status show.
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "report/data/run_list.h"

namespace vic {

// All runs in the folders and below, and those that were submitted and have not begun. Warns of
// folders that cannot be read.
std::vector<RunStatus> list_runs(const std::vector<std::string>& folders, const Console& console);

// As a table, by world and algorithm.
void print_runs(const std::vector<RunStatus>& runs, const Console& console);

// As a document.
Json runs_json(const std::vector<RunStatus>& runs);

}  // namespace vic
