// A point mass on a line that is pushed, and disturbed by Gaussian noise: a simulated world whose
// exact values have closed forms. With h the time of an action and independent standard normal w, z
//
//   v' = v + h (u - friction v) + noise w
//   x' = x + h v' + drift z
//
// so that (x, v) after T actions is a linear map of the controls plus Gaussian noise.
#pragma once

#include <array>

#include "sim/world.h"

namespace vic {

struct NoisyMassSettings {
  int T = 5;
  int levels = 3;
  double push = 1;
  double friction = 0.5;
  double noise = 0.1;
  double drift = 0.05;
  double bin = 0.25;

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T", T, Range{1, 1000}, "actions of every option, of a quarter of a second each");
    field("levels", levels, Range{2, 1000}, "levels of the force, evenly from -push to push");
    field("push", push, Range{1e-6, 1e6}, "the largest acceleration, in m/s^2");
    field("friction", friction, Range{0, 1}, "the share of the speed that is lost per second");
    field("noise", noise, Range{1e-3, 1e3},
          "standard deviation of the noise in the speed per action, in m/s");
    field("drift", drift, Range{1e-3, 1e3}, "and to the place, in m");
    field("bin", bin, Range{1e-3, 1e3}, "width of a cell, in m and in m/s");
  }
};

class NoisyMass : public StepSimulator {
 public:
  NoisyMass(const std::string& name, const NoisyMassSettings& settings);

  void step(std::span<double> state, std::span<const double> controls,
            const RandomAddress& noise) const override;

  // The masses of a normal distribution, by quadrature.
  std::vector<CellShare> final_cells(std::span<const int> levels) const override;

  // By water-filling over the singular values of the map from controls to (x, v).
  std::optional<double> power_capacity() const override;

 private:
  // (x, v) at the end, per unit of speed that action t adds
  std::array<double, 2> response(int t) const;

  NoisyMassSettings settings_;
  double xx_ = 0, xv_ = 0, vv_ = 0;  // the covariance of (x, v) at the end, given the controls
};

SimulatorFamily noisy_mass_family();

}  // namespace vic
