// vic export: options, policies, curves and films as files for other programs.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/file_value.h"
#include "base/print.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/export_format.h"
#include "cli/export_policy.h"
#include "eval/export_rows.h"
#include "run/run_folder.h"

namespace vic {
namespace {

struct ExportOptions {
  std::string run, optimal, out, format;
  int options = 0;
  bool policy = false, curves = false, films = false;
};

// from a table: names in rows, indices in arrays, with -1 after the end of an option
Export table_options(const TabularWorld& world, std::vector<OptionRow> sampled) {
  const auto rows = std::make_shared<const std::vector<OptionRow>>(std::move(sampled));
  const std::vector<std::string> actions = action_names(world);
  Export out;
  out.rows = rows->size();
  out.row = [rows, actions, states = world.state_names](std::size_t r) {
    const OptionRow& one = (*rows)[r];
    Json json = {{"s_f", states[one.states.back()]}, {"states", Json::array()},
                 {"actions", Json::array()},         {"reward", one.reward},
                 {"log_pi_p", one.log_pi_p},         {"external", one.external}};
    for (const int s : one.states) json["states"].push_back(states[s]);
    for (const int a : one.actions) json["actions"].push_back(actions[a]);
    return json;
  };
  out.arrays = [rows, actions, states = world.state_names, T = std::size_t(world.T_max)] {
    const std::size_t N = rows->size();
    std::vector<std::int64_t> s_f, length, state(N * T, -1), action(N * T, -1);
    std::vector<double> reward, log_pi_p, external;
    for (std::size_t r = 0; r < N; ++r) {
      const OptionRow& one = (*rows)[r];
      s_f.push_back(one.states.back());
      length.push_back(std::ssize(one.actions));
      std::ranges::copy(one.states, state.begin() + static_cast<std::ptrdiff_t>(r * T));
      std::ranges::copy(one.actions, action.begin() + static_cast<std::ptrdiff_t>(r * T));
      reward.push_back(one.reward);
      log_pi_p.push_back(one.log_pi_p);
      external.push_back(one.external);
    }
    return std::vector<NpzArray>{{"s_f", {N}, s_f},
                                 {"length", {N}, length},
                                 {"states", {N, T}, state},
                                 {"actions", {N, T}, action},
                                 {"reward", {N}, reward},
                                 {"log_pi_p", {N}, log_pi_p},
                                 {"external", {N}, external},
                                 {"state_names", {states.size()}, states},
                                 {"action_names", {actions.size()}, actions}};
  };
  return out;
}

// from a simulated world: states are all its numbers, actions the levels of its actuators
Export simulated_options(const SimulatorSpec& spec, std::vector<OptionRow> sampled) {
  const auto rows = std::make_shared<const std::vector<OptionRow>>(std::move(sampled));
  const auto n = static_cast<std::size_t>(spec.n()), F = static_cast<std::size_t>(spec.F());
  Export out;
  out.rows = rows->size();
  out.row = [rows, n, F](std::size_t r) {
    const OptionRow& one = (*rows)[r];
    const auto lists = [](const auto& numbers, std::size_t width) {
      Json list = Json::array();
      for (std::size_t i = 0; i < numbers.size(); i += width) {
        Json& row = list.push_back(Json::array());
        for (std::size_t k = 0; k < width; ++k) row.push_back(numbers[i + k]);
      }
      return list;
    };
    const Json states = lists(one.observed, n);
    return Json{{"s_f", states.back()},
                {"states", states},
                {"actions", one.controls.empty() ? lists(one.levels, F) : lists(one.controls, F)},
                {"reward", one.reward},
                {"log_pi_p", one.log_pi_p},
                {"external", one.external},
                {"cell", one.cell}};
  };
  out.arrays = [rows, n, F, T = std::size_t(spec.T), names = spec.state_names] {
    const std::size_t N = rows->size();
    std::vector<double> states, controls, reward, log_pi_p, external;
    std::vector<std::int64_t> levels, cell, length;
    for (const OptionRow& one : *rows) {
      states.insert(states.end(), one.observed.begin(), one.observed.end());
      levels.insert(levels.end(), one.levels.begin(), one.levels.end());
      controls.insert(controls.end(), one.controls.begin(), one.controls.end());
      const std::size_t taken = one.observed.size() / n - 1;
      length.push_back(static_cast<std::int64_t>(taken));
      // an option that fell stays where it is, without actions
      for (std::size_t t = taken; t < T; ++t) {
        states.insert(states.end(), one.observed.end() - static_cast<std::ptrdiff_t>(n),
                      one.observed.end());
        if (one.controls.empty()) {
          levels.insert(levels.end(), F, -1);
        } else {
          controls.insert(controls.end(), F, 0);
        }
      }
      reward.push_back(one.reward);
      log_pi_p.push_back(one.log_pi_p);
      external.push_back(one.external);
      cell.push_back(one.cell);
    }
    return std::vector<NpzArray>{{"length", {N}, length},
                                 {"states", {N, T + 1, n}, states},
                                 controls.empty() ? NpzArray{"actions", {N, T, F}, levels}
                                                  : NpzArray{"actions", {N, T, F}, controls},
                                 {"reward", {N}, reward},
                                 {"log_pi_p", {N}, log_pi_p},
                                 {"external", {N}, external},
                                 {"cell", {N}, cell},
                                 {"state_names", {names.size()}, names}};
  };
  return out;
}

Export export_options(const ExportOptions& options, const UserSettings& given,
                      const Console& console) {
  const Run run = load_trained_run(options.run, warning_to(console));
  EvalSettings settings = run.eval;
  Overrides overrides = given.overrides();
  overrides.apply("eval", settings);
  overrides.finish();
  return export_sample(run, options.options, settings.seed, shares_on(console, "options"));
}

// the whole lines of a log of the run; the last one may be half written
std::vector<Json> log_lines(const std::string& path) {
  std::vector<Json> lines;
  if (!path_exists(path)) return lines;
  const std::string text = read_file(path, largest_run_file);
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    lines.push_back(
        FileValue::parse(std::string_view(text).substr(begin, end - begin), path).json());
  }
  return lines;
}

// the metrics, and the surveys at the same updates
Export export_curves(const std::string& folder) {
  require_run(folder);
  std::vector<Json> lines = log_lines(folder + "/metrics.jsonl");
  std::vector<Json> surveys = log_lines(folder + "/behaviours.jsonl");
  if (surveys.empty()) surveys = log_lines(folder + "/control.jsonl");
  for (const Json& survey : surveys) {
    const auto same = [&](const Json& line) { return line["update"] == survey["update"]; };
    const auto found = std::ranges::find_if(lines, same);
    if (found == lines.end()) continue;
    for (const auto& [key, value] : survey.items()) {
      if (value.is_number()) (*found)[key] = value;
    }
  }
  if (lines.empty()) fail_usage("{} has no metrics yet.", folder);
  return export_lines(std::move(lines));
}

Export export_films(const std::string& folder) {
  require_run(folder);
  const std::string path = folder + "/films.json";
  if (!path_exists(path)) {
    fail_usage("{} has no films.json: films are of finished runs in simulated worlds.", folder);
  }
  const FileValue films = FileValue::parse(read_file(path), path);
  std::vector<Json> lines;
  for (const FileValue& option : films.objects("options")) lines.push_back(option.json());
  return export_lines(std::move(lines));
}

Export gather(const ExportOptions& options, const UserSettings& given, const Console& console) {
  const int kinds = (options.options > 0 ? 1 : 0) + (options.policy ? 1 : 0) +
                    (options.curves ? 1 : 0) + (options.films ? 1 : 0) +
                    (options.optimal.empty() ? 0 : 1);
  if (kinds != 1 || options.run.empty() != !options.optimal.empty()) {
    fail_usage(
        "vic export takes a run and one of --options N, --policy, --curves and --films, or "
        "--optimal WORLD; see vic export --help.");
  }
  if (!options.optimal.empty()) return export_optimal(options.optimal, given, console);
  if (options.options > 0) return export_options(options, given, console);
  if (options.policy) return export_policy(options.run, given, console);
  given.overrides().finish();
  return options.curves ? export_curves(options.run) : export_films(options.run);
}

void run_export(const ExportOptions& options, const UserSettings& given, const Console& console) {
  // by the file's extension if not given
  std::string format = options.format;
  if (format.empty()) {
    for (const std::string_view known : names_of<ExportFormat>) {
      if (options.out.ends_with("." + std::string(known))) format = known;
    }
  }
  if (format.empty()) format = "jsonl";
  const auto chosen =
      static_cast<ExportFormat>(parse_name({"format", format, "--format"}, names_of<ExportFormat>));
  if (chosen == ExportFormat::npz && options.out.empty()) {
    fail_usage("--format npz is not text: name a file with --out FILE.npz.");
  }
  if (chosen == ExportFormat::npz && options.films) {
    fail_usage("--films are lists of lists: use --format jsonl.");
  }
  const Export data = gather(options, given, console);
  const std::string bytes = export_bytes(data, chosen, console.stop);
  if (options.out.empty()) {
    console.out << bytes;
    return;
  }
  write_file(options.out, bytes);
  console.show(
      [&] {
        return Json{{"file", options.out}, {"rows", data.rows}};
      },
      [&] { print(console.out, "{}: {} rows\n", options.out, data.rows); });
}

}  // namespace

