#include "report/figures/film_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace vic {
namespace {

// limbs after the first few begin again
std::string limb_class(int limb) {
  return limb < 0 ? "fixed" : fmt::format("l{}", limb == 0 ? 0 : 1 + (limb - 1) % 4);
}

}  // namespace

// limbs one by one, each with a rim that lets it stand out from the last, the trunk on top
void draw_parts(Svg& svg, const FilmView& view, const std::vector<Capsule>& capsules,
                const std::string& more) {
  int limbs = 0;
  for (const Capsule& capsule : capsules) limbs = std::max(limbs, capsule.limb);
  std::vector<int> order = {-1};
  for (int limb = limbs; limb >= 0; --limb) order.push_back(limb);
  const auto draw = [&](const Capsule& c, const std::string& classes, double rim) {
    svg.line(view.x(c.x1), view.y(c.z1), view.x(c.x2), view.y(c.z2), classes + more,
             fmt::format(" stroke-width=\"{:.2f}\"", 2 * c.r * view.scale + rim));
  };
  for (int limb : order) {
    for (const Capsule& c : capsules) {
      if (c.limb == limb) draw(c, "halo", 2.5);
    }
    for (const Capsule& c : capsules) {
      if (c.limb == limb) draw(c, "limb " + limb_class(limb), 0);
    }
  }
}

// the ground with a mark every metre, so that one sees where the window is
void draw_ground(Svg& svg, const FilmView& view, double metres_a_mark) {
  const double right = view.x(view.x_right);
  svg.rect(view.left, view.bottom, right - view.left, film_ground, "ground");
  svg.line(view.left, view.bottom, right, view.bottom, "axis");
  for (double k = std::ceil(view.x_left / metres_a_mark); k * metres_a_mark <= view.x_right; ++k) {
    const double at = view.x(k * metres_a_mark);
    svg.line(at, view.bottom, at, view.bottom + 5, "axis");
    // words that would be cut off are left out
    if (at - view.left < 18 || right - at < 18) continue;
    svg.text(at, view.bottom + 17, "small", k == 0 ? "0" : signed_text(k * metres_a_mark, 0) + " m",
             "middle");
  }
}

// the points of the path inside of the window, up to a step
void draw_trail(Svg& svg, const FilmView& view, const Film& film, std::size_t last) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i <= last && i < film.path.size(); ++i) {
    const auto& [x, z] = film.path[i];
    if (x < view.x_left || x > view.x_right) {
      points.clear();
      continue;
    }
    points.emplace_back(view.x(x), view.y(z));
  }
  svg.path(points, "trail");
}

FilmBox box_of(const FilmFrame& frame) {
  FilmBox box{1e300, -1e300, 0};
  for (const Capsule& c : frame.capsules) {
    box.x1 = std::min({box.x1, c.x1 - c.r, c.x2 - c.r});
    box.x2 = std::max({box.x2, c.x1 + c.r, c.x2 + c.r});
    box.top = std::max({box.top, c.z1 + c.r, c.z2 + c.r});
  }
  return box;
}

FilmField field_of(const Film& film) {
  FilmField field;
  for (const FilmFrame& frame : film.frames) {
    const FilmBox box = box_of(frame);
    field.wide = std::max(field.wide, box.x2 - box.x1 + 0.2);
    field.high = std::max(field.high, box.top + 0.1);
  }
  return field;
}

void draw_frame(Svg& svg, const Film& film, const FilmFrame& frame, const FilmField& field,
                FilmView view) {
  const FilmBox box = box_of(frame);
  view.x_left = (box.x1 + box.x2 - field.wide) / 2;
  view.x_right = view.x_left + field.wide;
  const double sky = view.scale * field.high + film_words, width = view.scale * field.wide;
  svg.rect(view.left, view.bottom - sky, width, sky, "sky");
  draw_ground(svg, view, 1);
  draw_trail(svg, view, film, frame.step);
  draw_parts(svg, view, frame.capsules, "");
  const double at = view.bottom - sky + 15;
  // a narrow window has room for one of the two
  svg.text(view.left + 8, at, "small", fmt::format("{:.2f} s", frame.seconds));
  if (width < 120 || !frame.turns) return;
  svg.text(view.left + width - 8, at, "small", signed_text(*frame.turns, 2) + " turns", "end");
}

}  // namespace vic
