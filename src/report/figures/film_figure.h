// An option as a filmstrip: its parts in a few moments, and the whole of its path.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/data/simulator_files.h"
#include "report/figures/svg.h"

namespace vic {

struct FilmFrame {
  double seconds = 0;
  std::optional<double> turns = {};  // since the start, where something turns
  Posture posture;
  std::vector<Capsule> capsules;
  std::size_t step = 0;  // of the path
};

struct Film {
  std::string title, caption;
  std::vector<FilmFrame> frames;
  std::vector<Posture> path;  // at every step
};

// About `frames` moments of an option, evenly over its states, (steps, n). The viewer is used to
// look at them.
Film film_of(const Simulator& world, Viewer& viewer, std::span<const double> states, int frames);

// The same of an option that a run shows.
Film film_of(const FilmReel& reel, const FilmedOption& option, int frames);

std::string draw_film(const Film& film, Form form);

// Many films on one contact sheet, a line each.
std::string draw_film_sheet(const std::vector<Film>& films, const std::string& title, Form form);

}  // namespace vic