Export export_sample(const Run& run, int options, int seed, const Step& step) {
  std::vector<OptionRow> rows = sample_rows(*run.learner, options, seed, step);
  if (const Simulator* simulator = simulator_in(run.world)) {
    return simulated_options(simulator->spec(), std::move(rows));
  }
  return table_options(run.table(), std::move(rows));
}

Action declare_export(Arguments& arguments) {
  auto options = std::make_shared<ExportOptions>();
  arguments.positional("run", options->run, Need::optional,
                       "the folder of a run, which may still be in training");
  arguments.option("--options N", options->options, Range{1, 1000000},
                   "N options that the policy samples: states, actions, s_f, reward, log pi_p");
  arguments.flag("--policy", options->policy,
                 "pi_p, pi_q and b in every history of a small world with a table");
  arguments.flag("--curves", options->curves, "the metrics of the training");
  arguments.flag("--films", options->films, "the filmed options of a simulated world");
  arguments.option("--optimal WORLD", options->optimal,
                   "the policies with the largest H and the largest D, without a run");
  arguments.option("--format F", options->format,
                   "jsonl, csv or npz; by default from the extension of --out, else jsonl");
  arguments.option("-o,--out FILE", options->out, "write a file instead of to stdout");
  arguments.footer("docs/export.md describes the fields.\n" +
                   settings_help({describe("eval", EvalSettings{})}) + world_settings_help);
  return action(options, run_export);
}

}  // namespace vic
