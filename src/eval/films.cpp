#include "eval/films.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>

#include "eval/survey_json.h"

namespace vic {
namespace {

// identifies a behaviour, and orders the list
auto kind_of(const Behaviour& option) {
  return std::tuple(-std::abs(option.flips), option.flips, option.name);
}

double rounded(double number) {
  return static_cast<double>(thousandths(number)) / 1000;
}

// the highest option, and the farthest in each coordinate, either way; the first of equals
std::set<std::size_t> extremes(const std::vector<Behaviour>& options) {
  const auto largest = [&](auto value) {
    return static_cast<std::size_t>(std::ranges::max_element(options, {}, value) - options.begin());
  };
  std::set<std::size_t> list = {largest(&Behaviour::height)};
  for (std::size_t k = 0; k < options.front().displacement.size(); ++k) {
    list.insert(largest([&](const Behaviour& b) { return b.displacement[k]; }));
    list.insert(largest([&](const Behaviour& b) { return -b.displacement[k]; }));
  }
  return list;
}

// describes the rounded numbers, as they are in the file
std::string caption_of(const Simulator& world, Behaviour behaviour) {
  for (double& x : behaviour.displacement) x = rounded(x);
  behaviour.height = rounded(behaviour.height);
  world.describe(behaviour);
  return behaviour.caption;
}

Json option_json(const Simulator& world, Viewer& viewer, const Behaviour& behaviour,
                 std::span<const double> states) {
  const SimulatorSpec& spec = world.spec();
  const auto n = static_cast<std::size_t>(spec.n());
  Json json = {{"behaviour", behaviour.name}, {"caption", caption_of(world, behaviour)}};
  for (std::size_t k = 0; k < spec.coordinates.size(); ++k) {
    json[spec.coordinates[k].name] = rounded(behaviour.displacement[k]);
    json[spec.coordinates[k].cell_name] = behaviour.cell[k];
  }
  json["height"] = rounded(behaviour.height);
  json["flips"] = behaviour.flips;
  Json path = Json::array(), poses = Json::array();
  viewer.put(states.first(n));
  const Posture start = viewer.posture();
  for (std::size_t at = 0; at + n <= states.size(); at += n) {
    viewer.put(states.subspan(at, n));
    const Posture posture = viewer.posture();
    Json& place = path.push_back({thousandths(posture.x), thousandths(posture.z),
                                  thousandths(turns_between(start, posture))});
    // the side view does not show y
    const bool flat = spec.view == FilmView::side;
    if (!flat) place.push_back(thousandths(posture.y));
    Json pose = Json::array();
    for (const Capsule& part : viewer.parts()) {
      for (double number : {part.x1, part.z1, part.x2, part.z2}) {
        pose.push_back(thousandths(number));
      }
      if (flat) continue;
      for (double number : {part.y1, part.y2}) pose.push_back(thousandths(number));
    }
    poses.push_back(std::move(pose));
  }
  json["path"] = std::move(path);
  json["poses"] = std::move(poses);
  return json;
}

}  // namespace

std::vector<std::size_t> choose_films(const std::vector<Behaviour>& options, std::size_t most) {
  if (options.empty()) return {};
  std::vector<std::size_t> order(options.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto of_a = kind_of(options[a]), of_b = kind_of(options[b]);
    return of_a != of_b ? of_a < of_b : options[a].displacement[0] > options[b].displacement[0];
  });
  std::map<decltype(kind_of(options[0])), std::vector<std::size_t>> kinds;
  for (std::size_t i : order) kinds[kind_of(options[i])].push_back(i);

  std::set<std::size_t> chosen = extremes(options);
  for (std::size_t round = 0; round < films_a_behaviour; ++round) {
    for (const auto& [kind, list] : kinds) {
      if (chosen.size() >= most) break;
      const std::size_t middle = list.size() / 2;
      chosen.insert(list[round == 0 ? middle : round == 1 ? 0 : list.size() - 1]);
    }
  }
  std::erase_if(order, [&](std::size_t i) { return !chosen.contains(i); });
  return order;
}

const char* film_view_name(FilmView view) {
  return view == FilmView::side ? "side" : view == FilmView::top ? "top" : "slanted";
}

Json films_json(const Simulator& world, const std::vector<std::vector<double>>& options) {
  const SimulatorSpec& spec = world.spec();
  const auto viewer = world.make_viewer();
  Json json = {{"world", spec.name},
               {"T", spec.T},
               {"seconds", spec.seconds},
               {"ground", spec.ground},
               {"coordinates", coordinates_json(spec)},
               {"parts", Json::array()},
               {"options", Json::array()}};
  if (spec.view != FilmView::side) json["view"] = film_view_name(spec.view);
  for (const Capsule& part : viewer->parts()) {
    json["parts"].push_back({{"r", thousandths(part.r)}, {"limb", part.limb}});
  }
  std::vector<Behaviour> behaviours;
  for (const auto& states : options) behaviours.push_back(behaviour_of(world, *viewer, states));
  for (std::size_t i : choose_films(behaviours)) {
    json["options"].push_back(option_json(world, *viewer, behaviours[i], options[i]));
  }
  return json;
}

}  // namespace vic
