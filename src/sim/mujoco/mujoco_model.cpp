#include "sim/mujoco/mujoco_model.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <new>
#include <sstream>

#include "base/file.h"
#include "base/text.h"
#include "sim/mujoco/contact_pairs.h"
#include "sim/mujoco/model_includes.h"
#include "sim/mujoco/mujoco_place.h"
#include "sim/state_numbers.h"

namespace vic {
namespace {

using Model = std::shared_ptr<const mjModel>;

// MuJoCo reports a lack of memory by a message that begins like this; in others these words may be
// quoted from a model.
void require_memory(std::string_view complaint) {
  for (const std::string_view source : {"Error: ", "mjFileToMemory: ", "mj_makeEmptyFileVFS: "}) {
    if (complaint.starts_with(source)) complaint.remove_prefix(source.size());
  }
  if (complaint.starts_with("Could not allocate") || complaint.starts_with("could not allocate")) {
    throw std::bad_alloc();
  }
}

// The exception passes through frames of C, which have nothing to clean up and, on x86-64, unwind
// tables. Memory that MuJoCo had taken from an mjData's stack is released by mj_resetData.
[[noreturn]] void throw_error(const char* message) {
  require_memory(message);
  throw MujocoError(message);
}

// a warning about an mjData is counted in its `warning`, which the episode checks after every step
void ignore_warning(const char*) {}

// to be called before any other function of MuJoCo; later calls have no effect
void catch_mujoco_errors() {
  // MuJoCo's handlers belong to the whole process. They are set once, under the lock of a static
  // initialisation, and have no state: an error is in the exception of its thread, a warning in the
  // mjData that it is about.
  static const bool installed = [] {
    mju_user_error = throw_error;
    mju_user_warning = ignore_warning;
    return true;
  }();
  static_cast<void>(installed);
}

// MuJoCo's messages have several lines
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (text.ends_with(' ')) text.pop_back();
  constexpr std::size_t most = 300;
  return shown(text, most);
}

// the same without the codes of its XML parser: "XML parse error 14: Error=XML_ERROR_MISMATCHED…"
std::string plain_complaint(const std::string& text) {
  constexpr std::string_view code = "Error=XML_ERROR_", line = "Line number=";
  const std::size_t begin = text.find(code), place = text.find(line);
  if (begin == text.npos || place == text.npos) return one_line(text);
  const auto word = [&](std::size_t from) {
    return text.substr(from, text.find_first_of(" :\n", from) - from);
  };
  std::string what = word(begin + code.size());
  for (char& c : what) c = c == '_' ? ' ' : static_cast<char>(std::tolower(c));
  return fmt::format("it is not well-formed XML: {} in line {}.", shown(what),
                     shown(word(place + line.size())));
}

// The bounds of a model, so that a foreign one takes a bounded time and memory.
struct Bound {
  std::string_view attribute;
  double most;
};
constexpr Bound bounds[] = {{"count", 1'000},      {"width", 8'192}, {"height", 8'192},
                            {"nrow", 8'192},       {"ncol", 8'192},  {"njmax", 10'000},
                            {"nconmax", 10'000},   {"nkey", 10'000}, {"nuserdata", 1'000'000},
                            {"nstack", 10'000'000}};

// Throws for a model that names another file, which MuJoCo would open on the disk, or exceeds the
// bounds. Checks wherever `name = "value"` may be, in comments too: a scan without parsing cannot
// parse differently from MuJoCo.
void check_attributes(std::string_view text, const std::string& called) {
  const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  std::array<double, std::size(bounds)> sums{};
  for (std::size_t at = text.find('='); at != text.npos; at = text.find('=', at + 1)) {
    std::size_t end = at, value = at + 1;
    while (end > 0 && space(text[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && letter(text[begin - 1])) --begin;
    const std::string_view name = text.substr(begin, end - begin);
    if (name.starts_with("file")) {
      fail_usage(
          "{} takes parts from other files ({}), which a run cannot keep; put all of it into one "
          "file. Only what a model includes from its own folder is put in place.",
          called, shown(name));
    }
    const Bound* bound = std::find_if(std::begin(bounds), std::end(bounds),
                                      [&](const Bound& b) { return b.attribute == name; });
    if (bound == std::end(bounds)) continue;
    while (value < text.size() && space(text[value])) ++value;
    // the product of the numbers between the quotes: a composite's count has one for each side
    const std::string_view rest = text.substr(std::min(value + 1, text.size()));
    const std::string quoted(rest.substr(0, rest.find_first_of("'\"")));
    std::istringstream numbers(quoted);
    // digits may be hidden in entities, which are refused
    double product = quoted.find('&') == quoted.npos ? 1 : HUGE_VAL;
    for (double number; numbers >> number;) product *= std::max(1.0, number);
    double& sum = sums[static_cast<std::size_t>(bound - bounds)];
    if ((sum += product) <= bound->most) continue;
    fail_usage("{} is too large: its {} adds up to {:.0f}, and {} is the most.", called, name, sum,
               bound->most);
  }
}

// the compiled model of a text; `called` is for the error
Model compile(std::string_view text, const std::string& called) {
  check_attributes(text, called);
  catch_mujoco_errors();
  // the compiler keeps the last model in a global of the process
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  std::array<char, 1000> complaint{};
  mjModel* model = nullptr;
  try {
    // a file in MuJoCo's memory, where its compiler looks before the disk; too large for a stack
    const auto remove = [](mjVFS* files) { mj_deleteVFS(files), delete files; };
    const std::unique_ptr<mjVFS, decltype(remove)> files(new mjVFS, remove);
    const char* path = "model.xml";
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), path, static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    model = mj_loadXML(path, files.get(), complaint.data(), complaint.size());
  } catch (const MujocoError& error) {
    fail_usage("{} is no model that MuJoCo can simulate: {}", called, one_line(error.what()));
  }
  if (model == nullptr) {
    require_memory(complaint.data());
    fail_usage("{} is no model that MuJoCo can simulate: {}", called,
               plain_complaint(complaint.data()));
  }
  Model compiled{model, [](const mjModel* m) { mj_deleteModel(const_cast<mjModel*>(m)); }};
  if (!(model->opt.timestep > 0)) {
    fail_usage("{} has a timestep of {}; it must be above 0 seconds.", called, model->opt.timestep);
  }
  return compiled;
}

// the same with a list of its pairs of geoms that can touch, where that is faster
Model with_pairs(const Model& plain, std::string_view text, const std::string& called) {
  const std::string named = with_contact_pairs(text, *plain);
  if (named.empty()) return plain;
  try {
    const Model model = compile(named, called);
    // it is not shared yet
    set_contact_parameters(const_cast<mjModel&>(*model));
    return model;
  } catch (const UsageError&) {
    // models may have features that are not foreseen here
    return plain;
  }
}

// the name of an object, or "joint 3" where it has none
std::string name_of(const mjModel& m, mjtObj type, int id, const char* kind) {
  const char* name = mj_id2name(&m, type, id);
  return name != nullptr && *name != '\0' ? shown(name) : fmt::format("{} {}", kind, id);
}

void add_actuators(SimulatorSpec& spec, const mjModel& m, int levels, const std::string& called) {
  if (m.nu == 0) {
    fail_usage("{} has no actuators; give it an <actuator> section with at least one <motor>.",
               called);
  }
  for (int i = 0; i < m.nu; ++i) {
    Actuator& actuator = spec.actuators.emplace_back();
    actuator.name = name_of(m, mjOBJ_ACTUATOR, i, "actuator");
    if (!m.actuator_ctrllimited[i]) {
      fail_usage(
          "The actuator {} of {} has no range to cut into levels; write ctrllimited=\"true\" and "
          "ctrlrange=\"LOW HIGH\".",
          actuator.name, called);
    }
    const mjtNum* range = m.actuator_ctrlrange + 2 * i;
    for (int level = 0; level < levels; ++level) {
      actuator.controls.push_back(range[0] + (range[1] - range[0]) * level / (levels - 1));
    }
    // newton metres, or newtons, at control 1
    spec.facts.emplace_back("gear of " + actuator.name,
                            fmt::format("{:g}", m.actuator_gear[6 * i]));
  }
}

// the numbers of a joint among the positions and among the velocities
struct JointParts {
  const char* kind;
  std::vector<const char*> positions, velocities;
};

const JointParts& parts_of(int type) {
  static const std::array<JointParts, 4> parts = {
      JointParts{"free",
                 {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"},
                 {".x", ".y", ".z", ".wx", ".wy", ".wz"}},
      JointParts{"ball", {".qw", ".qx", ".qy", ".qz"}, {".wx", ".wy", ".wz"}},
      JointParts{"slide", {""}, {""}}, JointParts{"hinge", {""}, {""}}};
  static_assert(mjJNT_FREE == 0 && mjJNT_BALL == 1 && mjJNT_SLIDE == 2 && mjJNT_HINGE == 3);
  return parts[static_cast<std::size_t>(type)];
}

void add_joints(SimulatorSpec& spec, const mjModel& m) {
  std::vector<std::string> velocities;
  for (int j = 0; j < m.njnt; ++j) {
    const std::string name = name_of(m, mjOBJ_JOINT, j, "joint");
    const JointParts& parts = parts_of(m.jnt_type[j]);
    const mjtNum* range = m.jnt_range + 2 * j;
    spec.facts.emplace_back(
        "joint " + name,
        fmt::format(
            "{}, {}", parts.kind,
            m.jnt_limited[j] ? fmt::format("{:g} to {:g}", range[0], range[1]) : "no limits"));
    for (const char* part : parts.positions) spec.state_names.push_back(name + part);
    for (const char* part : parts.velocities) velocities.push_back("v(" + name + part + ")");
  }
  spec.state_names.insert(spec.state_names.end(), velocities.begin(), velocities.end());
  for (int i = 0; i < m.na; ++i) spec.state_names.push_back(fmt::format("activation {}", i));
}

MujocoModel describe_model(const std::string& name, std::string_view text,
                           const MujocoSettings& settings, const std::string& called) {
  MujocoModel model;
  model.plain = compile(text, called);
  const mjModel& m = *model.plain;
  model.settings = settings;
  SimulatorSpec& spec = model.spec;
  spec.name = name;
  spec.T = settings.T;
  spec.seconds = settings.frame_skip * m.opt.timestep;
  spec.deterministic = settings.reset_noise == 0;
  double mass = 0;  // of everything that moves
  for (int body = 1; body < m.nbody; ++body) {
    if (m.body_weldid[body] != 0) mass += m.body_mass[body];
  }
  spec.facts = {{"simulated by", "MuJoCo"},
                {"mass", fmt::format("{:g} kg", mass)},
                {"simulation steps",
                 fmt::format("{} of {:g} s per action", settings.frame_skip, m.opt.timestep)}};
  if (m.nv == 0) fail_usage("{} has no joints; nothing in it can move.", called);
  add_joints(spec, m);
  add_actuators(spec, m, settings.levels, called);
  spec.start.assign(static_cast<std::size_t>(m.nq + m.nv + m.na), 0);
  std::copy_n(m.qpos0, m.nq, spec.start.begin());
  if (settings.goal != "cell") spec.goal = numbers_named(spec, "world.goal", settings.goal);
  spec.observed = numbers_named(spec, "world.observe", settings.observe);
  model.model = with_pairs(model.plain, text, called);
  find_main_body(model, m);
  // sine and cosine of angles that are observed
  std::erase_if(model.main.turning, [&](int number) {
    return std::ranges::find(spec.observed, number) == spec.observed.end();
  });
  spec.observations = 2 * static_cast<int>(model.main.turning.size());
  set_places(model, m, called);
  // in a view from above heights are meaningless
  spec.ground = spec.view != FilmView::top;
  model.behaviours = parse_named_conditions("world.behaviours", settings.behaviours);
  return model;
}

}  // namespace

MujocoModel make_mujoco_model(const std::string& name, std::string_view text,
                              const MujocoSettings& settings) {
  return describe_model(name, text, settings, name);
}

MujocoModel load_mujoco_model(const MujocoSettings& settings, const std::string& copy) {
  const std::string& path = copy.empty() ? settings.model : copy;
  // a file that cannot be read is reported in our own words
  constexpr std::size_t largest_model = std::size_t{4} << 20;
  // the copy of a run has no includes
  std::string text =
      copy.empty() ? read_with_includes(path, largest_model) : read_file(path, largest_model);
  std::string name = file_name(std::filesystem::path(settings.model).stem().string());
  if (name.empty() || name.front() == '.') name.insert(0, "model");
  MujocoModel model = describe_model(name, text, settings, path);
  model.text = std::move(text);
  return model;
}

MujocoData make_data(const MujocoModel& model) {
  MujocoData data(mj_makeData(model.model.get()), mj_deleteData);
  if (!data) throw std::bad_alloc();
  return data;
}

const char* mujoco_version() {
  return mj_versionString();
}

}  // namespace vic
