// Films of bodies that do not stay in the plane of x and z, in the plane of a picture.
#pragma once

#include "report/data/simulator_files.h"

namespace vic {

// From a point of the world, in metres, to the picture: to the right, and up.
struct Projection {
  FilmView view = FilmView::side;
  double lowest = 0;  // what is lowest of the film has the height 0

  double right(double x, double y) const;
  double up(double x, double y, double z) const;

  // How far a picture of one moment, with the body at a place of the path that is projected, begins
  // above that of the whole film: it follows what moves into the depth.
  double lift(const Posture& place) const;
};

// The limb of a shadow on the ground.
inline constexpr int shadow_limb = -2;

// Puts path and poses into the picture: x is to the right, z up, y where they were. What is seen at
// a slant has its shadows among its parts.
Projection project(FilmedOption& option, FilmView view);

}  // namespace vic
