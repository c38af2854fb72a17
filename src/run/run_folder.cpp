#include "run/run_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "base/checksum.h"
#include "base/file.h"
#include "base/text.h"
#include "method/shard.h"
#include "run/build_info.h"
#include "run/checkpoint.h"
#include "run/result_mark.h"
#include "world/registry.h"

namespace vic {
namespace {

constexpr const char* settings_name = "/settings.toml";
constexpr const char* build_name = "/build.json";

// all files that a run may have, its settings first
constexpr std::array run_files = {settings_name,
                                  build_name,
                                  evaluation_name,
                                  "/films.json",
                                  "/world.toml",
                                  "/world.xml",
                                  "/metrics.jsonl",
                                  "/events.out.tfevents.vic",
                                  "/timing.jsonl",
                                  "/behaviours.jsonl",
                                  "/control.jsonl",
                                  "/alarms.jsonl",
                                  "/checkpoint.safetensors",
                                  "/checkpoint.previous.safetensors",
                                  "/truth.json",
                                  "/evaluation.part.safetensors"};

// metadata of a checkpoint that identify its run
constexpr const char* world_key = "world_crc32c";
constexpr std::string_view settings_prefix = "settings.";

const Assignment* find(const std::vector<Assignment>& list, const std::string& key) {
  const auto found = std::find_if(list.rbegin(), list.rend(),
                                  [&](const Assignment& said) { return said.key == key; });
  return found == list.rend() ? nullptr : &*found;
}

std::string checksum_text(const std::string& text) {
  return text.empty() ? "" : fmt::format("{:08x}", crc32c(text));
}

// the metadata of a checkpoint that identify its run
std::map<std::string, std::string> identity(const Run& run) {
  std::map<std::string, std::string> metadata = {{world_key, checksum_text(run.world_text)},
                                                 {"run_id", run_id(run.resolved, run.world_text)}};
  for (const Assignment& setting : run.resolved)
    metadata[std::string(settings_prefix) + setting.key] = setting.value;
  return metadata;
}

// a checkpoint belongs to its settings and world: with others it would be another run
void require_same(const Run& run, const TensorFile& checkpoint, const std::string& folder) {
  const std::map<std::string, std::string> now = identity(run), then = checkpoint.metadata;
  const auto value_of = [](const auto& metadata, const std::string& key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string("not said") : found->second;
  };
  std::set<std::string> keys;
  for (const auto* metadata : {&now, &then}) {
    for (const auto& [key, value] : *metadata) keys.insert(key);
  }
  for (const std::string& key : keys) {
    const std::string is = value_of(now, key), was = value_of(then, key);
    if (is == was) continue;
    if (key == world_key) {
      fail_usage("{}/{} was changed after the run began; put it back.", folder, run.world_file);
    }
    if (!key.starts_with(settings_prefix)) continue;
    fail_usage("{}{} was changed after the run began: {} is {} and was {}; put it back.", folder,
               settings_name, key.substr(settings_prefix.size()), is, was);
  }
}

// Options of a survey of a simulated world, given those that training samples: a hundredth, so that
// surveys, the last evaluation and the random options beside it take a few hundredths of the time
// in any world.
int surveyed(long options) {
  constexpr long share = 100, fewest = 32, most = 1024;
  return static_cast<int>(std::clamp(options / share, fewest, most));
}

// JSON files, terminals and pages accept nothing else
void require_text(const std::vector<Assignment>& settings) {
  for (const auto& [key, value, origin] : settings) {
    if (is_utf8(value) && !has_control(value)) continue;
    fail_usage("{} = {} is not allowed; it must be text in UTF-8 without control characters.",
               shown(key), shown(value));
  }
}

// the run of a folder, before its first update
Run read_settings(const std::string& folder, std::optional<Scales> scales) {
  const std::vector<Assignment> assignments = read_settings_file(folder + settings_name);
  const auto require = [&](const std::string& key) {
    if (find(assignments, key) != nullptr) return;
    fail_usage(
        "{}{} lacks {}: it was changed after the run was made, or vic had no such setting then. "
        "Its "
        "build.json names the commit that reads it.",
        folder, settings_name, key);
  };
  require_format(assignments, folder);
  require("run.world");
  if (const std::string copy = world_copy(assignments, folder);
      !copy.empty() && !path_exists(copy)) {
    fail_usage("{} is lost; put it back.", copy);
  }
  Run run = make_run(Overrides(assignments), folder, std::move(scales));
  for (const Assignment& setting : run.resolved) require(setting.key);
  return run;
}

}  // namespace

void require_format(const std::vector<Assignment>& settings, const std::string& folder) {
  require_text(settings);
  const Assignment* format = find(settings, "run.format");
  if (format != nullptr && format->value == std::to_string(run_format)) return;
  fail_usage(
      "{} was written by {} vic: its format is {}, and this one reads {}. Its build.json names the "
      "commit that reads it.",
      folder, format == nullptr ? "an older" : "another", format == nullptr ? "1" : format->value,
      run_format);
}

Run make_run(Overrides overrides, const std::string& folder, std::optional<Scales> scales) {
  Run run;
  overrides.apply("run", run.settings);
  LoadedWorld loaded = load_any_world(run.settings.world, overrides, folder);
  run.world = std::move(loaded.world);
  run.world_file = std::move(loaded.file_name);
  run.world_text = std::move(loaded.file_text);
  const WorldRef world =
      std::visit([](const auto& held) { return WorldRef(held.get()); }, run.world);
  const Assignment* said = overrides.last("train.algorithm");
  const Algorithm& algorithm = said ? find_algorithm(said->value) : default_algorithm(world);
  const TrainSettings defaults = default_settings(world, algorithm);
  TrainSettings train = defaults;
  overrides.apply("train", train);
  overrides.follow("train.warm_up", train.warm_up, default_warm_up(world, train));
  overrides.follow("train.minibatches", train.minibatches,
                   std::min(train.minibatches, shard_count(world, train)));
  overrides.refuse_ignored("train", defaults, [&](std::string_view setting) {
    return why_ignored(setting, world, algorithm);
  });
  const bool simulated = simulator_in(run.world) != nullptr;
  if (simulated) {
    // at least five points of a curve, however short the training
    constexpr long points = 5;
    overrides.follow("run.survey_every", run.settings.survey_every,
                     static_cast<int>(std::clamp(train.all_updates() / points, 1L, 200L)));
  }
  const bool shared = simulated && overrides.last("run.survey_options") == nullptr;
  if (shared) {
    overrides.follow("run.survey_options", run.settings.survey_options,
                     surveyed(long{run.settings.survey_every} * train.batch));
  }
  run.resolved = overrides.resolved();
  // of eval.* only what was set is recorded: results and old folders do not depend on the rest
  run.eval.survey =
      shared ? surveyed(train.all_updates() * train.batch) : run.settings.survey_options;
  overrides.apply("eval", run.eval);
  for (std::size_t i = run.resolved.size(); i < overrides.resolved().size(); ++i) {
    const Assignment& setting = overrides.resolved()[i];
    const bool follows = shared && setting.key == "eval.survey";
    if (follows || overrides.last(setting.key) != nullptr) run.resolved.push_back(setting);
  }
  overrides.finish();
  require_text(run.resolved);
  run.learner = std::make_unique<Learner>(make_agent(world, train, std::move(scales)));
  return run;
}

Reference find_reference(const Run& run, std::span<const double> lambdas,
                         const SolveProgress& progress, Stop stop) {
  return find_reference(run.world, lambdas, progress, stop, run.eval.survey);
}

Run load_run(const std::string& folder, const Warn& warn) {
  require_run(folder);
  const auto checkpoint = read_checkpoint(folder, warn);
  Run run = read_settings(folder, checkpoint ? saved_scales(checkpoint->file) : std::nullopt);
  if (!checkpoint && !run.settings.from.empty()) {
    fail_usage("{} has lost its checkpoints, and it began with the weights of {}; train it anew.",
               folder, run.settings.from);
  }
  if (checkpoint) {
    require_same(run, checkpoint->file, folder);
    restore(*run.learner, checkpoint->file);
    run.marks = get_marks(checkpoint->file.metadata);
    run.newest_damaged = checkpoint->newest_damaged;
  }
  if (const std::string wrong = wrong_results(run, folder); !wrong.empty()) warn(wrong);
  return run;
}

Run load_trained_run(const std::string& folder, const Warn& warn) {
  Run run = load_run(folder, warn);
  const long update = run.learner->state().update, all = run.learner->settings().all_updates();
  if (update == 0) {
    fail_usage("'{}' has no checkpoint yet; vic train --resume {} goes on with its training.",
               folder, shell_word(folder));
  }
  if (update < all) {
    warn(fmt::format("{} has done {} of its {} updates; vic train --resume {} goes on.", folder,
                     update, all, shell_word(folder)));
  }
  return run;
}

Run load_tabular_run(const std::string& folder, const Warn& warn) {
  Run run = load_trained_run(folder, warn);
  require_table(run.world);
  return run;
}

std::string world_copy(const std::vector<Assignment>& settings, const std::string& folder) {
  const Assignment* said = find(settings, "run.world");
  const std::string world = said == nullptr ? "" : said->value;
  const SimulatorFamily* family = find_simulators(world);
  if (family == nullptr) return is_world_file(world) ? folder + "/world.toml" : "";
  const bool file = family->is_file(world) || find(settings, "world.model") != nullptr;
  return file ? folder + "/" + family->model_file : "";
}

bool has_run(const std::string& folder) {
  return path_exists(folder + settings_name);
}

bool is_done(const std::string& folder) {
  return path_exists(folder + evaluation_name);
}

void require_run(const std::string& folder) {
  for (const char* name : run_files) require_plain_file(folder + name);
  if (has_run(folder)) return;
  // the user may have named a folder of several runs
  std::vector<std::string> inside;
  std::error_code status;
  for (const auto& entry : std::filesystem::directory_iterator(folder, status)) {
    if (has_run(entry.path())) inside.push_back(shell_word(entry.path().string()));
  }
  if (!inside.empty()) {
    std::ranges::sort(inside);
    const std::size_t some = std::min<std::size_t>(3, inside.size());
    fail_usage("'{}' holds {} run{}; name one, as {}.", folder, inside.size(),
               inside.size() == 1 ? "" : "s",
               alternatives(std::span<const std::string>(inside).first(some)));
  }
  fail_usage("'{}' is not a run folder: settings.toml is missing. Create one with vic train.",
             folder);
}

void require_no_run(const std::string& folder, Existing existing) {
  if (existing == Existing::replace) return;
  if (is_done(folder)) {
    fail_usage(
        "{} has a finished run already; choose another folder with --out, or replace it with "
        "--force.",
        folder);
  }
  if (has_run(folder)) {
    fail_usage(
        "{} has a run already; vic train --resume {} goes on with it, --out chooses another "
        "folder, --force replaces it.",
        folder, shell_word(folder));
  }
}

FolderLock lock_run(const std::string& folder) {
  auto lock = FolderLock::take(folder);
  if (!lock) {
    throw Error(fmt::format("{} is in use: another vic trains there; wait until it ends.", folder));
  }
  return std::move(*lock);
}

FolderLock begin_run_folder(const Run& run, const std::string& folder, Existing existing,
                            std::optional<FolderLock> taken) {
  make_folders(folder);
  FolderLock lock = taken ? std::move(*taken) : lock_run(folder);
  require_no_run(folder, existing);
  if (has_run(folder)) {
    // the settings go first: what a failed removal leaves behind is then not a run
    for (const char* name : run_files) {
      std::error_code error;
      std::filesystem::remove(folder + name, error);
      if (error) throw Error(fmt::format("Cannot remove {}{}: {}.", folder, name, error.message()));
    }
  }
  if (!run.world_text.empty())
    write_file(folder + "/" + run.world_file, run.world_text, Links::replace);
  write_file(folder + build_name, build_json().dump(2) + "\n", Links::replace);
  if (!run.settings.from.empty()) save_checkpoint(run, folder);
  // the settings make the folder a run
  write_file(folder + settings_name, settings_text(run.resolved), Links::replace);
  return lock;
}

void warn_of_another_build(const std::string& folder, const Warn& warn) {
  const std::string path = folder + build_name;
  const std::string difference = build_difference(path_exists(path) ? read_file(path) : "");
  if (difference.empty()) return;
  warn(fmt::format(
      "Another build of vic began {}: {}; the run may end in other digits than an undisturbed one.",
      folder, difference));
}

void save_checkpoint(const Run& run, const std::string& folder) {
  TensorFile file = snapshot(*run.learner);
  file.metadata = identity(run);
  put_marks(file.metadata, run.marks);
  write_checkpoint(folder, seal_tensors(std::move(file)));
}

}  // namespace vic
