// films.json: the options that a run in a simulated world shows.
#pragma once

#include <string>
#include <vector>

#include "report/data/json_object.h"
#include "sim/simulator.h"

namespace vic {

struct FilmedOption {
  std::string behaviour, caption;
  Displacement displacement;  // (K)
  StateCell cell;             // (K)
  double height = 0;          // metres
  int flips = 0;
  std::vector<Posture> path;                // (T + 1) the pitch since the start
  std::vector<std::vector<Capsule>> poses;  // (T + 1, parts)
};

struct FilmReel {
  std::string world;
  double seconds = 0;  // of an action
  bool ground = true;  // at z = 0; without it, z is measured from the lowest part of all
  std::vector<Coordinate> coordinates;  // (K)
  std::vector<FilmedOption> options;

  bool rotates() const;  // whether a coordinate counts turns
};

// The coordinates that a file lists.
std::vector<Coordinate> read_coordinates(const JsonObject& json);

// Throws a UsageError that names what is damaged.
FilmReel read_films(const JsonObject& json);

}  // namespace vic
