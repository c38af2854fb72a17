#include "report/figures/film_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>

#include "base/text.h"

namespace vic {
namespace {

// pixels; the ground is below z = 0, the words above the sky
constexpr double width = 960, gap = 10, header = 52, between = 14, ground = 22, words = 20;
constexpr int columns = 5;
constexpr double frame_width = (width - (columns - 1) * gap) / columns;

constexpr Extent everywhere{-1e9, 1e9};

// A window onto the world: metres to pixels.
struct View {
  double left = 0;     // pixels of the window's left edge
  double bottom = 0;   // pixels of z = 0
  Extent metres = {};  // at the left and the right edge
  double scale = 0;    // pixels per metre

  double x(double x_metres) const { return left + scale * (x_metres - metres.low); }
  double y(double z) const { return bottom - scale * z; }
};

// the part of the world that every frame of a film shows, in metres
struct Field {
  double wide = 1.9, high = 1.3;
};

// the extent of the parts, in metres
struct Box {
  Extent x;
  double top = 0;
};

Box box_of(const std::vector<Capsule>& pose) {
  Box box;
  for (const Capsule& c : pose) {
    for (double x : {c.x1, c.x2}) box.x.hold(x - c.r), box.x.hold(x + c.r);
    box.top = std::max({box.top, c.z1 + c.r, c.z2 + c.r});
  }
  return box;
}

Field field_of(const Film& film) {
  Field field;
  // an arm may be small
  if (film.projection.view == FilmView::top) field = {.wide = 0.1, .high = 0.1};
  for (std::size_t step : film.frames) {
    const Box box = box_of(film.option.poses[step]);
    const double margin = film.projection.view == FilmView::top ? 0 : 0.2;
    field.wide = std::max(field.wide, box.x.high - box.x.low + margin);
    const double lift = film.projection.lift(film.option.path[step]);
    field.high = std::max(field.high, box.top - lift + margin / 2);
  }
  return field;
}

// classes repeat after the first few limbs
std::string limb_class(int limb) {
  if (limb == shadow_limb) return "shadow";
  return limb < 0 ? "fixed" : fmt::format("l{}", limb == 0 ? 0 : 1 + (limb - 1) % 4);
}

// limb by limb, each with a rim around it, the trunk on top; all get the classes in `more`
void draw_parts(Svg& svg, const View& view, const std::vector<Capsule>& capsules,
                const std::string& more) {
  // fixed parts lie below all limbs
  const auto depth = [](int limb) {
    return limb < 0 ? std::numeric_limits<int>::max() + limb + 1 : limb;
  };
  std::map<int, int, std::greater<>> order;
  for (const Capsule& capsule : capsules) order[depth(capsule.limb)] = capsule.limb;
  const auto draw = [&](int limb, const std::string& classes, double rim) {
    for (const Capsule& c : capsules) {
      if (c.limb != limb) continue;
      svg.line(view.x(c.x1), view.y(c.z1), view.x(c.x2), view.y(c.z2), classes + more,
               fmt::format(" stroke-width=\"{:.2f}\"", 2 * c.r * view.scale + rim));
    }
  };
  for (const auto& [below, limb] : order) {
    if (limb != shadow_limb) draw(limb, "halo", 2.5);
    draw(limb, "limb " + limb_class(limb), 0);
  }
}

// the ground with regular marks, which show where the window is
void draw_ground(Svg& svg, const View& view, double metres_a_mark) {
  const double right = view.x(view.metres.high);
  svg.rect(view.left, view.bottom, right - view.left, ground, "ground");
  svg.line(view.left, view.bottom, right, view.bottom, "axis");
  // marks closer than pixels would be useless
  while ((view.metres.high - view.metres.low) / metres_a_mark > 100) metres_a_mark *= 10;
  for (double k = std::ceil(view.metres.low / metres_a_mark); k * metres_a_mark <= view.metres.high;
       ++k) {
    const double at = view.x(k * metres_a_mark);
    svg.line(at, view.bottom, at, view.bottom + 5, "axis");
    // labels that would be cut off are left out
    if (at - view.left < 18 || right - at < 18) continue;
    svg.text(at, view.bottom + 17, "small", k == 0 ? "0" : signed_text(k * metres_a_mark, 0) + " m",
             "middle");
  }
}

// the floor for views other than the side: a dot every metre, in a window of pixels
void draw_floor(Svg& svg, const View& view, const Film& film, const Extent& rows) {
  const double right = view.x(view.metres.high);
  svg.rect(view.left, rows.low, right - view.left, rows.high - rows.low, "sky");
  constexpr int far = 40;
  for (int x = -far; x <= far; ++x) {
    for (int y = -far; y <= far; ++y) {
      const double across = view.x(film.projection.right(x, y));
      const double down = view.y(film.projection.up(x, y, 0));
      const bool seen = across > view.left + 1 && across < right - 1 && down > rows.low + 1 &&
                        down < rows.high - 1;
      if (seen) svg.circle(across, down, x == 0 && y == 0 ? 2 : 1, "metre");
    }
  }
}

// the points of the path inside the window, up to a step
void draw_trail(Svg& svg, const View& view, const Film& film, std::size_t last,
                const Extent& rows) {
  std::vector<std::pair<double, double>> points;
  const std::vector<Posture>& path = film.option.path;
  for (std::size_t i = 0; i <= last && i < path.size(); ++i) {
    const Posture& at = path[i];
    const double row = view.y(at.z);
    if (at.x < view.metres.low || at.x > view.metres.high || row < rows.low || row > rows.high) {
      points.clear();
      continue;
    }
    points.emplace_back(view.x(at.x), view.y(at.z));
  }
  svg.path(points, "trail");
}

// one moment in its own window; the view has its left, bottom and scale
void draw_frame(Svg& svg, const Film& film, std::size_t step, const Field& field, View view) {
  const Box box = box_of(film.option.poses[step]);
  view.metres.low = (box.x.low + box.x.high - field.wide) / 2;
  view.metres.high = view.metres.low + field.wide;
  const double sky = view.scale * field.high + words, wide = view.scale * field.wide;
  const double base = view.bottom, at = base - sky + 15;
  Extent rows = everywhere;
  if (film.projection.view == FilmView::side) {
    svg.rect(view.left, base - sky, wide, sky, "sky");
    draw_ground(svg, view, 1);
  } else {
    rows = {base - sky, base + ground};
    view.bottom += view.scale * film.projection.lift(film.option.path[step]);
    draw_floor(svg, view, film, rows);
  }
  draw_trail(svg, view, film, step, rows);
  draw_parts(svg, view, film.option.poses[step], "");
  // a narrow window has room for one of the two
  svg.text(view.left + 8, at, "small",
           fmt::format("{:.2f} s", static_cast<double>(step) * film.seconds));
  if (wide < 120 || !film.rotates) return;
  const double turns = film.option.path[step].pitch / (2 * std::numbers::pi);
  svg.text(view.left + wide - 8, at, "small", signed_text(turns, 2) + " turns", "end");
}

// the height of the path and all frames together, in metres
double height_of(const Film& film) {
  double high = 0.1;
  for (const Posture& at : film.option.path) high = std::max(high, at.z + 0.1);
  for (std::size_t step : film.frames) high = std::max(high, box_of(film.option.poses[step]).top);
  return high;
}

// the whole path, with the moments of the frames on it
View path_view(const Film& film) {
  Extent metres;
  for (std::size_t step : film.frames) {
    const Box box = box_of(film.option.poses[step]);
    metres.hold(box.x.low - 0.1), metres.hold(box.x.high + 0.1);
  }
  for (const Posture& at : film.option.path) metres.hold(at.x);
  constexpr double largest = 90, highest = 420;
  double scale = std::min(largest, width / (metres.high - metres.low));
  if (film.projection.view != FilmView::side) {
    scale = std::min(width / (metres.high - metres.low), highest / height_of(film));
  }
  const double middle = (metres.low + metres.high) / 2, half = width / scale / 2;
  return {.metres = {middle - half, middle + half}, .scale = scale};
}

void draw_path(Svg& svg, const Film& film, const View& view, double height) {
  if (film.projection.view == FilmView::side) {
    svg.rect(0, view.bottom - height, width, height, "sky");
    const double metres = view.metres.high - view.metres.low;
    draw_ground(svg, view, metres > 40 ? 5 : metres > 20 ? 2 : 1);
  } else {
    draw_floor(svg, view, film, {view.bottom - height, view.bottom + ground});
  }
  for (std::size_t step : film.frames) draw_parts(svg, view, film.option.poses[step], " ghost");
  draw_trail(svg, view, film, film.option.path.size(), everywhere);
  for (std::size_t step : film.frames) {
    const Posture& at = film.option.path[step];
    svg.circle(view.x(at.x), view.y(at.z), 3, "step");
  }
}

}  // namespace

Film film_of(const Simulator& world, Viewer& viewer, std::span<const double> states, int frames) {
  const SimulatorSpec& spec = world.spec();
  const auto n = static_cast<std::size_t>(spec.n());
  FilmReel reel;
  reel.seconds = spec.seconds;
  reel.view = spec.view;
  reel.coordinates = spec.coordinates;
  FilmedOption& option = reel.options.emplace_back();
  option.behaviour = behaviour_of(world, viewer, states);
  for (std::size_t at = 0; at + n <= states.size(); at += n) {
    viewer.put(states.subspan(at, n));
    option.path.push_back(viewer.posture());
    option.poses.push_back(viewer.parts());
  }
  const double start = option.path[0].pitch;
  for (Posture& at : option.path) at.pitch -= start;
  if (!spec.ground) reel.put_on_ground();
  return film_of(reel, option, frames);
}

Film film_of(const FilmReel& reel, const FilmedOption& option, int frames) {
  Film film{option.behaviour.name, option, reel.seconds, reel.rotates(), {}};
  film.projection = project(film.option, reel.view);
  const std::size_t steps = option.path.size();
  for (std::size_t step = 0; step < steps; ++step) {
    // the first and the last state are always shown
    const double due = static_cast<double>(film.frames.size()) * static_cast<double>(steps - 1) /
                       std::max(1, frames - 1);
    if (static_cast<double>(step) + 0.5 >= due) film.frames.push_back(step);
  }
  return film;
}

std::string draw_film(const Film& film, Form form) {
  const Field field = field_of(film);
  const double scale = frame_width / field.wide;
  const double row = scale * field.high + words + ground + between;
  const int rows = (static_cast<int>(film.frames.size()) + columns - 1) / columns;
  View path = path_view(film);
  const bool flat = film.projection.view == FilmView::side;
  const double path_height = path.scale * (flat ? field.high : height_of(film)) + 8;
  path.bottom = header + rows * row + path_height;
  Svg svg(width, path.bottom + ground, film.title + ": " + film.option.behaviour.caption);
  svg.text(0, 18, "name", film.title, "start", " style=\"font-size:16px\"");
  svg.text(0, 38, "small", film.option.behaviour.caption);
  for (std::size_t i = 0; i < film.frames.size(); ++i) {
    const int line = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
    draw_frame(svg, film, film.frames[i], field,
               {.left = column * (frame_width + gap),
                .bottom = header + (line + 1) * row - ground - between,
                .scale = scale});
  }
  draw_path(svg, film, path, path_height);
  return svg.finish(form);
}

std::string draw_film_frame(const Film& film, std::size_t step, Form form) {
  constexpr double wide = 640, head = 26;
  const Field field = field_of(film);
  const double scale = wide / field.wide;
  // videos have an even number of lines
  const double high = 2 * std::ceil((head + scale * field.high + words + ground) / 2);
  const double bottom = high - ground;
  Svg svg(wide, high, film.title);
  svg.rect(0, 0, wide, high, "sky");
  svg.text(8, 18, "name", film.title);
  draw_frame(svg, film, step, field, {.left = 0, .bottom = bottom, .scale = scale});
  return svg.finish(form);
}

std::string draw_film_sheet(const std::vector<Film>& films, const std::string& title, Form form) {
  // one field that suits all films, so that parts are drawn equally large
  Field field = films.empty() ? Field{} : field_of(films[0]);
  std::size_t across = 1;
  for (const Film& film : films) {
    const Field one = field_of(film);
    field = {std::max(field.wide, one.wide), std::max(field.high, one.high)};
    across = std::max(across, film.frames.size());
  }
  constexpr double space = 4, head = 40, names = 22;
  const auto n = static_cast<double>(across);
  const double frame = (width - (n - 1) * space) / n, scale = frame / field.wide;
  const double row = names + scale * field.high + words + ground + between;
  Svg svg(width, head + row * static_cast<double>(films.size()), title);
  svg.text(0, 18, "name", title, "start", " style=\"font-size:16px\"");
  for (std::size_t i = 0; i < films.size(); ++i) {
    const double top = head + row * static_cast<double>(i);
    svg.text(0, top + 14, "name", films[i].title);
    svg.text(width, top + 14, "small", films[i].option.behaviour.caption, "end");
    for (std::size_t k = 0; k < films[i].frames.size(); ++k) {
      draw_frame(svg, films[i], films[i].frames[k], field,
                 {.left = static_cast<double>(k) * (frame + space),
                  .bottom = top + row - ground - between,
                  .scale = scale});
    }
  }
  return svg.finish(form);
}

}  // namespace vic
