// Films of bodies that leave the plane of x and z, projected onto the plane of a picture.
#pragma once

#include "report/data/simulator_files.h"

namespace vic {

// From a point of the world, in metres, to the picture: rightward, and up.
struct Projection {
  FilmView view = FilmView::side;
  double lowest = 0;  // the lowest point of the film has height 0

  double right(double x, double y) const;
  double up(double x, double y, double z) const;

  // How far a picture of one moment, with the body at a projected place of the path, begins above
  // that of the whole film: it follows motion into the depth.
  double lift(const Posture& place) const;
};

// The limb of a shadow on the ground.
inline constexpr int shadow_limb = -2;

// Projects path and poses into the picture: x is to the right, z up, y stays as it was. In the
// slanted view shadows are among the parts.
Projection project(FilmedOption& option, FilmView view);

}  // namespace vic
