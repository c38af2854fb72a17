#include "report/figures/film_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <numbers>

#include "base/text.h"
#include "report/figures/film_parts.h"

namespace vic {
namespace {

// pixels
constexpr double width = 960, gap = 10, header = 52, between = 14;
constexpr int columns = 5;
constexpr double frame_width = (width - (columns - 1) * gap) / columns;

// all of the way, with the moments of the frames on it
FilmView way_view(const Film& film) {
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

void draw_way(Svg& svg, const Film& film, const FilmView& view, double height) {
  svg.rect(0, view.bottom - height, width, height, "sky");
  const double metres = view.x_right - view.x_left;
  draw_ground(svg, view, metres > 40 ? 5 : metres > 20 ? 2 : 1);
  for (const FilmFrame& frame : film.frames) draw_body(svg, view, frame.capsules, " ghost");
  draw_trail(svg, view, film, film.path.size());
  for (const FilmFrame& frame : film.frames) {
    svg.circle(view.x(frame.posture.x), view.y(frame.posture.z), 3, "step");
  }
}

Film titled(const std::string& behaviour, double distance, double turns, double height) {
  Film film;
  film.title = behaviour;
  film.caption = fmt::format("{} m forward, {} turns, up to {:.2f} m high",
                             signed_text(distance, 2), signed_text(turns, 2), height);
  return film;
}

// whether the next frame is that of this step; the first and the last state are always seen
bool is_due(const Film& film, std::size_t step, std::size_t steps, int frames) {
  const double due = static_cast<double>(film.frames.size()) * static_cast<double>(steps - 1) /
                     std::max(1, frames - 1);
  return static_cast<double>(step) + 0.5 >= due;
}

}  // namespace

Film film_of(const PhysicsWorld& world, PhysicsBody& body, std::span<const double> states,
             int frames) {
  const auto n = static_cast<std::size_t>(world.n);
  const std::size_t steps = states.size() / n;
  const Behaviour behaviour = behaviour_of(world, body, states);
  Film film = titled(behaviour.name, behaviour.distance, behaviour.turns, behaviour.height);
  Posture start;
  for (std::size_t step = 0; step < steps; ++step) {
    body.put(states.subspan(step * n, n));
    const Posture posture = body.posture();
    if (step == 0) start = posture;
    film.path.emplace_back(posture.x, posture.z);
    if (!is_due(film, step, steps, frames)) continue;
    film.frames.push_back({.seconds = static_cast<double>(step) * world.frame_skip * world.timestep,
                           .turns = turns_between(start, posture),
                           .posture = posture,
                           .capsules = body.capsules(),
                           .step = step});
  }
  return film;
}

Film film_of(const FilmReel& reel, const FilmedOption& option, int frames) {
  Film film = titled(option.behaviour, option.distance, option.turns, option.height);
  for (std::size_t step = 0; step < option.way.size(); ++step) {
    const Posture& posture = option.way[step];
    film.path.emplace_back(posture.x, posture.z);
    if (!is_due(film, step, option.way.size(), frames)) continue;
    film.frames.push_back({.seconds = static_cast<double>(step) * reel.seconds,
                           .turns = posture.pitch / (2 * std::numbers::pi),
                           .posture = posture,
                           .capsules = option.poses[step],
                           .step = step});
  }
  return film;
}

std::string draw_film(const Film& film, Form form) {
  const FilmField field = field_of(film);
  const double scale = frame_width / field.wide;
  const double row = scale * field.high + film_words + film_ground + between;
  const int rows = (static_cast<int>(film.frames.size()) + columns - 1) / columns;
  FilmView way = way_view(film);
  const double way_height = way.scale * field.high + 8;
  way.bottom = header + rows * row + way_height;
  Svg svg(width, way.bottom + film_ground, film.title + ": " + film.caption);
  svg.text(0, 18, "name", film.title, "start", " style=\"font-size:16px\"");
  svg.text(0, 38, "small", film.caption);
  for (std::size_t i = 0; i < film.frames.size(); ++i) {
    const int line = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
    const FilmView view{.left = column * (frame_width + gap),
                        .bottom = header + (line + 1) * row - film_ground - between,
                        .scale = scale};
    draw_frame(svg, film, film.frames[i], field, view);
  }
  draw_way(svg, film, way, way_height);
  return svg.finish(form);
}

std::string draw_film_sheet(const std::vector<Film>& films, const std::string& title, Form form) {
  // a field that suits all, so that bodies are equally large
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
