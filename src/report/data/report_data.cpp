#include "report/data/report_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/file.h"
#include "method/algorithm.h"
#include "report/data/run_folders.h"

namespace vic {
namespace {

constexpr std::size_t most_points = 1200;

// the index of an item, which is appended if it is new
std::size_t place_in(std::vector<std::string>& list, const std::string& item) {
  const auto found = std::find(list.begin(), list.end(), item);
  const auto index = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) list.push_back(item);
  return index;
}

// the colour of an algorithm on every page; a run may have one that is unknown here
int colour_of(const std::string& name) {
  const auto found = std::ranges::find(algorithms(), name, &Algorithm::name);
  return found == algorithms().end() ? Algorithm{}.colour : found->colour;
}

// the name of a run's figure: an experiment may show one world twice
std::string figure_name(const RunFiles& run) {
  const std::string group = run.setting("run.group");
  return group.empty() ? run.world : group;
}

// identifies the figure that a run belongs to
std::string world_key(const RunFiles& run) {
  std::string key = figure_name(run) + "\n" + run.world + "\n" + run.world_file;
  for (const Assignment& setting : run.settings) {
    if (setting.key.starts_with("world.")) key += "\n" + setting.key + "=" + setting.value;
  }
  return key;
}

std::string series_key(const RunFiles& run) {
  std::string key;
  for (const Assignment& setting : run.settings) {
    if (setting.key != "train.seed" && !is_indifferent(setting.key)) {
      key += setting.key + "=" + setting.value + "\n";
    }
  }
  return key;
}

// " · noise=0.2": the settings of one section in which `run` differs from the others
std::string distinction(const RunFiles& run, const std::vector<const RunFiles*>& among,
                        const std::string& section) {
  std::string text;
  for (const Assignment& setting : run.settings) {
    if (!setting.key.starts_with(section) || setting.key == "train.seed" ||
        setting.key == "train.algorithm" || is_indifferent(setting.key)) {
      continue;
    }
    const bool same = std::ranges::all_of(
        among, [&](const RunFiles* other) { return other->setting(setting.key) == setting.value; });
    if (!same) text += " · " + setting.key.substr(section.size()) + "=" + setting.value;
  }
  return text;
}

const RunFiles& first_run(const Series& series) {
  return series.runs[0];
}
const RunFiles& first_run(const WorldReport& world) {
  return first_run(world.series[0]);
}

// distinguishes items of the same world and algorithm, or of the same name
template <class Items>
void label_apart(Items& items, const std::string& section,
                 std::string (*name)(const RunFiles& run)) {
  std::map<std::string, std::vector<const RunFiles*>> same;
  for (const auto& item : items) same[name(first_run(item))].push_back(&first_run(item));
  std::map<std::string, int> used;
  for (auto& item : items) {
    const RunFiles& run = first_run(item);
    item.label = name(run) + distinction(run, same[name(run)], section);
  }
  // files with the same name but different contents differ in no setting
  for (auto& item : items) {
    const int number = ++used[item.label];
    if (number > 1) item.label += " (" + std::to_string(number) + ")";
  }
}

// a separate colour for each label, the algorithm's if it is free
void colour_series(std::vector<WorldReport>& worlds) {
  std::map<std::string, int> chosen;
  std::set<int> taken;
  for (bool own : {true, false}) {
    for (const WorldReport& world : worlds) {
      for (const Series& series : world.series) {
        int colour = own ? colour_of(series.algorithm) : 0;
        if (chosen.contains(series.label) || (own && taken.contains(colour))) continue;
        while (taken.contains(colour)) ++colour;
        chosen[series.label] = colour;
        taken.insert(colour);
      }
    }
  }
  for (WorldReport& world : worlds) {
    for (Series& series : world.series) series.colour = chosen[series.label];
  }
}

// Runs are deterministic: a second run with the same settings and seed is the same run, and
// counting both would make an interval look narrower than it is. Of the two, a finished one is
// kept.
void add_run(Series& series, RunFiles run, std::vector<std::string>& notes) {
  const auto same = std::ranges::find(series.runs, run.seed, &RunFiles::seed);
  if (same == series.runs.end()) {
    series.runs.push_back(std::move(run));
    return;
  }
  if (run.result && !same->result) std::swap(run, *same);
  notes.push_back(fmt::format("{} is left out: it has the settings and the seed of {}.", run.folder,
                              same->folder));
}

// the updates that a curve has in all of the runs, thinned
template <class Curve>
std::vector<long> shared_updates(const std::vector<const RunFiles*>& runs, Curve RunFiles::*curve) {
  std::vector<long> shared = (runs[0]->*curve).update;
  for (const RunFiles* run : runs) {
    const auto& updates = (run->*curve).update;
    std::erase_if(shared, [&](long at) { return !std::ranges::binary_search(updates, at); });
  }
  return thinned(shared, most_points);
}

// the curve at updates that it has
template <class Curve>
std::vector<double> values_at(const Curve& curve, std::vector<double> Curve::*field,
                              const std::vector<long>& updates) {
  std::vector<double> values;
  for (long update : updates) {
    const auto at = std::ranges::lower_bound(curve.update, update) - curve.update.begin();
    values.push_back((curve.*field)[at]);
  }
  return values;
}

void find_differences(ReportData& data) {
  const std::vector<const RunFiles*> runs = data.runs();
  std::vector<std::string> keys;
  for (const RunFiles* run : runs) {
    for (const Assignment& setting : run->settings) place_in(keys, setting.key);
  }
  for (const std::string& key : keys) {
    std::vector<std::string> values;
    bool everywhere = true;
    for (const RunFiles* run : runs) {
      const std::string value = run->setting(key);
      // none: a setting of another world
      everywhere = everywhere && !value.empty();
      if (!value.empty()) place_in(values, value);
    }
    if (values.size() == 1 && everywhere) {
      data.common.push_back({key, values[0], ""});
    } else {
      data.differences.emplace_back(key, std::move(values));
    }
  }
}

}  // namespace

