#include "eval/films.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>

#include "base/rounding.h"

namespace vic {
namespace {

// what comes first on the list, and what is one behaviour
auto kind_of(const Behaviour& option) {
  return std::tuple(-std::abs(option.flips), option.flips, option.name);
}

double rounded(double number) {
  return static_cast<double>(thousandths(number)) / 1000;
}

// the index of the first option for which the value is largest
template <class Value>
std::size_t largest(const std::vector<Behaviour>& options, Value value) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < options.size(); ++i) {
    if (value(options[i]) > value(options[best])) best = i;
  }
  return best;
}

std::set<std::size_t> extremes(const std::vector<Behaviour>& options) {
  return {largest(options, [](const Behaviour& b) { return b.distance; }),
          largest(options, [](const Behaviour& b) { return -b.distance; }),
          largest(options, [](const Behaviour& b) { return b.height; }),
          largest(options, [](const Behaviour& b) { return b.turns; }),
          largest(options, [](const Behaviour& b) { return -b.turns; })};
}

Json option_json(const PhysicsWorld& world, PhysicsBody& body, const Behaviour& behaviour,
                 std::span<const double> states) {
  const auto n = static_cast<std::size_t>(world.n);
  Json json = {{"behaviour", behaviour.name},
               {"distance", rounded(behaviour.distance)},
               {"height", rounded(behaviour.height)},
               {"turns", rounded(behaviour.turns)},
               {"flips", behaviour.flips},
               {"place", behaviour.cell.place},
               {"full_turns", behaviour.cell.turns}};
  Json way = Json::array(), poses = Json::array();
  body.put(states.first(n));
  const Posture start = body.posture();
  for (std::size_t at = 0; at + n <= states.size(); at += n) {
    body.put(states.subspan(at, n));
    const Posture posture = body.posture();
    way.push_back({thousandths(posture.x), thousandths(posture.z),
                   thousandths(turns_between(start, posture))});
    Json pose = Json::array();
    for (const Capsule& part : body.capsules()) {
      for (double number : {part.x1, part.z1, part.x2, part.z2}) {
        pose.push_back(thousandths(number));
      }
    }
    poses.push_back(std::move(pose));
  }
  json["way"] = std::move(way);
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
    return of_a != of_b ? of_a < of_b : options[a].distance > options[b].distance;
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

Json films_json(const PhysicsWorld& world, const std::vector<std::vector<double>>& options) {
  PhysicsBody body(world);
  Json json = {{"world", world.name},
               {"T", world.T},
               {"seconds", world.frame_skip * world.timestep},
               {"parts", Json::array()},
               {"options", Json::array()}};
  for (const Capsule& part : body.capsules()) {
    json["parts"].push_back({{"r", thousandths(part.r)}, {"limb", part.limb}});
  }
  std::vector<Behaviour> behaviours;
  for (const auto& states : options) behaviours.push_back(behaviour_of(world, body, states));
  for (std::size_t i : choose_films(behaviours)) {
    json["options"].push_back(option_json(world, body, behaviours[i], options[i]));
  }
  return json;
}

}  // namespace vic
