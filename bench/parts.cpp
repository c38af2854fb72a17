#include "bench/parts.h"

#include <algorithm>
#include <ctime>

namespace vic {

double own_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

void bias_policy(Learner& learner, float against_stop, float for_last_move) {
  Parameters<float>& parameters = learner.pi_p().model().parameters();
  const Slice& bias = parameters.layout.slice(parameters.layout.find("out.b"));
  const int A = learner.world().A;
  view(parameters.values, bias)(0, A) -= against_stop;
  view(parameters.values, bias)(0, A - 1) += for_last_move;
}

}  // namespace vic
