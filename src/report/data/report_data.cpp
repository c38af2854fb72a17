#include "report/data/report_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/file.h"
#include "method/algorithm.h"

namespace vic {
namespace {

constexpr std::size_t most_points = 1200;

// the index of an item, which is added where it is new
std::size_t place_in(std::vector<std::string>& list, const std::string& item) {
  const auto found = std::find(list.begin(), list.end(), item);
  const auto index = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) list.push_back(item);
  return index;
}

// the colour that an algorithm has on every page; a run may be of one that is not known here
int colour_of(const std::string& name) {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == name) return algorithm.colour;
  }
  return Algorithm{}.colour;
}

// what its figure is called: an experiment may show one world twice
std::string figure_name(const RunFiles& run) {
  const std::string group = run.setting("run.group");
  return group.empty() ? run.world : group;
}

// what makes a figure the figure it is
std::string world_key(const RunFiles& run) {
  std::string key = figure_name(run) + "\n" + run.world + "\n" + run.world_file;
  for (const Assignment& said : run.settings) {
    if (said.key.starts_with("world.")) key += "\n" + said.key + "=" + said.value;
  }
  return key;
}

std::string series_key(const RunFiles& run) {
  std::string key;
  for (const Assignment& said : run.settings) {
    if (said.key != "train.seed" && !is_indifferent(said.key)) {
      key += said.key + "=" + said.value + "\n";
    }
  }
  return key;
}

// " · noise=0.2": the settings of `run` in which the runs differ, those of one section
std::string distinction(const RunFiles& run, const std::vector<const RunFiles*>& among,
                        const std::string& section) {
  std::string text;
  for (const Assignment& said : run.settings) {
    if (!said.key.starts_with(section) || said.key == "train.seed" ||
        said.key == "train.algorithm" || is_indifferent(said.key)) {
      continue;
    }
    const bool same = std::all_of(among.begin(), among.end(), [&](const RunFiles* other) {
      return other->setting(said.key) == said.value;
    });
    if (!same) text += " · " + said.key.substr(section.size()) + "=" + said.value;
  }
  return text;
}

const RunFiles& first_run(const Series& series) {
  return series.runs[0];
}
const RunFiles& first_run(const WorldReport& world) {
  return first_run(world.series[0]);
}

// among those of the same world and algorithm, or of the same name
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
  // files of the same name and other contents differ in no setting
  for (auto& item : items) {
    const int number = ++used[item.label];
    if (number > 1) item.label += " (" + std::to_string(number) + ")";
  }
}

// a colour of its own for each label, the algorithm's where it is free
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

// where there is no truth.json
std::optional<double> from_evaluation(const WorldReport& world, const char* measure) {
  for (const RunFiles* run : world.runs()) {
    if (run->result) return run->result->measures[measure];
  }
  return {};
}

