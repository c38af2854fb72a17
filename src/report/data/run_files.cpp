#include "report/data/run_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "base/checksum.h"
#include "base/file.h"
#include "base/text.h"
#include "run/result_mark.h"
#include "run/run_folder.h"
#include "sim/world.h"

namespace vic {
namespace {

namespace fs = std::filesystem;

Distribution read_distribution(const FileValue& json, const char* key) {
  Distribution list;
  for (const FileValue& entry : json.objects(key)) {
    list.emplace_back(entry.text("state"), entry.number("p"));
  }
  return list;
}

void read_picture(WorldTruth& truth, const FileValue& json) {
  truth.picture.lines = json.texts("lines");
  const auto& lines = truth.picture.lines;
  for (const FileValue& cell : json.objects("cells")) {
    const long row = cell.whole("row"), column = cell.whole("column");
    truth.picture_states.push_back(cell.text("state"));
    truth.picture.cells.push_back({static_cast<int>(row), static_cast<int>(column)});
    if (row >= 0 && row < std::ssize(lines) && column >= 0 && column < std::ssize(lines[row])) {
      continue;
    }
    fail_usage("{} is damaged: the state {} lies outside of the picture.", json.path(),
               truth.picture_states.back());
  }
}

StateGraph read_graph(const FileValue& json) {
  StateGraph graph;
  for (const FileValue& place : json.objects("places")) {
    graph.places.push_back({place.text("state"), place.number("x"), place.number("y")});
  }
  for (const FileValue& move : json.objects("moves")) {
    graph.moves.emplace_back(move.text("from"), move.text("to"));
  }
  return graph;
}

long whole_setting(const RunHead& run, const std::string& key) {
  const std::string value = run.setting(key);
  long number = 0;
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (status != std::errc() || end != value.data() + value.size()) {
    fail_usage("{}/settings.toml is damaged: it has no whole number for {}.", run.folder, key);
  }
  return number;
}

std::vector<std::pair<std::string, std::string>> read_build(const FileValue& json) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const auto& [key, value] : json.json().items()) {
    list.emplace_back(shown(key), shown(value.is_string() ? value.get<std::string>() : value.dump(),
                                        std::string::npos));
  }
  return list;
}

// the name of the world in the files, before there is an evaluation
std::string world_name(const RunHead& run) {
  const std::string model = run.setting("world.model");
  return fs::path(model.empty() ? run.setting("run.world") : model).stem().string();
}

// Whether the run is in a simulated world; its files show it even if the simulator is not known.
bool is_simulated(const RunFiles& run) {
  return find_simulators(run.setting("run.world")) != nullptr ||
         path_exists(run.folder + "/behaviours.jsonl") || path_exists(run.folder + "/films.json");
}

// an object from a file of the run, nothing if the file is missing
std::optional<FileValue> read_object(const std::string& folder, const std::string& name) {
  const std::string path = folder + "/" + name;
  if (!path_exists(path)) return std::nullopt;
  return FileValue::parse(read_file(path), path);
}

// Reads a log with an object per line whose "update" increases. See parse_metrics.
template <class Visit>
void parse_log(std::string_view text, const std::string& path, bool finished, const Visit& visit) {
  std::optional<long> last;
  for (long number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    // a run in progress, or one that was killed, may have half a last line
    if (end == std::string_view::npos && !finished) break;
    const FileValue line =
        FileValue::parse(text.substr(0, end), fmt::format("{}:{}", path, number));
    const long update = line.whole("update");
    if (last && update <= *last) {
      fail_usage("{} is damaged: update {} does not come after {}.", line.path(), update, *last);
    }
    visit(update, line);
    last = update;
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
  }
}

// a log of the folder, empty if it is missing
std::string read_log(const std::string& path) {
  return path_exists(path) ? read_file(path) : "";
}

ControlCurve read_control(const std::string& path, bool finished) {
  ControlCurve curve;
  bool split = true;
  parse_log(read_log(path), path, finished, [&](long update, const FileValue& json) {
    const auto D = json.maybe_number("D"), N = json.maybe_number("N");
    split = split && D && N;
    curve.update.push_back(update);
    curve.H.push_back(json.number("H"));
    curve.D.push_back(D.value_or(0));
    curve.N.push_back(N.value_or(0));
  });
  if (!split) curve.D.clear(), curve.N.clear();
  return curve;
}

void read_simulator_run(RunFiles& run) {
  run.simulated = true;
  if (const auto truth = read_object(run.folder, "truth.json")) {
    run.baseline = read_simulator_truth(*truth);
  }
  if (const auto films = read_object(run.folder, "films.json")) run.films = read_films(*films);
  // I_hat is about the method's cells; H compares with random actions
  run.curve = {};
  const std::string path = run.folder + "/behaviours.jsonl";
  std::set<std::string> cells, behaviours;
  parse_log(read_log(path), path, run.result.has_value(), [&](long update, const FileValue& json) {
    const BehaviourLine& line = run.behaviours.emplace_back(read_behaviour_line(json));
    for (const BehaviourCount& one : line.behaviours) behaviours.insert(one.name);
    cells.insert(line.cells.begin(), line.cells.end());
    run.curve.update.push_back(update);
    run.curve.I_hat.push_back(line.H);
    run.curve.external.push_back(0);
    run.curve.cells_seen.push_back(static_cast<double>(cells.size()));
    run.curve.behaviours_seen.push_back(static_cast<double>(behaviours.size()));
  });
}

}  // namespace

std::string RunHead::setting(const std::string& key) const {
  const auto found = std::ranges::find(settings, key, &Assignment::key);
  return found == settings.end() ? "" : found->value;
}

