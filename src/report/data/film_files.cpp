#include "report/data/film_files.h"

#include <numbers>

#include "base/error.h"

namespace vic {
namespace {

using Numbers = std::vector<double>;

// an array of arrays of `width` whole numbers, thousandths of what they count
std::vector<Numbers> read_rows(const JsonObject& json, const char* key, std::size_t width) {
  const auto reject = [&] {
    fail_usage("{} is damaged: \"{}\" is not a list of lists of {} whole numbers.", json.path(),
               key, width);
  };
  const Json* found = json.json().find(key);
  if (found == nullptr || !found->is_array()) reject();
  std::vector<Numbers> rows;
  for (const Json& list : *found) {
    if (!list.is_array() || list.size() != width) reject();
    Numbers& row = rows.emplace_back();
    for (const Json& number : list) {
      if (!number.is_integer()) reject();
      row.push_back(number.get<double>() / 1000);
    }
  }
  return rows;
}

FilmedOption read_option(const JsonObject& json, const std::vector<Capsule>& parts) {
  FilmedOption option{.behaviour = json.text("behaviour"),
                      .distance = json.number("distance"),
                      .height = json.number("height"),
                      .turns = json.number("turns"),
                      .flips = static_cast<int>(json.whole("flips")),
                      .place = static_cast<int>(json.whole("place")),
                      .full_turns = static_cast<int>(json.whole("full_turns")),
                      .way = {},
                      .poses = {}};
  for (const Numbers& at : read_rows(json, "way", 3)) {
    option.way.push_back({at[0], at[1], at[2] * 2 * std::numbers::pi});
  }
  for (const Numbers& pose : read_rows(json, "poses", 4 * parts.size())) {
    auto& capsules = option.poses.emplace_back(parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double* ends = &pose[4 * i];
      capsules[i].x1 = ends[0], capsules[i].z1 = ends[1];
      capsules[i].x2 = ends[2], capsules[i].z2 = ends[3];
    }
  }
  if (option.way.empty() || option.way.size() != option.poses.size()) {
    fail_usage("{} is damaged: an option has {} poses on a way of {}.", json.path(),
               option.poses.size(), option.way.size());
  }
  return option;
}

}  // namespace

FilmReel read_films(const JsonObject& json) {
  FilmReel reel{.world = json.text("world"), .seconds = json.number("seconds"), .options = {}};
  if (!(reel.seconds > 0)) fail_usage("{} is damaged: actions take no time.", json.path());
  std::vector<Capsule> parts;
  for (const JsonObject& part : json.objects("parts")) {
    Capsule& capsule = parts.emplace_back();
    capsule.r = part.number("r") / 1000;
    capsule.limb = static_cast<int>(part.whole("limb"));
  }
  for (const JsonObject& option : json.objects("options")) {
    reel.options.push_back(read_option(option, parts));
  }
  return reel;
}

}  // namespace vic
