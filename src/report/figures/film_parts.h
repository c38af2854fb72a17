// What filmstrips are drawn of: a window onto the world, the parts, the ground and the path.
#pragma once

#include <string>

#include "report/figures/film_figure.h"

namespace vic {

// A window onto the world: metres to pixels.
struct FilmView {
  double left = 0;     // pixels of the window's left edge
  double bottom = 0;   // pixels of z = 0
  double x_left = 0;   // metres at the left edge
  double x_right = 0;  // metres at the right edge
  double scale = 0;    // pixels a metre

  double x(double metres) const { return left + scale * (metres - x_left); }
  double y(double z) const { return bottom - scale * z; }
};

// Pixels of the ground below z = 0, and of the words above.
inline constexpr double film_ground = 22, film_words = 20;

// Metres that every frame of a film shows.
struct FilmField {
  double wide = 1.9, high = 1.3;
};
FilmField field_of(const Film& film);

// Metres that the parts take up.
struct FilmBox {
  double x1 = 0, x2 = 0, top = 0;
};
FilmBox box_of(const FilmFrame& frame);

// The parts, `more` classes on each of them.
void draw_parts(Svg& svg, const FilmView& view, const std::vector<Capsule>& capsules,
                const std::string& more);

// The ground with a mark every so many metres, so that one sees where the window is.
void draw_ground(Svg& svg, const FilmView& view, double metres_a_mark);

// The path inside of the window, up to a step.
void draw_trail(Svg& svg, const FilmView& view, const Film& film, std::size_t last);

// A moment in a window of its own, whose left, bottom and scale the view says.
void draw_frame(Svg& svg, const Film& film, const FilmFrame& frame, const FilmField& field,
                FilmView view);

}  // namespace vic
