#include "nn/noise.h"

#include <fmt/core.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "base/error.h"
#include "nn/lanes.h"

namespace vic {

template <class Real>
void sample_noise(Noise<Real>& noise, const NoiseShape& shape, RandomAddress address) {
  const Index S = round_up(shape.points, width_step);
  noise.z.reshape(shape.d, S);
  noise.weight.reshape(1, S);
  std::fill_n(noise.weight.row(0), S, 1 / static_cast<Real>(S));
  Real* z = noise.z.row(0);
  for (Index i = 0; i < shape.d * S; ++i) {
    address.draw = static_cast<std::uint32_t>(i);
    z[i] = static_cast<Real>(normal(address));
  }
}

template <class Real>
void gauss_hermite_noise(Noise<Real>& noise, Index nodes, Index d) {
  Index count = 1;
  for (Index j = 0; j < d && count <= 4096; ++j) count *= nodes;
  if (nodes < 1 || d < 1 || count > 4096) {
    throw Error(fmt::format("a quadrature of {} nodes in {} dimensions", nodes, d));
  }
  // nodes and weights are the eigenvalues and squared first components of the Jacobi matrix of the
  // Hermite polynomials, whose off-diagonal is sqrt(1), sqrt(2), ... (Golub and Welsch)
  const Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(nodes);
  const Eigen::VectorXd beside =
      Eigen::VectorXd::LinSpaced(nodes - 1, 1, static_cast<double>(nodes - 1)).cwiseSqrt();
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside);

  // the grid of all combinations, node of the first coordinate fastest
  const Index S = round_up(count, width_step);
  noise.z.reshape(d, S);
  noise.weight.reshape(1, S);
  noise.z.view().set_zero();
  noise.weight.view().set_zero();
  for (Index s = 0; s < count; ++s) {
    double weight = 1;
    for (Index j = 0, rest = s; j < d; ++j, rest /= nodes) {
      const Index i = rest % nodes;
      const double first = solver.eigenvectors()(0, i);
      noise.z.row(j)[s] = static_cast<Real>(solver.eigenvalues()(i));
      weight *= first * first;
    }
    noise.weight.row(0)[s] = static_cast<Real>(weight);
  }
}

template decltype(sample_noise<float>) sample_noise<float>;
template decltype(sample_noise<double>) sample_noise<double>;
template decltype(gauss_hermite_noise<float>) gauss_hermite_noise<float>;
template decltype(gauss_hermite_noise<double>) gauss_hermite_noise<double>;

}  // namespace vic