void find_differences(ReportData& data) {
  const std::vector<const RunFiles*> runs = data.runs();
  std::vector<std::string> keys;
  for (const RunFiles* run : runs) {
    for (const Assignment& said : run->settings) place_in(keys, said.key);
  }
  for (const std::string& key : keys) {
    Difference difference{key, {}};
    bool everywhere = true;
    for (const RunFiles* run : runs) {
      const std::string value = run->setting(key);
      // none: a setting of another world
      everywhere = everywhere && !value.empty();
      if (!value.empty()) place_in(difference.values, value);
    }
    if (difference.values.size() == 1 && everywhere) {
      data.common.push_back({key, difference.values[0], ""});
    } else {
      data.differences.push_back(std::move(difference));
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

std::vector<const RunFiles*> WorldReport::runs() const {
  std::vector<const RunFiles*> list;
  for (const Series& one : series) {
    for (const RunFiles& run : one.runs) list.push_back(&run);
  }
  return list;
}

std::optional<double> WorldReport::H_max() const {
  return truth ? truth->H_max : from_evaluation(*this, "H_max");
}

std::optional<double> WorldReport::D_max() const {
  return truth ? truth->D_max : from_evaluation(*this, "D_max");
}

std::optional<double> WorldReport::H_at_D_max() const {
  return truth ? truth->H_at_D_max : from_evaluation(*this, "H_at_D_max");
}

std::vector<std::string> WorldReport::warnings() const {
  std::vector<std::string> list;
  for (const Series& one : series) {
    for (const RunFiles* run : one.finished()) {
      for (const std::string& warning : run->result->warnings) {
        list.push_back(fmt::format("{}, seed {}: {}", one.label, run->seed, warning));
      }
    }
  }
  return list;
}

bool WorldReport::has_reward() const {
  for (const RunFiles* run : runs()) {
    for (double reward : run->curve.external) {
      if (reward != 0) return true;
    }
  }
  return false;
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
    if (!world.baseline && run.simulated) world.baseline = run.simulated->truth;
    const std::size_t s = place_in(series_keys[w], series_key(run));
    if (s == world.series.size()) world.series.emplace_back();
    world.series[s].algorithm = run.algorithm;
    world.series[s].runs.push_back(std::move(run));
  }
  label_apart(data.worlds, "world.", figure_name);
  for (WorldReport& world : data.worlds) {
    // implicit first: what the others are compared with
    std::stable_sort(world.series.begin(), world.series.end(),
                     [](const Series& a, const Series& b) {
                       return colour_of(a.algorithm) < colour_of(b.algorithm);
                     });
    for (Series& series : world.series) {
      std::stable_sort(series.runs.begin(), series.runs.end(),
                       [](const RunFiles& a, const RunFiles& b) { return a.seed < b.seed; });
    }
    label_apart(world.series, "train.", [](const RunFiles& run) { return run.algorithm; });
  }
  colour_series(data.worlds);
  find_differences(data);
  return data;
}

std::vector<ClaimRow> read_claims(const std::vector<std::string>& folders) {
  std::vector<ClaimRow> rows;
  for (const std::string& folder : folders) {
    const std::string path = folder + "/verdict.json";
    if (!path_exists(path)) continue;
    require_plain_file(path);
    for (const FileValue& claim : FileValue::parse(read_file(path), path).objects("claims")) {
      // how it was measured, or why it was not
      std::string measured = claim.text("measured_as");
      if (const auto value = claim.maybe_number("measured")) {
        measured = fmt::format("{:.4f} ({} of {})", *value, measured, claim.whole("seeds"));
      }
      rows.push_back({fmt::format("{}: {}, {}", claim.text("claim"), claim.text("group"),
                                  claim.text("algorithm")),
                      measured, fmt::format("{} {}", claim.text("measure"), claim.text("wanted")),
                      claim.truth("pass")});
    }
  }
  return rows;
}

SeriesCurve mean_curve(const Series& series, std::vector<double> RunCurve::*field) {
  std::vector<const RunFiles*> runs = series.finished();
  if (runs.empty()) {
    for (const RunFiles& run : series.runs) runs.push_back(&run);
  }
  SeriesCurve out;
  out.n = static_cast<int>(runs.size());
  std::vector<long> shared = runs[0]->curve.update;
  for (const RunFiles* run : runs) {
    const auto& updates = run->curve.update;
    std::erase_if(shared, [&](long update) {
      return !std::binary_search(updates.begin(), updates.end(), update);
    });
  }
  out.update = thinned(shared, most_points);
  std::vector<std::vector<double>> curves;
  for (const RunFiles* run : runs) {
    auto& values = curves.emplace_back();
    const auto& updates = run->curve.update;
    for (long update : out.update) {
      const auto at = std::lower_bound(updates.begin(), updates.end(), update) - updates.begin();
      values.push_back((run->curve.*field)[at]);
    }
  }
  out.band = bootstrap_band(curves);
  return out;
}

}  // namespace vic
