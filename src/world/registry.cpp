#include "world/registry.h"

#include "base/text.h"
#include "world/world_file.h"

namespace vic {

namespace {

// the settings of every world, of whatever family or file
struct TerminationSettings {
  std::string termination;  // empty: as in the world itself

  template <class Visitor>
  void visit(Visitor&& field) {
    field("termination", termination, Range{},
          "free, or never: options of exactly T_max - 1 moves");
  }
};

void set_termination(TabularWorld& world, Overrides& overrides) {
  TerminationSettings settings;
  overrides.apply("world", settings);
  if (!settings.termination.empty()) world.may_stop = may_stop(settings.termination);
}

std::vector<WorldEntry>& entries() {
  static std::vector<WorldEntry> all = [] {
    std::vector<WorldEntry> list;
    for (const auto& family : {line_worlds(), grid_worlds(), tree_worlds(), four_rooms_worlds(),
                               rooms_35_worlds(), noisy_tv_worlds()}) {
      list.insert(list.end(), family.begin(), family.end());
    }
    return list;
  }();
  return all;
}

}  // namespace

const std::vector<WorldEntry>& registry() {
  return entries();
}

bool register_worlds(const std::vector<WorldEntry>& family) {
  entries().insert(entries().end(), family.begin(), family.end());
  return true;
}

bool is_world_file(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".toml");
}

TabularWorld load_world(const std::string& name, Overrides& overrides,
                        std::vector<std::string> other_names) {
  for (const WorldEntry& entry : registry()) {
    if (entry.name != name) continue;
    TabularWorld world = entry.make(overrides);
    set_termination(world, overrides);
    return world;
  }
  if (is_world_file(name)) {
    TabularWorld world = load_world_file(name, overrides);
    set_termination(world, overrides);
    return world;
  }
  std::vector<std::string> names;
  for (const WorldEntry& entry : registry()) names.push_back(entry.name);
  names.insert(names.end(), other_names.begin(), other_names.end());
  fail_usage("There is no world '{}'{} A world of your own is a file that ends in .toml or .xml.",
             name, suggestion(name, names));
}

}  // namespace vic
