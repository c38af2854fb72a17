#include "nn/adam.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "nn/eigen.h"

namespace vic {

template <class Real>
AdamState<Real> make_adam_state(Index size) {
  const auto length = static_cast<std::size_t>(size);
  return {.mean = Block<Real>(length, Real{0}), .square = Block<Real>(length, Real{0}), .steps = 0};
}

template <class Real>
void adam_step(Block<Real>& values, AdamState<Real>& state, const Block<Real>& gradients,
               const AdamSettings& settings) {
  const std::size_t size = values.size();
  if (gradients.size() != size || state.mean.size() != size || state.square.size() != size) {
    throw Error(fmt::format("Adam for {} parameters met {} gradients and {} moments", size,
                            gradients.size(), state.mean.size()));
  }
  // the moments begin at 0: divide that bias out of both
  ++state.steps;
  const auto t = static_cast<double>(state.steps);
  const double scale_1 = 1 / (1 - std::pow(settings.beta_1, t));
  const double scale_2 = 1 / (1 - std::pow(settings.beta_2, t));
  const auto beta_1 = static_cast<Real>(settings.beta_1);
  const auto beta_2 = static_cast<Real>(settings.beta_2);
  const auto step = static_cast<Real>(settings.learning_rate * scale_1);
  const auto root_scale = static_cast<Real>(std::sqrt(scale_2));
  const auto epsilon = static_cast<Real>(settings.epsilon);

  // blocks of 16 numbers stay in registers and leave no rest to a block made from a layout
  using Sixteen = Eigen::Array<Real, 16, 1>;
  const auto update = [&](auto x, auto m, auto v, const auto& g) {
    m = beta_1 * m + (1 - beta_1) * g;
    v = beta_2 * v + (1 - beta_2) * g.square();
    x -= step * m / (root_scale * v.sqrt() + epsilon);
  };
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    update(Eigen::Map<Sixteen>(values.data() + i), Eigen::Map<Sixteen>(state.mean.data() + i),
           Eigen::Map<Sixteen>(state.square.data() + i),
           Eigen::Map<const Sixteen>(gradients.data() + i));
  }
  using One = Eigen::Array<Real, 1, 1>;
  for (; i < size; ++i) {
    update(Eigen::Map<One>(values.data() + i), Eigen::Map<One>(state.mean.data() + i),
           Eigen::Map<One>(state.square.data() + i), Eigen::Map<const One>(gradients.data() + i));
  }
}

template AdamState<float> make_adam_state(Index);
template AdamState<double> make_adam_state(Index);
template void adam_step(Block<float>&, AdamState<float>&, const Block<float>&, const AdamSettings&);
template void adam_step(Block<double>&, AdamState<double>&, const Block<double>&,
                        const AdamSettings&);

}  // namespace vic