FinalValues read_evaluation(const FileValue& json) {
  FinalValues values;
  values.updates = json.whole("updates");
  if (json.has("cell_list")) {
    values.survey = read_survey(json);
  } else {
    values.exact = json.truth("exact");
    values.p_f = read_distribution(json, "s_f");
    if (json.has("route")) values.route = json.texts("route");
  }
  values.measures = read_measures(json);
  if (json.has("warnings")) values.warnings = json.texts("warnings");
  return values;
}

WorldTruth read_truth(const FileValue& json) {
  const FileValue uniform = json.object("uniform");
  WorldTruth truth{.T_max = static_cast<int>(json.whole("T_max")),
                   .optima = {},
                   .uniform_H = uniform.number("H"),
                   .uniform_D = uniform.maybe_number("D"),
                   .uniform_N = uniform.maybe_number("N"),
                   .p_f = read_distribution(json, "s_f"),
                   .p_f_at_D_max = {},
                   .start = json.has("start") ? json.text("start") : "",
                   .picture = {},
                   .picture_states = {},
                   .graph = {},
                   .frontier = {},
                   .notes = json.has("notes") ? json.texts("notes") : std::vector<std::string>{}};
  truth.optima["states_reachable"] = static_cast<double>(json.whole("states_reachable"));
  for (const char* name : {"H_max", "H_max_gap"}) truth.optima[name] = json.number(name);
  for (const char* name : {"D_max", "H_at_D_max", "C_open", "reward_max"}) {
    truth.optima[name] = json.maybe_number(name);
  }
  if (json.has("s_f_at_D_max")) truth.p_f_at_D_max = read_distribution(json, "s_f_at_D_max");
  if (json.has("frontier")) {
    const FileValue frontier = json.object("frontier");
    truth.best_success = frontier.number("best_success");
    for (const FileValue& point : frontier.objects("points")) {
      truth.frontier.push_back(
          {point.number("lambda"), point.number("H"), point.number("D"), point.number("success")});
    }
  }
  if (json.has("picture")) read_picture(truth, json.object("picture"));
  if (json.has("graph")) truth.graph = read_graph(json.object("graph"));
  return truth;
}

RunCurve parse_metrics(std::string_view text, const std::string& path, bool finished) {
  RunCurve curve;
  parse_log(text, path, finished, [&](long update, const FileValue& json) {
    curve.update.push_back(update);
    curve.I_hat.push_back(json.number("I_hat"));
    curve.external.push_back(json.has("external") ? json.number("external") : 0);
  });
  return curve;
}

std::vector<std::string> parse_alarms(std::string_view text, const std::string& path,
                                      bool finished) {
  std::vector<std::string> sentences;
  parse_log(text, path, finished, [&](long update, const FileValue& json) {
    for (const FileValue& alarm : json.objects("alarms")) {
      sentences.push_back(fmt::format("After update {}: {}", update,
                                      shown(alarm.text("sentence"), std::string::npos)));
    }
  });
  return sentences;
}

RunHead read_run_head(const std::string& folder) {
  RunHead run;
  run.folder = folder;
  run.settings = read_settings_file(folder + "/settings.toml");
  require_format(run.settings, folder);
  run.algorithm = run.setting("train.algorithm");
  if (run.algorithm.empty()) {
    fail_usage("{}/settings.toml is damaged: it lacks train.algorithm.", folder);
  }
  run.seed = whole_setting(run, "train.seed");
  run.warm_up = whole_setting(run, "train.warm_up");
  run.updates = whole_setting(run, "train.updates");
  run.world = world_name(run);
  return run;
}

std::string wrong_evaluation(const RunHead& run, const Json& evaluation, Json more_marks) {
  const std::string copy = world_copy(run.settings, run.folder);
  const std::string world = path_exists(copy) ? read_file(copy) : "";
  more_marks["run_id"] = run_id(run.settings, world);
  return wrong_mark(run.folder + "/evaluation.json", evaluation, more_marks);
}

RunFiles read_run_files(const std::string& folder) {
  require_run(folder);
  RunFiles run;
  static_cast<RunHead&>(run) = read_run_head(folder);
  if (path_exists(folder + "/world.toml")) run.world_file = read_file(folder + "/world.toml");
  const auto evaluation = read_object(folder, "evaluation.json");
  if (const auto build = read_object(folder, "build.json")) run.build = read_build(*build);
  if (const std::string path = folder + "/metrics.jsonl"; path_exists(path)) {
    const std::string metrics = read_file(path, std::size_t{1} << 30);
    run.curve = parse_metrics(metrics, path, evaluation.has_value());
    if (evaluation) {
      const Json mark = {{"metrics_crc32c", fmt::format("{:08x}", crc32c(metrics))}};
      const std::string wrong = wrong_evaluation(run, evaluation->json(), mark);
      if (!wrong.empty()) throw UsageError(wrong);
    }
  } else if (evaluation) {
    fail_usage("{} has an evaluation.json and no metrics.jsonl: a file was removed.", folder);
  }
  if (evaluation) run.result = read_evaluation(*evaluation);
  const std::string alarms = folder + "/alarms.jsonl";
  run.alarms = parse_alarms(read_log(alarms), alarms, evaluation.has_value());
  if (is_simulated(run)) {
    read_simulator_run(run);
  } else {
    run.control = read_control(folder + "/control.jsonl", evaluation.has_value());
    if (const auto truth = read_object(folder, "truth.json")) run.truth = read_truth(*truth);
  }
  if (evaluation) run.world = evaluation->text("world");
  return run;
}

}  // namespace vic
