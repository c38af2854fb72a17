#include "method/actor.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vic {
namespace {

std::vector<int> counted(int count) {
  std::vector<int> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

}  // namespace

void temper(std::span<double> p, double temperature) {
  if (temperature == 0) {
    const auto largest = std::max_element(p.begin(), p.end());
    std::fill(p.begin(), p.end(), 0);
    *largest = 1;
    return;
  }
  double sum = 0;
  // of the largest, so that not all vanish at a low temperature
  const double largest = temperature == 1 ? 1 : *std::max_element(p.begin(), p.end());
  for (double& x : p) sum += x = temperature == 1 ? x : std::pow(x / largest, 1 / temperature);
  for (double& x : p) x /= sum;
}

MatrixView<const float> Actor::say(const Tree& tree, int t, const Inputs<float>& inputs,
                                   const Queries& queries, int first_row) const {
  policy.model().encode_level(tree, t, inputs);
  if (corrected == nullptr) return policy.more_probabilities(queries, first_row);
  corrected->model().encode_level(tree, t, inputs);
  const MatrixView<const float> other = corrected->model().answer_more(queries, first_row);
  return policy.more_probabilities(queries, first_row, {other, counted(queries.size())});
}

void Actor::kept_log_p(std::vector<float>& log_p, const Queries& queries, const Outcomes& outcomes,
                       const Asked& asked) const {
  if (corrected == nullptr) return policy.kept_log_p(log_p, outcomes);
  policy.log_p(log_p, queries, outcomes, asked,
               {corrected->model().answers(), counted(queries.size())});
}

}  // namespace vic
