// What the page's form asks to be trained, checked and made into arguments of the program.
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

// From {"world", "algorithm", "seed", "updates", "settings", "name"}, texts all of them: the
// world's name or file, what its command line takes, a line "key=value" for each further setting,
// and the name of the run's folder in `root`; all but the world may be empty. Whether values are in
// range the program itself decides. Throws a UsageError that names the field.
StartRequest read_start_request(const Json& form, const std::string& root);

// What the form offers: {"worlds": […], "algorithms": […]}.
Json start_choices();

}  // namespace vic
