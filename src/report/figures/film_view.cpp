#include "report/figures/film_view.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vic {
namespace {

// the camera stands above, to the right of where bodies face
constexpr double azimuth = -std::numbers::pi / 6, elevation = std::numbers::pi / 7;

// metres of the picture between its lower edge and the ground under a body
constexpr double foreground = 0.9;

}  // namespace

double Projection::right(double x, double y) const {
  return view == FilmView::slanted ? x * std::cos(azimuth) + y * std::sin(azimuth) : x;
}

double Projection::up(double x, double y, double z) const {
  if (view == FilmView::side) return z;
  if (view == FilmView::top) return y - lowest;
  const double depth = y * std::cos(azimuth) - x * std::sin(azimuth);
  return z * std::cos(elevation) + depth * std::sin(elevation) - lowest;
}

double Projection::lift(const Posture& place) const {
  return view == FilmView::slanted ? place.z - foreground : 0;
}

Projection project(FilmedOption& option, FilmView view) {
  Projection projection{view, 0};
  if (view == FilmView::side) return projection;
  // the lowest point, and then everything relative to it
  double lowest = 1e300;
  for (const auto& pose : option.poses) {
    for (const Capsule& c : pose) {
      lowest = std::min(
          {lowest, projection.up(c.x1, c.y1, c.z1) - c.r, projection.up(c.x2, c.y2, c.z2) - c.r});
    }
  }
  for (const Posture& at : option.path) {
    lowest = std::min(lowest, projection.up(at.x, at.y, 0));
  }
  projection.lowest = lowest;
  const auto put = [&](double& x, double y, double& z) {
    const double right = projection.right(x, y);
    z = projection.up(x, y, z);
    x = right;
  };
  for (auto& pose : option.poses) {
    std::vector<Capsule> shadows;
    for (Capsule& c : pose) {
      if (view == FilmView::slanted) {
        Capsule& shadow = shadows.emplace_back(c);
        shadow.limb = shadow_limb;
        shadow.z1 = shadow.z2 = 0;
        // a disc on the ground is flat
        shadow.r *= std::sin(elevation) + 0.3;
        put(shadow.x1, shadow.y1, shadow.z1), put(shadow.x2, shadow.y2, shadow.z2);
      }
      put(c.x1, c.y1, c.z1), put(c.x2, c.y2, c.z2);
    }
    pose.insert(pose.end(), shadows.begin(), shadows.end());
  }
  // in the slanted view, the path lies on the ground
  for (Posture& at : option.path) {
    if (view == FilmView::slanted) at.z = 0;
    put(at.x, at.y, at.z);
  }
  return projection;
}

}  // namespace vic
