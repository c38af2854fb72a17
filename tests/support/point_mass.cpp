// A custom simulator, complete: a point mass in the plane, pushed along x and along y. It is
// registered here; no other file mentions it.
#include "sim/simulator.h"
#include "sim/world.h"

namespace vic {
namespace {

struct PointMassSettings {
  int T = 12;
  double push = 1;
  double bin = 0.5;

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T", T, Range{1, 1000}, "actions of every option");
    field("push", push, Range{0, 100}, "the largest force of an actuator");
    field("bin", bin, Range{1e-3, 1e3}, "width of a cell, in metres");
  }
};

SimulatorSpec spec_of(const std::string& name, const PointMassSettings& settings) {
  const std::vector<double> pushes = {-settings.push, 0, settings.push};
  const Bins bins{.width = settings.bin};
  return {.name = name,
          .state_names = {"x", "y", "v(x)", "v(y)"},
          .start = {0, 0, 0, 0},
          .actuators = {{"push x", pushes}, {"push y", pushes}},
          .T = settings.T,
          .seconds = 0.2,
          .deterministic = true,
          .coordinates = {{.name = "x", .unit = "m", .bins = bins, .limit = 30, .number = 0},
                          {.name = "y", .unit = "m", .bins = bins, .limit = 30, .number = 1}}};
}

class PointMass : public StepSimulator {
 public:
  PointMass(const std::string& name, const PointMassSettings& settings)
      : StepSimulator(spec_of(name, settings)) {}

  void step(std::span<double> state, std::span<const double> controls,
            const RandomAddress&) const override {
    constexpr double friction = 0.3;
    const double h = spec().seconds;
    for (std::size_t axis : {0U, 1U}) {
      double &x = state[axis], &v = state[2 + axis];
      v += h * (controls[axis] - friction * v);
      x += h * v;
    }
  }
};

SimulatorPtr make_point_mass(const std::string& name, const PointMassSettings& settings) {
  return std::make_shared<const PointMass>(name, settings);
}

[[maybe_unused]] const bool registered = register_simulators(one_simulator<PointMassSettings>(
    {.name = "point-mass", .figure = "-", .summary = "a point mass in the plane"},
    make_point_mass));

}  // namespace
}  // namespace vic
