#include "sim/coordinate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/simulator.h"

namespace vic {
namespace {

// the number as an int: a simulation about to explode may be anywhere
int whole(double number) {
  constexpr double far = 1e9;
  return static_cast<int>(std::clamp(number, -far, far));
}

}  // namespace

int full_turns(double turns, double share) {
  // tolerates the rounding of a sum that should be 0.9
  const double full = std::floor(std::abs(turns) + (1 - share) + 1e-12);
  return whole(turns < 0 ? -full : full);
}

int Bins::index(double x) const {
  return full ? full_turns(x / width, *full) : whole(std::round(x / width));
}

double Bins::place(double x) const {
  const double widths = x / width;
  if (!full) return widths;
  // the first bin is wider than the others, which begin a share before their whole number
  const double far = std::abs(widths);
  return std::copysign(far < *full ? far / *full / 2 : far - *full + 0.5, widths);
}

bool Bins::are_close(double x, double point) const {
  return full ? index(x) == index(point) : std::abs(x - point) <= width / 2;
}

StateCell cell_of(const SimulatorSpec& spec, std::span<const double> displacement) {
  StateCell cell;
  for (double x : displacement) cell.push_back(spec.coordinates[cell.size()].bins.index(x));
  return cell;
}

StateCell method_cell_of(const SimulatorSpec& spec, std::span<const double> displacement) {
  StateCell cell;
  for (double x : displacement)
    cell.push_back(spec.coordinates[cell.size()].method_bins().index(x));
  return cell;
}

int cell_count(const SimulatorSpec& spec) {
  int count = 1;
  for (const Coordinate& coordinate : spec.coordinates) count *= 2 * coordinate.limit + 1;
  return count;
}

int cell_number(const SimulatorSpec& spec, const StateCell& cell) {
  int number = 0;
  for (std::size_t k = 0; k < cell.size(); ++k) {
    const int limit = spec.coordinates[k].limit;
    number = number * (2 * limit + 1) + std::clamp(cell[k], -limit, limit) + limit;
  }
  return number;
}

int near_cell(const SimulatorSpec& spec, int number, int limit) {
  int near = 0, weight = 1;
  for (std::size_t k = spec.coordinates.size(); k-- > 0;) {
    const int own = spec.coordinates[k].limit, size = 2 * own + 1;
    const int most = std::min(limit, own);
    near += weight * (std::clamp(number % size - own, -most, most) + most);
    weight *= 2 * most + 1;
    number /= size;
  }
  return near;
}

std::string cell_text(std::span<const Coordinate> coordinates, const std::string& times) {
  std::string text;
  for (const Coordinate& coordinate : coordinates) {
    if (!text.empty()) text += times;
    // a coordinate without a unit is called by its name
    const std::string& of = coordinate.unit.empty() ? coordinate.name : coordinate.unit;
    text += coordinate.bins.full ? "full " + of
            : coordinate.bins.width == 1 && coordinate.unit.empty()
                ? of
                : fmt::format("{:g} {}", coordinate.bins.width, of);
  }
  return text;
}

}  // namespace vic
