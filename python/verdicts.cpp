// Verdicts for Python, on numbers measured there, decided like those of an experiment.
#include "core.h"
#include "experiment/verdict.h"

namespace vic::python {
namespace {

// the object of verdict.json
std::string verdict(const std::string& text, const std::string& measure, const std::string& versus,
                    const std::string& group, const std::string& algorithm,
                    std::optional<double> at_least, std::optional<double> at_most,
                    const BySeed& by_seed) {
  Claim claim;
  claim.text = text;
  claim.measure = measure;
  claim.versus = versus;
  if (!at_least && !at_most) fail_usage("This claim has no bound; give it at_least or at_most.");
  claim.at_least = at_least.value_or(claim.at_least);
  claim.at_most = at_most.value_or(claim.at_most);
  return verdicts_json({conclude(claim, group, algorithm, by_seed)})[0].dump();
}

}  // namespace

void add_verdicts(py::module_& module) {
  module.def("verdict", verdict);
}

}  // namespace vic::python
