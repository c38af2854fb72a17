#include "experiment/shipped.h"

#include <algorithm>
#include <filesystem>

#include "base/data_folder.h"
#include "base/error.h"
#include "base/text.h"

namespace vic {
namespace {

std::filesystem::path folder() {
  return data_folder() / "experiments";
}

}  // namespace

std::vector<std::string> shipped_experiments() {
  std::vector<std::string> names;
  std::error_code status;
  for (const auto& file : std::filesystem::directory_iterator(folder(), status)) {
    if (file.path().extension() == ".toml") names.push_back(file.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

std::string experiment_file(const std::string& name) {
  if (name.ends_with(".toml")) return name;
  const std::vector<std::string> names = shipped_experiments();
  if (std::ranges::find(names, name) == names.end()) {
    fail_usage("There is no experiment '{}'{}", name, suggestion(name, names));
  }
  return folder() / (name + ".toml");
}

}  // namespace vic
