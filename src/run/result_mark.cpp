#include "run/result_mark.h"

#include <filesystem>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "run/build_info.h"
#include "run/run_folder.h"

namespace vic {
namespace {

// nothing if it is missing; also nothing of films that are too long to read
std::optional<std::string> read_text(const std::string& path) {
  std::error_code missing;
  // a missing file has the size -1
  if (std::filesystem::file_size(path, missing) > largest_text_file) return {};
  return read_file(path);
}

}  // namespace

std::string run_id(const std::vector<Assignment>& settings, std::string_view world_text) {
  std::map<std::string, std::string> sorted;
  for (const Assignment& setting : settings) sorted[setting.key] = setting.value;
  for (const char* key : {"train.threads", "run.group", "run.checkpoint_every"}) sorted.erase(key);
  // the settings of the evaluation do not change what a run learns
  std::erase_if(sorted, [](const auto& setting) { return setting.first.starts_with("eval."); });
  // FNV-1a, with a zero after every text
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::string_view text) {
    constexpr std::uint64_t prime = 0x100000001b3;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * prime;
    hash *= prime;
  };
  for (const auto& [key, value] : sorted) {
    add(key);
    add(value);
  }
  add(world_text);
  return fmt::format("{:016x}", hash);
}

Json result_mark(const Run& run) {
  return {{"run_id", run_id(run.resolved, run.world_text)},
          {"updates", run.learner->state().update},
          {"metrics_crc32c", fmt::format("{:08x}", run.marks.metrics_crc)}};
}

std::string wrong_mark(const std::string& path, const Json& result, const Json& mark) {
  // old results without marks are accepted as they are
  const auto differs = [&](const char* key) {
    return result.contains(key) && mark.contains(key) && result[key] != mark[key];
  };
  const auto both = [&](const char* key) {
    return fmt::format("{} and {}", shown(result[key].dump()), shown(mark[key].dump()));
  };
  if (differs("run_id")) {
    return fmt::format("{} is of another run: its run id and that of the folder are {}.", path,
                       both("run_id"));
  }
  const std::string folder = shell_word(std::filesystem::path(path).parent_path().string());
  if (differs("updates")) {
    return fmt::format("{} and the checkpoint are of updates {}; vic train --resume {} repairs it.",
                       path, both("updates"), folder);
  }
  if (!differs("metrics_crc32c")) return "";
  return fmt::format(
      "{} belongs to other metrics: their checksums are {}; vic train --resume {} "
      "repairs it.",
      path, both("metrics_crc32c"), folder);
}

std::string wrong_results(const Run& run, const std::string& folder) {
  for (const char* name : {evaluation_name, "/films.json"}) {
    const std::string path = folder + name;
    const auto text = read_text(path);
    if (!text) continue;
    const auto json = Json::try_parse(*text);
    const std::string wrong = json ? wrong_mark(path, *json, result_mark(run))
                                   : fmt::format("{} is damaged: it is not JSON.", path);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::optional<std::string> stored_evaluation(const Run& run, const std::string& folder) {
  std::optional<std::string> text = read_text(folder + evaluation_name);
  const auto json = text ? Json::try_parse(*text) : std::nullopt;
  if (!json || !build_difference(read_text(folder + "/build.json").value_or("")).empty()) return {};
  const Json mark = result_mark(run);
  for (const auto& [key, value] : mark.items()) {
    if (!json->contains(key) || (*json)[key] != value) return {};
  }
  return text;
}

}  // namespace vic
