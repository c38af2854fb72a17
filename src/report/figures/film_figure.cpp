#include "report/figures/film_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <numbers>

#include "base/text.h"
#include "report/figures/film_parts.h"
#include "sim/simulator.h"

namespace vic {
namespace {

// pixels
constexpr double width = 960, gap = 10, header = 52, between = 14;
constexpr int columns = 5;
constexpr double frame_width = (width - (columns - 1) * gap) / columns;

// all of the path, with the moments of the frames on it
FilmView path_view(const Film& film) {
  double low = 1e300, high = -1e300;
  for (const FilmFrame& frame : film.frames) {
    const FilmBox box = box_of(frame);
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

void draw_path(Svg& svg, const Film& film, const FilmView& view, double height) {
  svg.rect(0, view.bottom - height, width, height, "sky");
  const double metres = view.x_right - view.x_left;
  draw_ground(svg, view, metres > 40 ? 5 : metres > 20 ? 2 : 1);
  for (const FilmFrame& frame : film.frames) draw_parts(svg, view, frame.capsules, " ghost");
  draw_trail(svg, view, film, film.path.size());
  for (const FilmFrame& frame : film.frames) {
    svg.circle(view.x(frame.posture.x), view.y(frame.posture.z), 3, "step");
  }
}

// whether the next frame is that of this step; the first and the last state are always seen
bool is_due(const Film& film, std::size_t step, std::size_t steps, int frames) {
  const double due = static_cast<double>(film.frames.size()) * static_cast<double>(steps - 1) /
                     std::max(1, frames - 1);
  return static_cast<double>(step) + 0.5 >= due;
}

// where there is no ground: z from the lowest part that was met
void lift(Film& film, double lowest) {
  for (auto& [x, z] : film.path) z -= lowest;
  for (FilmFrame& frame : film.frames) {
    frame.posture.z -= lowest;
    for (Capsule& part : frame.capsules) part.z1 -= lowest, part.z2 -= lowest;
  }
}

}  // namespace

Film film_of(const Simulator& world, Viewer& viewer, std::span<const double> states, int frames) {
  const SimulatorSpec& spec = world.spec();
  const auto n = static_cast<std::size_t>(spec.n());
  const std::size_t steps = states.size() / n;
  const Behaviour behaviour = behaviour_of(world, viewer, states);
  Film film{.title = behaviour.name, .caption = behaviour.caption, .frames = {}, .path = {}};
  double lowest = 1e300;
  Posture start;
  for (std::size_t step = 0; step < steps; ++step) {
    viewer.put(states.subspan(step * n, n));
    const Posture posture = viewer.posture();
    if (step == 0) start = posture;
    film.path.emplace_back(posture.x, posture.z);
    const std::vector<Capsule> parts = viewer.parts();
    for (const Capsule& part : parts) {
      lowest = std::min(lowest, std::min(part.z1, part.z2) - part.r);
    }
    if (!is_due(film, step, steps, frames)) continue;
    FilmFrame& frame = film.frames.emplace_back();
    frame.seconds = static_cast<double>(step) * spec.seconds;
    if (spec.rotation() >= 0) frame.turns = turns_between(start, posture);
    frame.posture = posture;
    frame.capsules = parts;
    frame.step = step;
  }
  if (!spec.ground) lift(film, lowest);
  return film;
}

Film film_of(const FilmReel& reel, const FilmedOption& option, int frames) {
  Film film;
  film.title = option.behaviour;
  film.caption = option.caption;
  for (std::size_t step = 0; step < option.path.size(); ++step) {
    const Posture& posture = option.path[step];
    film.path.emplace_back(posture.x, posture.z);
    if (!is_due(film, step, option.path.size(), frames)) continue;
    FilmFrame& frame = film.frames.emplace_back();
    frame.seconds = static_cast<double>(step) * reel.seconds;
    if (reel.rotates()) frame.turns = posture.pitch / (2 * std::numbers::pi);
    frame.posture = posture;
    frame.capsules = option.poses[step];
    frame.step = step;
  }
  return film;
}

std::string draw_film(const Film& film, Form form) {
  const FilmField field = field_of(film);
  const double scale = frame_width / field.wide;
  const double row = scale * field.high + film_words + film_ground + between;
  const int rows = (static_cast<int>(film.frames.size()) + columns - 1) / columns;
  FilmView path = path_view(film);
  const double path_height = path.scale * field.high + 8;
  path.bottom = header + rows * row + path_height;
  Svg svg(width, path.bottom + film_ground, film.title + ": " + film.caption);
  svg.text(0, 18, "name", film.title, "start", " style=\"font-size:16px\"");
  svg.text(0, 38, "small", film.caption);
  for (std::size_t i = 0; i < film.frames.size(); ++i) {
    const int line = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
    const FilmView view{.left = column * (frame_width + gap),
                        .bottom = header + (line + 1) * row - film_ground - between,
                        .scale = scale};
    draw_frame(svg, film, film.frames[i], field, view);
  }
  draw_path(svg, film, path, path_height);
  return svg.finish(form);
}

std::string draw_film_sheet(const std::vector<Film>& films, const std::string& title, Form form) {
  // a field that suits all, so that parts are equally large
  FilmField field;
  std::size_t across = 1;
  for (const Film& film : films) {
    const FilmField one = field_of(film);
    field = {std::max(field.wide, one.wide), std::max(field.high, one.high)};
    across = std::max(across, film.frames.size());
  }
  constexpr double space = 4, head = 40, words = 22;
  const auto n = static_cast<double>(across);
  const double frame = (width - (n - 1) * space) / n, scale = frame / field.wide;
  const double row = words + scale * field.high + film_words + film_ground + between;
  Svg svg(width, head + row * static_cast<double>(films.size()), title);
  svg.text(0, 18, "name", title, "start", " style=\"font-size:16px\"");
  for (std::size_t i = 0; i < films.size(); ++i) {
    const double top = head + row * static_cast<double>(i);
    svg.text(0, top + 14, "name", films[i].title);
    svg.text(width, top + 14, "small", films[i].caption, "end");
    for (std::size_t k = 0; k < films[i].frames.size(); ++k) {
      const FilmView view{.left = static_cast<double>(k) * (frame + space),
                          .bottom = top + row - film_ground - between,
                          .scale = scale};
      draw_frame(svg, films[i], films[i].frames[k], field, view);
    }
  }
  return svg.finish(form);
}

}  // namespace vic
