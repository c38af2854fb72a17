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
  if (name == "explicit" || name == "diayn") return Algorithm::labels;
  if (name == "open-loop") return Algorithm::open_loop;
  const std::vector<std::string> known = {"implicit", "transition", "mixture", "marginal",
                                          "reward",   "explicit",   "diayn",   "open-loop"};
  fail_usage("There is no algorithm '{}'{}", name, suggestion(name, known));
}

}  // namespace vic