bool is_indifferent(const std::string& key) {
  return key == "train.threads" || key == "run.group" || key == "run.metrics_every" ||
         key == "run.checkpoint_every" || key == "run.survey_every";
}

std::vector<const RunFiles*> Series::finished() const {
  std::vector<const RunFiles*> list;
  for (const RunFiles& run : runs) {
    if (run.result) list.push_back(&run);
  }
  return list;
}

std::vector<const RunFiles*> Series::drawn() const {
  std::vector<const RunFiles*> list = finished();
  if (list.empty()) {
    for (const RunFiles& run : runs) list.push_back(&run);
  }
  return list;
}

std::vector<const RunFiles*> WorldReport::runs() const {
  std::vector<const RunFiles*> list;
  for (const Series& one : series) {
    for (const RunFiles& run : one.runs) list.push_back(&run);
  }
  return list;
}

std::optional<double> WorldReport::optimum(const char* measure) const {
  if (truth) return truth->optima[measure];
  for (const RunFiles* run : runs()) {
    if (run->result) return run->result->measures[measure];
  }
  return {};
}

std::vector<std::pair<const char*, double>> WorldReport::optima() const {
  std::vector<std::pair<const char*, double>> known;
  for (const char* name : {"H_max", "D_max", "H_at_D_max"}) {
    if (const auto value = optimum(name)) known.emplace_back(name, *value);
  }
  if (const auto value = in_truth("C_open")) known.emplace_back("C_open", *value);
  if (const auto value = in_truth("reward_max"); value && has_reward()) {
    known.emplace_back("reward_max", *value);
  }
  return known;
}

