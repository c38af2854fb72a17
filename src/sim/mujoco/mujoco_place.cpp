#include "sim/mujoco/mujoco_place.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "base/text.h"
#include "sim/mujoco/mujoco_model.h"

namespace vic {
namespace {

using Kind = BodyNumber::Kind;

// a word of a setting: its measure and unit
struct Word {
  BodyNumber measure;
  std::string unit;
};

std::optional<Word> main_word(const std::string& word) {
  if (word == "distance") return Word{{.kind = Kind::main, .axis = 0}, "m"};
  if (word == "turns") return Word{{.kind = Kind::turns}, "turns"};
  if (word == "pitch") return Word{{.kind = Kind::pitch}, "rad"};
  if (word == "up") return Word{{.kind = Kind::up}, ""};
  if (word == "x" || word == "y" || word == "z") {
    return Word{{.kind = Kind::main, .axis = word[0] - 'x'}, "m"};
  }
  return std::nullopt;
}

// a number of the state: metres or radians, and those per second
std::optional<Word> number_word(const MujocoModel& model, const mjModel& m,
                                const std::string& word) {
  const auto& names = model.spec.state_names;
  const auto found = std::ranges::find(names, word);
  if (found == names.end()) return std::nullopt;
  const int number = static_cast<int>(found - names.begin());
  const bool velocity = number >= m.nq && number < m.nq + m.nv;
  std::string unit;
  for (int j = 0; j < m.njnt && number < m.nq + m.nv; ++j) {
    const int own = number - (velocity ? m.nq + m.jnt_dofadr[j] : m.jnt_qposadr[j]);
    if (own < 0) break;
    const int type = m.jnt_type[j];
    // the last numbers of a free joint are a quaternion, or turn
    const bool slides = type == mjJNT_SLIDE || (type == mjJNT_FREE && own < 3);
    unit = slides ? "m" : type == mjJNT_HINGE || velocity ? "rad" : "";
  }
  return Word{{.kind = Kind::number, .id = number}, velocity ? unit + "/s" : unit};
}

// "torso.x": a body or a site, and an axis
std::optional<Word> point_word(const mjModel& m, const std::string& word) {
  const std::size_t dot = word.rfind('.');
  if (dot == word.npos || dot + 2 != word.size() || word[dot + 1] < 'x' || word[dot + 1] > 'z') {
    return std::nullopt;
  }
  const std::string name = word.substr(0, dot);
  for (const auto& [type, kind] : {std::pair{mjOBJ_SITE, Kind::site}, {mjOBJ_BODY, Kind::body}}) {
    const int id = mj_name2id(&m, type, name.c_str());
    if (id > 0 || (id == 0 && kind == Kind::site)) {
      return Word{{.kind = kind, .id = id, .axis = word[dot + 1] - 'x'}, "m"};
    }
  }
  return std::nullopt;
}

// the words that a model has, for an error
std::string words_of(const MujocoModel& model, const mjModel& m) {
  std::string text = "x, y, z, up";
  if (model.main.pitch >= 0) text += ", distance, turns";
  for (const std::string& name : model.spec.state_names) text += ", " + name;
  for (const auto& [type, count] : {std::pair{mjOBJ_BODY, m.nbody}, {mjOBJ_SITE, m.nsite}}) {
    for (int id = type == mjOBJ_BODY ? 1 : 0; id < count; ++id) {
      const char* name = mj_id2name(&m, type, id);
      if (name != nullptr && *name != '\0') text += ", " + shown(name) + ".x";
    }
  }
  constexpr std::size_t most = 600;
  return shown(text, most);
}

Word find_word(const MujocoModel& model, const mjModel& m, const char* setting,
               const std::string& word) {
  if (const auto found = main_word(word)) return *found;
  if (const auto found = number_word(model, m, word)) return *found;
  if (const auto found = point_word(m, word)) return *found;
  fail_usage("{} names '{}', which {} does not have; it has {} (.y and .z likewise).", setting,
             shown(word), model.spec.name, words_of(model, m));
}

// rounded to one significant digit
double readable(double width) {
  const double power = std::pow(10, std::floor(std::log10(width)));
  return std::max(1.0, std::round(width / power)) * power;
}

// the default words: the place of the body, or of the end of an arm
std::string usual_words(const MujocoModel& model, const mjModel& m) {
  const FilmView view = model.spec.view;
  if (view == FilmView::side) return "distance turns";
  if (model.main.slides) return "x y";
  // a tenth of the reach, so that an arm has some hundreds of cells
  const std::string bin = fmt::format(":{:g}", readable(std::max(1e-3, reach_of(model, m) / 10)));
  return "x" + bin + " y" + bin + (view == FilmView::top ? "" : " z" + bin);
}

// whether a coordinate of cells depends on a number that histories do not show: then it is hidden
bool is_hidden(const MujocoModel& model, const mjModel& m, const BodyNumber& measure) {
  const auto hidden = [&](int number) {
    return std::ranges::find(model.spec.observed, number) == model.spec.observed.end();
  };
  if (measure.kind == Kind::number) return hidden(measure.id);
  if (measure.kind == Kind::turns || measure.kind == Kind::pitch) {
    return model.main.pitch >= 0 && hidden(model.main.pitch);
  }
  if (measure.kind != Kind::main) return false;
  for (int j = 0; j < m.njnt; ++j) {
    if (m.jnt_bodyid[j] != model.main.id) continue;
    const int number = m.jnt_qposadr[j];
    if (m.jnt_type[j] == mjJNT_FREE && hidden(number + measure.axis)) return true;
    const bool slides = m.jnt_type[j] == mjJNT_SLIDE && m.jnt_axis[3 * j + measure.axis] != 0;
    if (slides && hidden(number)) return true;
  }
  return false;
}

// "NAME" or "NAME:BIN"
void add_coordinate(MujocoModel& model, const mjModel& m, const std::string& text) {
  const MujocoSettings& settings = model.settings;
  const std::size_t colon = std::min(text.rfind(':'), text.size());
  Coordinate coordinate{.name = text.substr(0, colon), .unit = ""};
  const Word word = find_word(model, m, "world.place", coordinate.name);
  coordinate.unit = word.unit;
  coordinate.hidden = is_hidden(model, m, word.measure);
  coordinate.bins.width = word.measure.kind == Kind::up ? 1 : settings.bin;
  if (coordinate.name == "distance") coordinate.cell_name = "place";
  if (colon < text.size()) {
    const auto bin = number_in(text.substr(colon + 1));
    if (!bin || !Range{1e-6, 1e6}.contains(*bin)) {
      fail_usage("world.place has '{}', whose bin is no width; write NAME:BIN, as in x:0.5.",
                 shown(text));
    }
    coordinate.bins.width = *bin;
    if (word.measure.kind == Kind::turns) coordinate.own = coordinate.bins;
  }
  if (word.measure.kind == Kind::turns) {
    coordinate.cell_name = "full_turns";
    coordinate.bins = {.width = 1, .full = settings.turn};
    if (settings.pitch_bin > 0) coordinate.own = Bins{.width = settings.pitch_bin};
    coordinate.limit = 40;
    // metres and quarters of a turn are of order one
    coordinate.code_scale = 4;
    coordinate.rotation = true;
  } else if (coordinate.name != "distance") {
    coordinate.code_scale = 0.5 / coordinate.bins.width;
  }
  model.spec.coordinates.push_back(std::move(coordinate));
  model.measures.push_back(word.measure);
}

// the limit of each coordinate's integer that keeps the number of cells within bounds
int limit_for(std::size_t coordinates) {
  constexpr double most_cells = 1e5;
  const double sides = std::pow(most_cells, 1 / static_cast<double>(coordinates));
  return std::min(100, static_cast<int>((sides - 1) / 2));
}

void set_coordinates(MujocoModel& model, const mjModel& m) {
  SimulatorSpec& spec = model.spec;
  std::istringstream words(model.settings.place == "auto" ? usual_words(model, m)
                                                          : model.settings.place);
  for (std::string word; words >> word;) {
    add_coordinate(model, m, word);
    const Coordinate& one = spec.coordinates.back();
    const auto same = [&](const Coordinate& other) { return other.name == one.name; };
    if (std::ranges::count_if(spec.coordinates, same) > 1) {
      fail_usage("world.place names {} twice; a coordinate is named once.", shown(one.name));
    }
  }
  constexpr std::size_t most = 4;
  if (spec.coordinates.empty() || spec.coordinates.size() > most) {
    fail_usage("world.place = '{}' has {} words; give one to {}, as in \"x y\".",
               shown(model.settings.place), spec.coordinates.size(), most);
  }
  const int limit = limit_for(spec.coordinates.size());
  for (Coordinate& one : spec.coordinates) {
    if (!one.rotation || limit < one.limit) one.limit = limit;
  }
}

void set_health(MujocoModel& model, const mjModel& m, const std::string& called) {
  for (const Condition& one : parse_conditions("world.healthy", model.settings.healthy)) {
    model.healthy.push_back({find_word(model, m, "world.healthy", one.word).measure, one});
  }
  if (model.healthy.empty()) return;
  const MujocoData data = make_data(model);
  mj_kinematics(&m, data.get());
  for (const auto& [measure, condition] : model.healthy) {
    const double number = measured(model, *data, measure);
    if (condition.holds(number)) continue;
    fail_usage(
        "world.healthy has {} {} {:g}, but at the start of {} it is {:g}: all options would "
        "end at once.",
        condition.word, condition.above ? '>' : '<', condition.bound, called, number);
  }
  // all falls are one cell, wherever they happen
  model.spec.coordinates.push_back({.name = "fallen", .unit = "", .limit = 1});
  model.spec.falls = true;
}

}  // namespace

void set_places(MujocoModel& model, const mjModel& m, const std::string& called) {
  set_coordinates(model, m);
  set_health(model, m, called);
}

}  // namespace vic
