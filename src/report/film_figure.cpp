#include "report/film_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vic {
namespace {

// pixels
constexpr double width = 960, gap = 10, header = 52, ground = 22, between = 14;
constexpr int columns = 5;
constexpr double frame_width = (width - (columns - 1) * gap) / columns;

// a window onto the world: metres to pixels
struct View {
  double left = 0;     // pixels of the window's left edge
  double bottom = 0;   // pixels of z = 0
  double x_left = 0;   // metres at the left edge
  double x_right = 0;  // metres at the right edge
  double scale = 0;    // pixels a metre

  double x(double metres) const { return left + scale * (metres - x_left); }
  double y(double z) const { return bottom - scale * z; }
};

// a number with a true minus
std::string signed_text(double value, int digits) {
  const std::string text = fmt::format("{:.{}f}", std::abs(value), digits);
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return (zero ? "" : value < 0 ? "\u2212" : "+") + text;
}

// limbs after the first few begin again
std::string limb_class(int limb) {
  return limb < 0 ? "fixed" : fmt::format("l{}", limb == 0 ? 0 : 1 + (limb - 1) % 4);
}

// limbs one by one, each with a rim that lets it stand out from the last, the trunk on top
void draw_body(Svg& svg, const View& view, const std::vector<Capsule>& capsules,
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
void draw_ground(Svg& svg, const View& view, double metres_a_mark) {
  const double right = view.x(view.x_right);
  svg.rect(view.left, view.bottom, right - view.left, ground, "ground");
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
void draw_trail(Svg& svg, const View& view, const Film& film, std::size_t last) {
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

struct Box {
  double x1 = 0, x2 = 0, top = 0;
};

Box box_of(const FilmFrame& frame) {
  Box box{1e300, -1e300, 0};
  for (const Capsule& c : frame.capsules) {
    box.x1 = std::min({box.x1, c.x1 - c.r, c.x2 - c.r});
    box.x2 = std::max({box.x2, c.x1 + c.r, c.x2 + c.r});
    box.top = std::max({box.top, c.z1 + c.r, c.z2 + c.r});
  }
  return box;
}

// metres that every frame shows
struct Field {
  double wide = 1.9, high = 1.3;
};

Field field_of(const Film& film) {
  Field field;
  for (const FilmFrame& frame : film.frames) {
    const Box box = box_of(frame);
    field.wide = std::max(field.wide, box.x2 - box.x1 + 0.2);
    field.high = std::max(field.high, box.top + 0.1);
  }
  return field;
}

void draw_frame(Svg& svg, const Film& film, const FilmFrame& frame, const Field& field, View view) {
  const Box box = box_of(frame);
  view.x_left = (box.x1 + box.x2 - field.wide) / 2;
  view.x_right = view.x_left + field.wide;
  const double sky = view.scale * field.high + 20;
  svg.rect(view.left, view.bottom - sky, frame_width, sky, "sky");
  draw_ground(svg, view, 1);
  draw_trail(svg, view, film, frame.step);
  draw_body(svg, view, frame.capsules, "");
  const double at = view.bottom - sky + 15;
  svg.text(view.left + 8, at, "small", fmt::format("{:.2f} s", frame.seconds));
  svg.text(view.left + frame_width - 8, at, "small", signed_text(frame.turns, 2) + " turns", "end");
}

// all of the way, with the moments of the frames on it
View way_view(const Film& film) {
  double low = 1e300, high = -1e300;
  for (const FilmFrame& frame : film.frames) {
    const Box box = box_of(frame);
    low = std::min(low, box.x1 - 0.1);
    high = std::max(high, box.x2 + 0.1);
  }
  for (const auto& [x, z] : film.path) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  constexpr double largest = 90;
  const double scale = std::min(largest, width / (high - low));
  const double middle = (low + high) / 2, half = width / scale / 2;
  return {.x_left = middle - half, .x_right = middle + half, .scale = scale};
}

void draw_way(Svg& svg, const Film& film, const View& view, double height) {
  svg.rect(0, view.bottom - height, width, height, "sky");
  const double metres = view.x_right - view.x_left;
  draw_ground(svg, view, metres > 40 ? 5 : metres > 20 ? 2 : 1);
  for (const FilmFrame& frame : film.frames) draw_body(svg, view, frame.capsules, " ghost");
  draw_trail(svg, view, film, film.path.size());
  for (const FilmFrame& frame : film.frames) {
    svg.circle(view.x(frame.posture.x), view.y(frame.posture.z), 3, "step");
  }
}

}  // namespace

Film film_of(const PhysicsWorld& world, PhysicsBody& body, std::span<const double> states,
             int frames) {
  const auto n = static_cast<std::size_t>(world.n);
  const std::size_t steps = states.size() / n;
  const Behaviour behaviour = behaviour_of(world, body, states);
  Film film;
  film.title = behaviour.name;
  film.caption =
      fmt::format("{} m forward, {} turns, up to {:.2f} m high", signed_text(behaviour.distance, 2),
                  signed_text(behaviour.turns, 2), behaviour.height);
  std::size_t shown = 0;
  double start = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    body.put(states.subspan(step * n, n));
    const Posture posture = body.posture();
    if (step == 0) start = posture.pitch;
    film.path.emplace_back(posture.x, posture.z);
    // the first and the last state are always seen
    const double due =
        static_cast<double>(shown) * static_cast<double>(steps - 1) / std::max(1, frames - 1);
    if (static_cast<double>(step) + 0.5 < due) continue;
    ++shown;
    film.frames.push_back({.seconds = static_cast<double>(step) * world.frame_skip * world.timestep,
                           .turns = (posture.pitch - start) / (2 * std::numbers::pi),
                           .posture = posture,
                           .capsules = body.capsules(),
                           .step = step});
  }
  return film;
}

std::string draw_film(const Film& film, Form form) {
  const Field field = field_of(film);
  const double scale = frame_width / field.wide;
  const double row = scale * field.high + 20 + ground + between;
  const int rows = (static_cast<int>(film.frames.size()) + columns - 1) / columns;
  View way = way_view(film);
  const double way_height = way.scale * field.high + 8;
  way.bottom = header + rows * row + way_height;
  Svg svg(width, way.bottom + ground, film.title + ": " + film.caption);
  svg.text(0, 18, "name", film.title, "start", " style=\"font-size:16px\"");
  svg.text(0, 38, "small", film.caption);
  for (std::size_t i = 0; i < film.frames.size(); ++i) {
    const int line = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
    const View view{.left = column * (frame_width + gap),
                    .bottom = header + (line + 1) * row - ground - between,
                    .scale = scale};
    draw_frame(svg, film, film.frames[i], field, view);
  }
  draw_way(svg, film, way, way_height);
  return svg.finish(form);
}

}  // namespace vic
