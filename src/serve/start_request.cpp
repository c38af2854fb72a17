#include "serve/start_request.h"

#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "method/algorithm.h"
#include "sim/world.h"
#include "world/registry.h"

namespace vic {
namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view digits = "0123456789";

bool consists_of(std::string_view text, std::string_view a, std::string_view b,
                 std::string_view c = "") {
  return std::ranges::all_of(text, [&](char letter) {
    return a.find(letter) != a.npos || b.find(letter) != b.npos || c.find(letter) != c.npos;
  });
}

std::string text_of(const Json& form, const char* field) {
  const Json* value = form.find(field);
  if (value == nullptr || value->is_null()) return "";
  if (!value->is_string()) fail_usage("{} must be a text.", field);
  const std::string text = value->get<std::string>();
  // text that begins with a hyphen would be another option
  if (text.starts_with('-') || text.size() > 400) {
    fail_usage("{} = {} is not allowed: it begins with a hyphen or is too long.", field,
               shown(text));
  }
  return text;
}

std::vector<std::string> world_names() {
  std::vector<std::string> names;
  for (const WorldEntry& entry : registry()) names.push_back(entry.name);
  for (const SimulatorFamily& family : simulator_registry()) {
    for (const SimulatorEntry& entry : family.entries) names.push_back(entry.name);
  }
  return names;
}

void require_world(const std::string& world) {
  const auto names = world_names();
  if (std::ranges::count(names, world) > 0) return;
  const bool file = is_world_file(world) || find_simulators(world) != nullptr;
  if (!file) fail_usage("There is no world '{}'{}", shown(world), suggestion(world, names));
  if (!std::filesystem::is_regular_file(world)) fail_usage("There is no file {}.", shown(world));
}

// "train.lambda=0.5"
void require_setting(std::string_view line) {
  const std::size_t equals = line.find('='), dot = line.find('.');
  const std::string_view key = line.substr(0, equals);
  if (equals == line.npos || dot == line.npos || dot > equals || has_control(line) ||
      !consists_of(key, letters, digits, "._")) {
    fail_usage("'{}' is no setting: write a line like train.lambda=0.5 for each.", shown(line));
  }
}

}  // namespace

StartRequest read_start_request(const Json& form, const std::string& root) {
  const std::string world = text_of(form, "world"), algorithm = text_of(form, "algorithm");
  const std::string seed = text_of(form, "seed"), updates = text_of(form, "updates");
  require_world(world);
  StartRequest request;
  auto& list = request.arguments = {"train", world};
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) list.insert(list.end(), {flag, value});
  };
  if (const auto names = algorithm_names();
      !algorithm.empty() && std::ranges::count(names, algorithm) == 0) {
    fail_usage("There is no algorithm '{}'{}", shown(algorithm), suggestion(algorithm, names));
  }
  if (!consists_of(seed, digits, "")) fail_usage("seed = {} is not a whole number.", shown(seed));
  if (!consists_of(updates, digits, "e.+")) {
    fail_usage("updates = {} is no number.", shown(updates));
  }
  add("--algorithm", algorithm);
  add("--seed", seed);
  add("--updates", updates);
  const std::string settings = text_of(form, "settings");
  for (std::size_t begin = 0; begin < settings.size();) {
    const std::size_t end = std::min(settings.find('\n', begin), settings.size());
    const std::string line = settings.substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \r") == line.npos) continue;
    require_setting(line);
    add("--set", line);
  }
  std::string name = text_of(form, "name");
  if (name.empty()) {
    name = file_name(std::filesystem::path(world).stem().string() + "-" +
                     (algorithm.empty() ? "run" : algorithm) + "-" + (seed.empty() ? "1" : seed));
  }
  if (name.starts_with('.') || !consists_of(name, letters, digits, "._-")) {
    fail_usage("name = {} is not the name of a folder: use letters, digits, '.', '_' and '-'.",
               shown(name));
  }
  request.folder = root + "/" + name;
  if (path_may_exist(request.folder)) {
    fail_usage("There is a folder {} already; choose another name.", name);
  }
  add("--out", request.folder);
  return request;
}

Json start_choices() {
  return {{"worlds", world_names()}, {"algorithms", algorithm_names()}};
}

}  // namespace vic
