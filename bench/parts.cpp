#include "bench/parts.h"

#include <algorithm>

namespace vic {

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

void bias_policy(Learner& learner, float against_stop, float for_last_move) {
  Parameters<float>& parameters = learner.agent().models.front().model.net().parameters();
  const Slice& bias = parameters.layout.slice(parameters.layout.find("out.b"));
  const int A = learner.agent().table().A;
  view(parameters.values, bias)(0, A) -= against_stop;
  view(parameters.values, bias)(0, A - 1) += for_last_move;
}

}  // namespace vic
