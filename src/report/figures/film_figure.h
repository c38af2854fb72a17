// An option as a filmstrip: its parts at a few moments, and its whole path.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/data/simulator_files.h"
#include "report/figures/film_view.h"
#include "report/figures/svg.h"

namespace vic {

struct Film {
  std::string title;
  FilmedOption option;   // in the plane of the picture
  double seconds = 0;    // of an action
  bool rotates = false;  // turns are shown as text
  std::vector<std::size_t> frames;
  Projection projection = {};  // from the world to that plane
};

// About `frames` moments of an option, evenly spaced over its states, (steps, n), as the viewer
// shows them.
Film film_of(const Simulator& world, Viewer& viewer, std::span<const double> states, int frames);

// The same for an option from the films of a run.
Film film_of(const FilmReel& reel, const FilmedOption& option, int frames);

std::string draw_film(const Film& film, Form form);

// A single moment, as a picture of a video: all pictures of a film have the same size.
std::string draw_film_frame(const Film& film, std::size_t step, Form form);

// Many films on one contact sheet, one per line.
std::string draw_film_sheet(const std::vector<Film>& films, const std::string& title, Form form);

}  // namespace vic
