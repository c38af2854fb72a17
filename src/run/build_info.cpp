#include "run/build_info.h"

#include <fmt/core.h>
#include <sys/utsname.h>

#include <fstream>
#include <string>
#include <thread>

#include "base/json.h"
#include "base/text.h"
#include "commit.h"  // made by cmake/commit.cmake

namespace vic {
namespace {

// the value of a key in a file of lines "key : value"; "" if it is not there
std::string look_up(const char* path, const std::string& key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t found = line.find(separator);
    if (found == std::string::npos) continue;
    const std::size_t first = line.find_first_not_of(" \"", found + 1);
    const std::size_t last = line.find_last_not_of(" \"");
    return first == std::string::npos ? "" : line.substr(first, last - first + 1);
  }
  return "";
}

Json known(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

}  // namespace

Json build_json() {
  utsname system{};
  const bool named = ::uname(&system) == 0;
  return {{"version", VIC_VERSION},
          {"commit", known(VIC_COMMIT)},
          {"compiler", VIC_COMPILER},
          {"flags", VIC_BUILD_FLAGS},
          {"arch", VIC_ARCH},
          {"cpu", known(look_up("/proc/cpuinfo", "model name", ':'))},
          {"cpus", std::thread::hardware_concurrency()},
          {"os", known(look_up("/etc/os-release", "PRETTY_NAME", '='))},
          {"kernel", known(named ? std::string(system.sysname) + " " + system.release : "")}};
}

std::string build_difference(const std::string& text) {
  const Json then = Json::try_parse(text).value_or(nullptr), now = build_json();
  for (const char* key : {"version", "commit", "compiler", "flags", "arch"}) {
    if (!then.contains(key)) return fmt::format("the {} is not known", key);
    if (then[key] == now[key]) continue;
    const auto word = [](const Json& value) {
      return value.is_string() ? shown(value.get<std::string>()) : std::string("unknown");
    };
    return fmt::format("the {} was {} and is {}", key, word(then[key]), word(now[key]));
  }
  return "";
}

}  // namespace vic
