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
#include <numeric>
#include <sstream>

#include "base/file.h"
#include "base/text.h"

namespace vic {
namespace {

using Model = std::shared_ptr<const mjModel>;

// The exception passes through frames of C, which have nothing to clean up and, on x86-64, tables
// to unwind them by. What MuJoCo had taken of an mjData's stack is given back by mj_resetData.
[[noreturn]] void throw_error(const char* message) {
  throw MujocoError(message);
}

// a warning about an mjData is counted in its `warning`, where the episode looks after every step
void ignore_warning(const char*) {}

// called before any other function of MuJoCo's; again does nothing
void catch_mujoco_errors() {
  // MuJoCo's handlers belong to the whole process. They are set once, under the lock that the
  // language puts around this line, and keep no state: an error travels in the exception of the
  // thread that met it, a warning stays in the mjData that it is about.
  static const bool installed = [] {
    mju_user_error = throw_error;
    mju_user_warning = ignore_warning;
    return true;
  }();
  static_cast<void>(installed);
}

// a file of MuJoCo's memory, which the compiler of models looks into before the disk
class MemoryFile {
 public:
  MemoryFile(const char* name, std::string_view text) {
    mj_defaultVFS(vfs_.get());
    mj_makeEmptyFileVFS(vfs_.get(), name, static_cast<int>(text.size()));
    std::memcpy(vfs_->filedata[0], text.data(), text.size());
  }
  ~MemoryFile() { mj_deleteVFS(vfs_.get()); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const mjVFS* get() const { return vfs_.get(); }

 private:
  std::unique_ptr<mjVFS> vfs_ = std::make_unique<mjVFS>();  // 200 KB
};

// MuJoCo's complaints have several lines
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (text.ends_with(' ')) text.pop_back();
  constexpr std::size_t most = 300;
  return shown(text, most);
}

// What a model may ask for in all, so that one from elsewhere costs a bounded time and memory.
struct Bound {
  std::string_view attribute;
  double most;
};
constexpr Bound bounds[] = {{"count", 1'000},      {"width", 8'192}, {"height", 8'192},
                            {"nrow", 8'192},       {"ncol", 8'192},  {"njmax", 10'000},
                            {"nconmax", 10'000},   {"nkey", 10'000}, {"nuserdata", 1'000'000},
                            {"nstack", 10'000'000}};

// Throws for a model that names another file, or asks for more than the bounds. MuJoCo would look
// for the file on the disk, whatever is in its memory. It looks wherever `name = "value"` may
// stand, in comments too: what is not parsed cannot be parsed otherwise than MuJoCo does.
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
          "file.",
          called, shown(name));
    }
    const Bound* bound = std::find_if(std::begin(bounds), std::end(bounds),
                                      [&](const Bound& b) { return b.attribute == name; });
    if (bound == std::end(bounds)) continue;
    while (value < text.size() && space(text[value])) ++value;
    // the numbers between the quotes, multiplied: those of a composite's count are its sides
    const std::string_view rest = text.substr(std::min(value + 1, text.size()));
    const std::string said(rest.substr(0, rest.find_first_of("'\"")));
    std::istringstream numbers(said);
    // digits may be written as entities, which is no way to write a number
    double product = said.find('&') == said.npos ? 1 : HUGE_VAL;
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
  // the compiler keeps the last model for itself, for the whole process
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  std::array<char, 1000> complaint{};
  mjModel* model = nullptr;
  try {
    const char* path = "model.xml";
    const MemoryFile memory(path, text);
    model = mj_loadXML(path, memory.get(), complaint.data(), complaint.size());
  } catch (const MujocoError& error) {
    fail_usage("{} is no model that MuJoCo can simulate: {}", called, one_line(error.what()));
  }
  if (model == nullptr) {
    fail_usage("{} is no model that MuJoCo can simulate: {}", called, one_line(complaint.data()));
  }
  Model compiled{model, [](const mjModel* m) { mj_deleteModel(const_cast<mjModel*>(m)); }};
  if (!(model->opt.timestep > 0)) {
    fail_usage("{} has a timestep of {}; it must be above 0 seconds.", called, model->opt.timestep);
  }
  return compiled;
}

// the name of an object, or "joint 3" where it has none
std::string name_of(const mjModel& m, mjtObj type, int id, const char* kind) {
  const char* name = mj_id2name(&m, type, id);
  return name != nullptr && *name != '\0' ? shown(name) : fmt::format("{} {}", kind, id);
}

void add_actuators(MujocoModel& world, const mjModel& m, const std::string& called) {
  if (m.nu == 0) {
    fail_usage("{} has no actuators; give it an <actuator> section with at least one <motor>.",
               called);
  }
  for (int i = 0; i < m.nu; ++i) {
    const std::string name = name_of(m, mjOBJ_ACTUATOR, i, "actuator");
    if (!m.actuator_ctrllimited[i]) {
      fail_usage(
          "The actuator {} of {} has no range to cut into levels; write ctrllimited=\"true\" and "
          "ctrlrange=\"LOW HIGH\".",
          name, called);
    }
    const mjtNum *range = m.actuator_ctrlrange + 2 * i, *gear = m.actuator_gear + 6 * i;
    world.actuators.push_back({name, range[0], range[1], gear[0]});
    for (int level = 0; level < world.L; ++level) {
      world.controls.push_back(range[0] + (range[1] - range[0]) * level / (world.L - 1));
    }
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

void add_joints(MujocoModel& world, const mjModel& m) {
  std::vector<std::string> velocities;
  for (int j = 0; j < m.njnt; ++j) {
    const std::string name = name_of(m, mjOBJ_JOINT, j, "joint");
    const JointParts& parts = parts_of(m.jnt_type[j]);
    const mjtNum* range = m.jnt_range + 2 * j;
    world.joints.push_back({name, parts.kind, m.jnt_limited[j] != 0, range[0], range[1]});
    for (const char* part : parts.positions) world.state_names.push_back(name + part);
    for (const char* part : parts.velocities) velocities.push_back("v(" + name + part + ")");
  }
  world.state_names.insert(world.state_names.end(), velocities.begin(), velocities.end());
  for (int i = 0; i < m.na; ++i) world.state_names.push_back(fmt::format("activation {}", i));
}

// which body stands for all, and which position is its pitch
void find_main_body(MujocoModel& world, const mjModel& m) {
  world.main_body = m.nbody - 1;
  for (int j = m.njnt - 1; j >= 0; --j) {
    if (m.jnt_type[j] == mjJNT_SLIDE || m.jnt_type[j] == mjJNT_FREE) {
      world.main_body = m.jnt_bodyid[j];
      world.main_slides = true;
    }
    if (m.jnt_type[j] == mjJNT_HINGE && !m.jnt_limited[j]) world.pitch = m.jnt_qposadr[j];
  }
}

// what world.goal says
void find_goal_numbers(MujocoModel& world, const std::string& said) {
  world.goal_is_cell = said == "cell";
  if (world.goal_is_cell) return;
  if (said == "all") {
    world.goal.resize(world.state_names.size());
    std::iota(world.goal.begin(), world.goal.end(), 0);
    return;
  }
  std::istringstream words(said);
  for (std::string word; words >> word;) {
    const auto found = std::find(world.state_names.begin(), world.state_names.end(), word);
    if (found == world.state_names.end()) {
      fail_usage("world.goal names {}, which is no number of {}{}", shown(word), world.name,
                 suggestion(word, world.state_names));
    }
    world.goal.push_back(static_cast<int>(found - world.state_names.begin()));
  }
}

MujocoModel describe_model(const std::string& name, Model model, std::string_view text,
                           const MujocoSettings& settings, const std::string& called) {
  const mjModel& m = *model;
  MujocoModel world;
  world.name = name;
  world.text = text;
  world.F = m.nu;
  world.L = settings.levels;
  world.T = settings.T;
  world.frame_skip = settings.frame_skip;
  world.bin = settings.bin;
  world.turn = settings.turn;
  world.pitch_bin = settings.pitch_bin;
  world.timestep = m.opt.timestep;
  world.nq = m.nq;
  world.nv = m.nv;
  world.na = m.na;
  world.n = m.nq + m.nv + m.na;
  if (m.nv == 0) fail_usage("{} has no joints; nothing in it can move.", called);
  add_actuators(world, m, called);
  add_joints(world, m);
  world.start.assign(static_cast<std::size_t>(world.n), 0);
  std::copy_n(m.qpos0, m.nq, world.start.begin());
  for (int body = 1; body < m.nbody; ++body) {
    if (m.body_weldid[body] != 0) world.mass += m.body_mass[body];
  }
  find_main_body(world, m);
  find_goal_numbers(world, settings.goal);
  world.model = std::move(model);
  return world;
}

}  // namespace

MujocoModel make_mujoco_model(const std::string& name, std::string_view text,
                              const MujocoSettings& settings) {
  return describe_model(name, compile(text, name), text, settings, name);
}

MujocoModel load_mujoco_model(const MujocoSettings& settings, const std::string& copy) {
  const std::string& path = copy.empty() ? settings.model : copy;
  // what cannot be read is reported in our own words
  constexpr std::size_t largest_model = std::size_t{4} << 20;
  const std::string text = read_file(path, largest_model);
  std::string name = file_name(std::filesystem::path(settings.model).stem().string());
  if (name.empty() || name.front() == '.') name.insert(0, "model");
  MujocoModel model = describe_model(name, compile(text, path), text, settings, path);
  model.from_file = true;
  return model;
}

MujocoData make_data(const MujocoModel& model) {
  MujocoData data(mj_makeData(model.model.get()), mj_deleteData);
  if (!data) throw std::bad_alloc();
  return data;
}

}  // namespace vic
