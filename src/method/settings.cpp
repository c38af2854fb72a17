#include "method/settings.h"

#include <vector>

#include "base/closest.h"

namespace vic {

Algorithm parse_algorithm(const std::string& name) {
  if (name == "implicit") return Algorithm::implicit;
  if (name == "transition") return Algorithm::transition;
  if (name == "mixture") return Algorithm::mixture;
  if (name == "marginal") return Algorithm::marginal;
  if (name == "reward") return Algorithm::reward;
  const std::vector<std::string> known = {"implicit", "transition", "mixture", "marginal",
                                          "reward"};
  fail_usage("There is no algorithm '{}'{}", name, suggestion(name, known));
}

}  // namespace vic