std::vector<std::string> WorldReport::warnings() const {
  std::vector<std::string> list;
  for (const Series& one : series) {
    for (const RunFiles& run : one.runs) {
      const auto add = [&](const std::vector<std::string>& warnings) {
        for (const std::string& warning : warnings) {
          list.push_back(fmt::format("{}, seed {}: {}", one.label, run.seed, warning));
        }
      };
      if (!run.result || run.so_far) add(run.alarms);
      if (run.result) add(run.result->warnings);
    }
  }
  return list;
}

bool WorldReport::has_reward() const {
  return std::ranges::any_of(runs(), [](const RunFiles* run) {
    return std::ranges::any_of(run->curve.external, [](double reward) { return reward != 0; });
  });
}

std::vector<const RunFiles*> ReportData::runs() const {
  std::vector<const RunFiles*> list;
  for (const WorldReport& world : worlds) {
    const auto more = world.runs();
    list.insert(list.end(), more.begin(), more.end());
  }
  return list;
}

ReportData read_report(const std::vector<std::string>& paths, Stop stop) {
  std::vector<RunFiles> runs;
  for (const std::string& folder : find_run_folders(paths)) {
    stop.check();
    runs.push_back(read_run_files(folder));
  }
  return arrange_runs(std::move(runs));
}

ReportData arrange_runs(std::vector<RunFiles> runs) {
  ReportData data;
  std::vector<std::string> world_keys;
  std::vector<std::vector<std::string>> series_keys;
  for (RunFiles& run : runs) {
    const std::size_t w = place_in(world_keys, world_key(run));
    if (w == data.worlds.size()) data.worlds.emplace_back(), series_keys.emplace_back();
    WorldReport& world = data.worlds[w];
    if (!world.truth) world.truth = run.truth;
    world.simulated = world.simulated || run.simulated;
    // the most reliable one: runs of other lengths have other numbers of random options
    const long known = world.baseline ? world.baseline->random.options : 0;
    if (run.baseline && run.baseline->random.options > known) world.baseline = run.baseline;
    const std::size_t s = place_in(series_keys[w], series_key(run));
    if (s == world.series.size()) world.series.emplace_back();
    world.series[s].algorithm = run.algorithm;
    add_run(world.series[s], std::move(run), data.notes);
  }
  label_apart(data.worlds, "world.", figure_name);
  for (WorldReport& world : data.worlds) {
    // implicit first: the others are compared with it
    std::ranges::stable_sort(world.series, {},
                             [](const Series& s) { return colour_of(s.algorithm); });
    for (Series& series : world.series) {
      std::ranges::stable_sort(series.runs, {}, &RunFiles::seed);
    }
    label_apart(world.series, "train.", [](const RunFiles& run) { return run.algorithm; });
  }
  colour_series(data.worlds);
  find_differences(data);
  return data;
}

SeriesCurve mean_curve(const Series& series, std::vector<double> RunCurve::*field) {
  const std::vector<const RunFiles*> runs = series.drawn();
  SeriesCurve out;
  out.n = static_cast<int>(runs.size());
  out.update = shared_updates(runs, &RunFiles::curve);
  std::vector<std::vector<double>> curves;
  for (const RunFiles* run : runs) curves.push_back(values_at(run->curve, field, out.update));
  out.band = bootstrap_band(curves);
  return out;
}

ControlCurve mean_control(const Series& series) {
  const std::vector<const RunFiles*> runs = series.drawn();
  ControlCurve out;
  out.update = shared_updates(runs, &RunFiles::control);
  for (const auto field : {&ControlCurve::H, &ControlCurve::D, &ControlCurve::N}) {
    const auto lacks = [&](const RunFiles* run) { return (run->control.*field).empty(); };
    if (std::ranges::any_of(runs, lacks)) continue;
    auto& means = out.*field = std::vector<double>(out.update.size(), 0);
    for (const RunFiles* run : runs) {
      const auto values = values_at(run->control, field, out.update);
      for (std::size_t i = 0; i < values.size(); ++i) {
        means[i] += values[i] / static_cast<double>(runs.size());
      }
    }
  }
  return out;
}

}  // namespace vic
