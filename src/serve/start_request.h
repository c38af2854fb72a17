// The page's form for a new training, checked and turned into arguments of the program.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace vic {

// A training to be started.
struct StartRequest {
  std::string folder;                  // of the new run
  std::vector<std::string> arguments;  // of the program: train, …
};

// Reads {"world", "algorithm", "seed", "updates", "settings", "name"}, all of them texts: the
// world's name or file, options of the command line, a line "key=value" for each further setting,
// and the name of the run's folder in `root`; all but the world may be empty. The program itself
// checks the ranges of values. Throws a UsageError that names the field.
StartRequest read_start_request(const Json& form, const std::string& root);

// The choices in the form: {"worlds": […], "algorithms": […]}.
Json start_choices();

}  // namespace vic
