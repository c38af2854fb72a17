#include "world/registry.h"

#include "base/text.h"
#include "world/world_file.h"

namespace vic {

namespace {

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
    if (entry.name == name) return entry.make(overrides);
  }
  if (is_world_file(name)) return load_world_file(name, overrides);
  std::vector<std::string> names;
  for (const WorldEntry& entry : registry()) names.push_back(entry.name);
  names.insert(names.end(), other_names.begin(), other_names.end());
  fail_usage("There is no world '{}'{} A world of your own is a file that ends in .toml or .xml.",
             name, suggestion(name, names));
}

}  // namespace vic
