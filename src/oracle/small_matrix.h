// Linear algebra of a few final states, in double or long double.
#pragma once

#include <algorithm>
#include <cmath>

namespace vic {

// Solves M X = B in place of B by elimination with pivots; M is (n, n), B is (n, columns).
template <class Real>
void solve_linear(Real* M, Real* B, int n, int columns) {
  for (int j = 0; j < n; ++j) {
    int pivot = j;
    for (int i = j + 1; i < n; ++i) {
      if (std::abs(M[i * n + j]) > std::abs(M[pivot * n + j])) pivot = i;
    }
    if (pivot != j) {
      std::swap_ranges(&M[j * n + j], &M[j * n] + n, &M[pivot * n + j]);
      std::swap_ranges(&B[j * columns], &B[j * columns] + columns, &B[pivot * columns]);
    }
    const Real inverse = 1 / M[j * n + j];
    for (int c = j; c < n; ++c) M[j * n + c] *= inverse;
    for (int c = 0; c < columns; ++c) B[j * columns + c] *= inverse;
    for (int i = 0; i < n; ++i) {
      const Real factor = M[i * n + j];
      if (i == j || factor == 0) continue;
      for (int c = j; c < n; ++c) M[i * n + c] -= factor * M[j * n + c];
      for (int c = 0; c < columns; ++c) B[i * columns + c] -= factor * B[j * columns + c];
    }
  }
}

// x' Psi y, where Psi = diag(1 / b) - 1 1' is the second derivative at b of
// phi(m) = sum_f m log(m / sum m).
template <class Real>
Real curvature(const Real* x, const Real* y, const Real* b, int n) {
  Real sum = 0, sum_x = 0, sum_y = 0;
  for (int f = 0; f < n; ++f) sum += x[f] * y[f] / b[f], sum_x += x[f], sum_y += y[f];
  return sum - sum_x * sum_y;
}

}  // namespace vic
