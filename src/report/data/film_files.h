// films.json: the options that a physics run shows.
#pragma once

#include <string>
#include <vector>

#include "report/data/json_object.h"
#include "sim/mujoco/physics_body.h"

namespace vic {

struct FilmedOption {
  std::string behaviour;
  double distance = 0, height = 0, turns = 0;  // metres, metres, signed turns
  int flips = 0, place = 0, full_turns = 0;
  std::vector<Posture> way;                 // (T + 1) the pitch since the start
  std::vector<std::vector<Capsule>> poses;  // (T + 1, parts)
};

struct FilmReel {
  std::string world;
  double seconds = 0;  // of an action
  std::vector<FilmedOption> options;
};

// Throws a UsageError that names what is damaged.
FilmReel read_films(const JsonObject& json);

}  // namespace vic
