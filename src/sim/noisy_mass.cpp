#include "sim/noisy_mass.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "info/water_filling.h"

namespace vic {
namespace {

constexpr double h = 0.25;  // seconds of an action

SimulatorSpec spec_of(const std::string& name, const NoisyMassSettings& settings) {
  std::vector<double> pushes;
  for (int level = 0; level < settings.levels; ++level) {
    pushes.push_back(settings.push * (2.0 * level / (settings.levels - 1) - 1));
  }
  const Bins bins{.width = settings.bin};
  return {.name = name,
          .state_names = {"x", "v"},
          .start = {0, 0},
          .actuators = {{"push", pushes}},
          .T = settings.T,
          .seconds = h,
          .deterministic = false,
          .coordinates = {{.name = "x", .unit = "m", .bins = bins, .limit = 40, .number = 0},
                          {.name = "v", .unit = "m/s", .bins = bins, .limit = 40, .number = 1}}};
}

// the mass of a standard normal distribution between two points, with full relative precision: by
// the tail that contains both
double normal_mass(double low, double high) {
  constexpr double root = std::numbers::sqrt2;
  return low > 0 ? (std::erfc(low / root) - std::erfc(high / root)) / 2
                 : (std::erfc(-high / root) - std::erfc(-low / root)) / 2;
}

// the nodes and weights of Gauss and Legendre on [-1, 1], eight points
constexpr std::array<std::array<double, 2>, 4> legendre = {
    {{0.1834346424956498, 0.3626837833783620},
     {0.5255324099163290, 0.3137066458778873},
     {0.7966664774136267, 0.2223810344533745},
     {0.9602898564975363, 0.1012285362903763}}};

// the integral of f over [low, high] in pieces of at most this length
template <class F>
double integral(double low, double high, double piece, F&& f) {
  const int pieces = std::max(1, static_cast<int>(std::ceil((high - low) / piece)));
  const double half = (high - low) / pieces / 2;
  double sum = 0;
  for (int i = 0; i < pieces; ++i) {
    const double middle = low + (2 * i + 1) * half;
    for (const auto& [node, weight] : legendre) {
      sum += weight * half * (f(middle - node * half) + f(middle + node * half));
    }
  }
  return sum;
}

SimulatorPtr make_noisy_mass(const std::string& name, const NoisyMassSettings& settings) {
  return std::make_shared<const NoisyMass>(name, settings);
}

}  // namespace

NoisyMass::NoisyMass(const std::string& name, const NoisyMassSettings& settings)
    : StepSimulator(spec_of(name, settings)), settings_(settings) {
  const double noise = settings.noise * settings.noise, drift = settings.drift * settings.drift;
  for (int t = 0; t < settings.T; ++t) {
    const auto [x, v] = response(t);
    xx_ += noise * x * x + drift;
    xv_ += noise * x * v;
    vv_ += noise * v * v;
  }
}

void NoisyMass::step(std::span<double> state, std::span<const double> controls,
                     const RandomAddress& noise) const {
  RandomAddress other = noise;
  ++other.draw;
  double &x = state[0], &v = state[1];
  v += h * (controls[0] - settings_.friction * v) + settings_.noise * normal(noise);
  x += h * v + settings_.drift * normal(other);
}

std::array<double, 2> NoisyMass::response(int t) const {
  const double keeps = 1 - h * settings_.friction;
  double x = 0, v = 1;
  for (int i = t; i < settings_.T; ++i) {
    if (i > t) v *= keeps;
    x += h * v;
  }
  return {x, v};
}

std::vector<CellShare> NoisyMass::final_cells(std::span<const int> levels) const {
  double mean_x = 0, mean_v = 0;
  for (int t = 0; t < settings_.T; ++t) {
    const auto [x, v] = response(t);
    const double speed = h * spec().actuators[0].controls[levels[t]];
    mean_x += speed * x;
    mean_v += speed * v;
  }
  // x, and v given x
  constexpr double far = 8.5;  // deviations: the mass beyond is less than 1e-16
  const double width = settings_.bin, dx = std::sqrt(xx_), slope = xv_ / xx_;
  const double dv = std::sqrt(vv_ - xv_ * xv_ / xx_), all_v = std::sqrt(vv_);
  const auto cell = [&](double x) { return static_cast<int>(std::round(x / width)); };
  std::vector<CellShare> shares;
  double sum = 0;
  for (int i = cell(mean_x - far * dx); i <= cell(mean_x + far * dx); ++i) {
    for (int k = cell(mean_v - far * all_v); k <= cell(mean_v + far * all_v); ++k) {
      const double p = integral((i - 0.5) * width, (i + 0.5) * width, dx, [&](double x) {
        const double z = (x - mean_x) / dx, centre = mean_v + slope * (x - mean_x);
        const double density = std::exp(-z * z / 2) / (dx * std::sqrt(2 * std::numbers::pi));
        return density *
               normal_mass(((k - 0.5) * width - centre) / dv, ((k + 0.5) * width - centre) / dv);
      });
      constexpr double least = 1e-14;
      if (p < least) continue;
      shares.push_back({{i, k}, p});
      sum += p;
    }
  }
  for (CellShare& share : shares) share.p /= sum;
  return shares;
}

std::optional<double> NoisyMass::power_capacity() const {
  // the noise made white by its Cholesky factor: the map becomes M, and M M^T is 2 by 2
  const double a = std::sqrt(xx_), b = xv_ / a, c = std::sqrt(vv_ - b * b);
  double pp = 0, pq = 0, qq = 0;
  for (int t = 0; t < settings_.T; ++t) {
    const auto [x, v] = response(t);
    const double p = h * x / a, q = (h * v - b * p) / c;
    pp += p * p;
    pq += p * q;
    qq += q * q;
  }
  const double middle = (pp + qq) / 2, apart = std::hypot((pp - qq) / 2, pq);
  const std::array<double, 2> gains = {std::sqrt(middle + apart),
                                       std::sqrt(std::max(0.0, middle - apart))};
  return water_filling(gains, settings_.T * settings_.push * settings_.push).capacity;
}

SimulatorFamily noisy_mass_family() {
  return one_simulator<NoisyMassSettings>(
      {.name = "noisy-mass",
       .figure = "-",
       .summary = "a point mass in Gaussian noise, whose capacity is known in closed form"},
      make_noisy_mass);
}

}  // namespace vic
