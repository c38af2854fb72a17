#include "world/world_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "base/file.h"
#include "base/text.h"

namespace vic {
namespace {

// Parsed, a file may take two hundred times its size in memory; the largest map fits within this.
constexpr std::size_t largest_world_file = std::size_t{8} << 20;

const std::vector<std::string> all_keys = {
    "name",  "T_max",  "step_reward", "start",   "map",         "cells",  "moves",
    "noise", "origin", "states",      "actions", "transitions", "starts", "termination"};

// the settings that the command line may change in any file
struct WorldFileSettings {
  int T_max = 0;
  std::string start;  // empty: that of the file

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T_max", T_max, T_max_range, "actions in an option, the termination included");
    field("start", start, Range{}, "the start or state every option starts in");
  }

  static constexpr Range T_max_range{2, 100000};
};

bool fits_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.+").find(c) != std::string_view::npos;
}

// a world's name becomes part of the names of folders
std::string read_name(const FileValue& file) {
  if (const FileValue value = file["name"]) {
    std::string name = value.name();
    if (name.front() == '.' || !std::all_of(name.begin(), name.end(), fits_a_name)) {
      value.reject("made of letters, digits and - _ . + and not begin with a dot");
    }
    return name;
  }
  std::string name = std::filesystem::path(file.path()).stem().string();
  name = name.substr(0, longest_shown);
  for (char& c : name) {
    if (!fits_a_name(c)) c = '-';
  }
  if (name.empty() || name.front() == '.') name.insert(0, "world");
  return name;
}

// a file is a map or a table; keys of the other form are a mistake
WrittenWorld read_either_form(const FileValue& file, const CommonKeys& common) {
  const FileValue map = file["map"];
  for (const char* key : {"states", "transitions", "actions", "starts"}) {
    if (const FileValue other = file[key]; other && map) {
      other.fail("{} belongs to a table of transitions and this file has a map; remove one.", key);
    }
  }
  if (map) return read_map_form(file, common);
  for (const char* key : {"cells", "moves", "noise", "origin"}) {
    if (const FileValue other = file[key]) {
      other.fail("{} belongs to a map and this file has none; write map = \"\"\"...\"\"\".", key);
    }
  }
  if (!file["states"]) {
    file["states"].fail("the file has neither a map nor states; write one of them.");
  }
  return read_table_form(file, common);
}

// a goal behind walls is a typing error that would cost a day of training
void check_goals(const WrittenWorld& written, const std::string& path) {
  const TabularWorld& world = written.world;
  const std::vector<char> reachable = world.reachable_in(world.S, world.starts);
  for (int s = 0; s < world.S; ++s) {
    const bool rewarded = world.enter_reward[s] != 0;
    if (reachable[s] || (!rewarded && !world.absorbing[s])) continue;
    fail_usage(
        "{}:{}: {} = {} at {} cannot be reached from any start; open a way to it or remove it.",
        path, written.lines[s], rewarded ? "reward" : "absorbing",
        rewarded ? fmt::format("{}", world.enter_reward[s]) : "true", world.state_names[s]);
  }
}

// makes the world start at the start of this name, or else at the state of this name; `origin` is
// the beginning of an error
void start_at(WrittenWorld& written, const std::string& text, const std::string& origin) {
  TabularWorld& world = written.world;
  const auto& names = written.start_names;
  const auto named = std::find(names.begin(), names.end(), text);
  const std::optional<int> s =
      named != names.end() ? world.starts[named - names.begin()] : world.state_named(text);
  if (!s) {
    std::vector<std::string> known = names;
    for (const std::string& name : world.state_names) {
      if (std::find(names.begin(), names.end(), name) == names.end()) known.push_back(name);
    }
    fail_usage("{} is neither a start nor a state{}", origin, suggestion(text, known));
  }
  world = started_at(std::move(world), *s);
}

// chooses among the starts of the file
void read_start(const FileValue& start, WrittenWorld& written, const std::string& path) {
  TabularWorld& world = written.world;
  if (written.start_names.empty()) {
    if (!start) start.fail("no start is given; write start = \"...\", or draw an S on the map.");
    world.starts.clear();  // it was built with an arbitrary start
  }
  if (start) {
    const std::string text = start.name();
    start_at(written, text, fmt::format("{}:{}: start = \"{}\"", path, start.line(), text));
  }
  for (int s : world.starts) {
    if (!world.absorbing[s]) continue;
    fail_usage(
        "{}:{}: absorbing = true at {}, a start, leaves no move to make; remove one of the two.",
        path, written.lines[s], world.state_names[s]);
  }
}

}  // namespace

bool may_stop(const std::string& termination) {
  if (termination != "free" && termination != "never") {
    fail_usage("termination = \"{}\" is not allowed; it must be free or never.",
               shown(termination));
  }
  return termination == "free";
}

bool sums_to_one(double sum) {
  // tighter than the tolerance of WorldBuilder, which adds in another order
  return std::abs(sum - 1) <= 0.9e-9;
}

TabularWorld load_world_file(const std::string& path, Overrides& overrides) {
  return parse_world_file(read_file(path, largest_world_file), path, overrides);
}

TabularWorld parse_world_file(std::string_view text, const std::string& path,
                              Overrides& overrides) {
  const FileValue file = FileValue::parse_toml(text, path, all_keys);
  const CommonKeys common{
      .name = read_name(file),
      .T_max = file["T_max"].whole(WorldFileSettings::T_max_range),
      .step_reward = file["step_reward"] ? file["step_reward"].number(reward_range) : 0};
  WrittenWorld written = read_either_form(file, common);
  if (const FileValue value = file["termination"]) {
    const std::string word = value.text();
    if (word != "free" && word != "never") value.reject("free or never");
    written.world.may_stop = may_stop(word);
  }
  read_start(file["start"], written, path);
  check_goals(written, path);

  // the command line overrides the file
  WorldFileSettings settings{.T_max = common.T_max, .start = ""};
  overrides.apply("world", settings);
  written.world.T_max = settings.T_max;
  if (!settings.start.empty()) {
    start_at(written, settings.start,
             fmt::format("{}: world.start = {}", path, shown(settings.start)));
    if (written.world.absorbing[written.world.s_0]) {
      fail_usage("{}: world.start = {} is absorbing: an option that starts there has no choice.",
                 path, shown(settings.start));
    }
  }
  return std::move(written.world);
}

}  // namespace vic
