#include "report/data/simulator_files.h"

#include <algorithm>
#include <numbers>

#include "base/error.h"
#include "base/text.h"

namespace vic {
namespace {

// far beyond any run, and still possible to draw
constexpr Range whole_range{-1e9, 1e9};

std::vector<BehaviourCount> read_behaviours(const FileValue& json) {
  std::vector<BehaviourCount> counts;
  for (const FileValue& entry : json.objects("behaviours")) {
    counts.push_back({entry.text("behaviour"), entry["kind"].whole(whole_range),
                      entry.text("kind_name"), entry.whole("options")});
  }
  return counts;
}

StateCell read_cell(const FileValue& json, const std::vector<Coordinate>& coordinates) {
  StateCell cell;
  for (const Coordinate& coordinate : coordinates) {
    cell.push_back(json[coordinate.cell_name].whole(whole_range));
  }
  return cell;
}

std::vector<Coordinate> read_coordinates(const FileValue& json) {
  std::vector<Coordinate> list;
  for (const FileValue& entry : json.objects("coordinates")) {
    Coordinate& coordinate = list.emplace_back();
    coordinate.name = entry.text("name");
    coordinate.unit = entry.text("unit");
    coordinate.cell_name = entry.text("cell");
    coordinate.bins = {.width = entry["bin"].number(Range{1e-9, 1e9}),
                       .full = entry.maybe_number("full")};
    coordinate.rotation = entry.truth("rotation");
  }
  if (list.empty()) fail_usage("{} is damaged: it has no coordinates.", json.path());
  return list;
}

using Numbers = std::vector<double>;

// an array of arrays of `width` integers, in thousandths of the unit
std::vector<Numbers> read_rows(const FileValue& json, const char* key, std::size_t width) {
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
      if (!number.is_integer() || !whole_range.contains(number.get<double>())) reject();
      row.push_back(number.get<double>() / 1000);
    }
  }
  return rows;
}

FilmedOption read_option(const FileValue& json, const FilmReel& reel,
                         const std::vector<Capsule>& parts) {
  FilmedOption option;
  Behaviour& behaviour = option.behaviour;
  behaviour.name = json.text("behaviour");
  behaviour.caption = json.text("caption");
  behaviour.height = json.number("height");
  behaviour.flips = json["flips"].whole(whole_range);
  for (const Coordinate& coordinate : reel.coordinates) {
    behaviour.displacement.push_back(json.number(coordinate.name));
  }
  behaviour.cell = read_cell(json, reel.coordinates);
  // a side view has no y
  const bool flat = reel.view == FilmView::side;
  for (const Numbers& at : read_rows(json, "path", flat ? 3 : 4)) {
    option.path.push_back({at[0], at[1], at[2] * 2 * std::numbers::pi, flat ? 0 : at[3]});
  }
  const std::size_t width = flat ? 4 : 6;
  for (const Numbers& pose : read_rows(json, "poses", width * parts.size())) {
    auto& capsules = option.poses.emplace_back(parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double* ends = &pose[width * i];
      capsules[i].x1 = ends[0], capsules[i].z1 = ends[1];
      capsules[i].x2 = ends[2], capsules[i].z2 = ends[3];
      if (!flat) capsules[i].y1 = ends[4], capsules[i].y2 = ends[5];
    }
  }
  if (option.path.empty() || option.path.size() != option.poses.size()) {
    fail_usage("{} is damaged: an option has {} poses on a path of {}.", json.path(),
               option.poses.size(), option.path.size());
  }
  return option;
}

FilmView read_view(const FileValue& json) {
  if (!json.has("view")) return FilmView::side;
  const std::string name = json.text("view");
  if (name == "top") return FilmView::top;
  if (name != "slanted")
    fail_usage("{} is damaged: it has no view '{}'.", json.path(), shown(name));
  return FilmView::slanted;
}

}  // namespace

PerMeasure<double> read_measures(const FileValue& json) {
  PerMeasure<double> values;
  for (std::size_t i = 0; i < measures().size(); ++i) {
    const char* name = measures()[i].name;
    try {
      values.list[i] = number_at(json.json(), name);
    } catch (const JsonError&) {
      fail_usage("{} is damaged: its {} is not a number.", json.path(), name);
    }
  }
  for (const char* needed : {"H", "ci95"}) json.number(needed);
  return values;
}

bool FilmReel::rotates() const {
  return std::ranges::any_of(coordinates, &Coordinate::rotation);
}

void FilmReel::put_on_ground() {
  double lowest = 1e300;
  for (const FilmedOption& option : options) {
    for (const auto& pose : option.poses) {
      for (const Capsule& part : pose) {
        lowest = std::min(lowest, std::min(part.z1, part.z2) - part.r);
      }
    }
  }
  for (FilmedOption& option : options) {
    for (Posture& at : option.path) at.z -= lowest;
    for (auto& pose : option.poses) {
      for (Capsule& part : pose) part.z1 -= lowest, part.z2 -= lowest;
    }
  }
}

SurveyValues read_survey(const FileValue& json) {
  SurveyValues values;
  values.options = json.whole("options");
  values.measures = read_measures(json);
  values.coordinates = read_coordinates(json);
  values.behaviours = read_behaviours(json);
  for (const FileValue& cell : json.objects("cell_list")) {
    values.cell_list.push_back({read_cell(cell, values.coordinates), cell.whole("options")});
  }
  return values;
}

SimulatorTruth read_simulator_truth(const FileValue& json) {
  return {.T = json.whole("T"),
          .actuators = json.whole("actuators"),
          .levels = json.whole("levels"),
          .seconds = json.number("seconds"),
          .random = read_survey(json.object("random"))};
}

FilmReel read_films(const FileValue& json) {
  FilmReel reel;
  reel.world = json.text("world");
  reel.seconds = json["seconds"].number(Range{1e-9, 1e9});
  reel.view = read_view(json);
  reel.coordinates = read_coordinates(json);
  std::vector<Capsule> parts;
  for (const FileValue& part : json.objects("parts")) {
    Capsule& capsule = parts.emplace_back();
    capsule.r = part["r"].number(Range{0, 1e9}) / 1000;
    capsule.limb = part["limb"].whole(Range{-1, 1e9});
  }
  for (const FileValue& option : json.objects("options")) {
    reel.options.push_back(read_option(option, reel, parts));
  }
  if (!json.truth("ground")) reel.put_on_ground();
  return reel;
}

BehaviourLine read_behaviour_line(const FileValue& json) {
  BehaviourLine line{json.whole("update"), json.number("H"), read_behaviours(json), {}};
  if (!json.has("cell_list")) return line;
  for (const FileValue& cell : json.objects("cell_list")) {
    std::string name;
    for (const auto& [key, value] : cell.json().items()) {
      if (key != "options") name += value.dump() + " ";
    }
    line.cells.push_back(std::move(name));
  }
  return line;
}

}  // namespace vic
