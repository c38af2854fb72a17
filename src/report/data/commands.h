// The commands that give the numbers of a page again.
#pragma once

#include <string>

#include "report/data/report_data.h"

namespace vic {

// A line of shell that trains the runs of a series again, all seeds: every setting that is not a
// default is in it.
std::string train_command(const WorldReport& world, const Series& series);

}  // namespace vic
