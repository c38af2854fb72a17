// The coordinates of a simulated world, and their division into cells. States are continuous; s_f
// is counted, aimed at and drawn by its cell.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vic {

struct SimulatorSpec;

// Coordinates of a state measured from the start, (K).
using Displacement = std::vector<double>;

// A cell: an integer for each coordinate, (K); the start is all zeros.
using StateCell = std::vector<int>;

// How a coordinate becomes an integer: x / width rounded to the nearest; or, where `full` is given,
// the number of complete widths, signed, where the last one counts from the share `full` of it on.
struct Bins {
  double width = 1;
  std::optional<double> full = {};

  int index(double x) const;

  // The same as a continuous number: the index is the nearest integer.
  double place(double x) const;

  double centre(int i) const { return width * i; }

  // Whether x counts as close to a point: within half a width, or in the same bin.
  bool are_close(double x, double point) const;
};

struct Coordinate {
  std::string name;              // "distance"
  std::string unit;              // "m"
  std::string cell_name = {};    // the integer's name in files; NAME_cell where it is empty
  Bins bins = {};                // those of evaluations
  std::optional<Bins> own = {};  // those of the method, where they differ

  int limit = 100;        // integers beyond it, either way, count as the last
  double code_scale = 1;  // factor in observation codes, so that they are of order one
  bool rotation = false;  // it counts turns; positive is forward
  bool hidden = false;    // histories do not show it; goals are still relative to it
  int number = -1;        // index of the number of the state; -1: the viewer computes it

  const Bins& method_bins() const { return own ? *own : bins; }
};

// Full turns, signed, where the last one counts from this share on: rounding would count half a
// turn.
inline constexpr double almost_a_turn = 0.9;
int full_turns(double turns, double share = almost_a_turn);

// The cell of a displacement, by the bins of evaluations and by those of the method.
StateCell cell_of(const SimulatorSpec& spec, std::span<const double> displacement);
StateCell method_cell_of(const SimulatorSpec& spec, std::span<const double> displacement);

// The number of cells, and the index of a cell among them.
int cell_count(const SimulatorSpec& spec);
int cell_number(const SimulatorSpec& spec, const StateCell& cell);

// A cell's number among those that lie within `limit` of the start on each axis, or the last ones.
int near_cell(const SimulatorSpec& spec, int number, int limit);

// "0.5 m x full turns", for people.
std::string cell_text(std::span<const Coordinate> coordinates, const std::string& times = " x ");

}  // namespace vic
