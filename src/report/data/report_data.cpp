#include "report/data/report_data.h"

#include <algorithm>
#include <map>
#include <set>

#include "method/algorithm.h"

namespace vic {
namespace {

constexpr std::size_t most_points = 1200;

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

// among those of the same world and algorithm, or of the same name
template <class Items, class Name, class First>
void label_apart(Items& items, const std::string& section, Name name, First first) {
  std::map<std::string, std::vector<const RunFiles*>> same;
  for (auto& item : items) same[name(item)].push_back(&first(item));
  std::map<std::string, int> used;
  for (auto& item : items) {
    item.label = name(item) + distinction(first(item), same[name(item)], section);
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
  for (int pass = 0; pass < 2; ++pass) {
    for (WorldReport& world : worlds) {
      for (Series& series : world.series) {
        if (chosen.contains(series.label)) continue;
        int colour = colour_of(series.algorithm);
        if (pass == 0 && taken.contains(colour)) continue;
        for (colour = pass == 0 ? colour : 0; taken.contains(colour);) ++colour;
        chosen[series.label] = colour;
        taken.insert(colour);
      }
    }
  }
  for (WorldReport& world : worlds) {
    for (Series& series : world.series) series.colour = chosen[series.label];
  }
}

void find_differences(ReportData& data) {
  const std::vector<const RunFiles*> runs = data.runs();
  std::vector<std::string> keys;
  for (const RunFiles* run : runs) {
    for (const Assignment& said : run->settings) {
      if (std::find(keys.begin(), keys.end(), said.key) == keys.end()) keys.push_back(said.key);
    }
  }
  for (const std::string& key : keys) {
    Difference difference{key, {}};
    bool everywhere = true;
    for (const RunFiles* run : runs) {
      const std::string value = run->setting(key);
      auto& values = difference.values;
      // a setting of another world
      if (value.empty()) {
        everywhere = false;
        continue;
      }
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
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

Distribution Series::mean_p_f() const {
  const auto done = finished();
  Distribution mean;
  std::map<std::string, std::size_t> place;
  for (const RunFiles* run : done) {
    for (const auto& [state, p] : run->result->p_f) {
      const auto [found, fresh] = place.try_emplace(state, mean.size());
      if (fresh) mean.emplace_back(state, 0.0);
      mean[found->second].second += p / static_cast<double>(done.size());
    }
  }
  return mean;
}

std::optional<double> WorldReport::best(std::string_view name, std::optional<double> known) const {
  if (known) return known;
  for (const Series& one : series) {
    for (const RunFiles* run : one.finished()) return run->result->measures[name];
  }
  return {};
}

std::optional<double> WorldReport::H_max() const {
  return best("H_max", truth ? std::optional(truth->H_max) : std::nullopt);
}

std::optional<double> WorldReport::D_max() const {
  return best("D_max", truth ? truth->D_max : std::nullopt);
}

std::optional<double> WorldReport::H_at_D_max() const {
  return best("H_at_D_max", truth ? truth->H_at_D_max : std::nullopt);
}

bool WorldReport::has_reward() const {
  const auto paid = [](double r) { return r != 0; };
  for (const Series& one : series) {
    for (const RunFiles& run : one.runs) {
      if (std::any_of(run.curve.external.begin(), run.curve.external.end(), paid)) return true;
    }
  }
  return false;
}

std::vector<const RunFiles*> ReportData::runs() const {
  std::vector<const RunFiles*> list;
  for (const WorldReport& world : worlds) {
    for (const Series& series : world.series) {
      for (const RunFiles& run : series.runs) list.push_back(&run);
    }
  }
  return list;
}

ReportData read_report(const std::vector<std::string>& paths) {
  ReportData data;
  std::vector<std::string> world_keys;
  std::vector<std::vector<std::string>> series_keys;
  const auto place = [](std::vector<std::string>& keys, const std::string& key) {
    const auto found = std::find(keys.begin(), keys.end(), key);
    const auto index = static_cast<std::size_t>(found - keys.begin());
    if (found == keys.end()) keys.push_back(key);
    return index;
  };
  for (const std::string& folder : find_run_folders(paths)) {
    RunFiles run = read_run_files(folder);
    const std::size_t w = place(world_keys, world_key(run));
    if (w == data.worlds.size()) data.worlds.emplace_back(), series_keys.emplace_back();
    WorldReport& world = data.worlds[w];
    if (!world.truth) world.truth = run.truth;
    world.simulated = world.simulated || run.simulated;
    if (!world.baseline && run.simulated) world.baseline = run.simulated->truth;
    const std::size_t s = place(series_keys[w], series_key(run));
    if (s == world.series.size()) world.series.emplace_back();
    world.series[s].algorithm = run.algorithm;
    world.series[s].runs.push_back(std::move(run));
  }
  label_apart(
      data.worlds, "world.", [](const WorldReport& w) { return figure_name(w.series[0].runs[0]); },
      [](const WorldReport& w) -> const RunFiles& { return w.series[0].runs[0]; });
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
    label_apart(
        world.series, "train.", [](const Series& s) { return s.algorithm; },
        [](const Series& s) -> const RunFiles& { return s.runs[0]; });
  }
  colour_series(data.worlds);
  find_differences(data);
  return data;
}

SeriesCurve mean_curve(const Series& series, std::vector<double> RunCurve::*field) {
  std::vector<const RunFiles*> runs = series.finished();
  if (runs.empty()) {
    for (const RunFiles& run : series.runs) runs.push_back(&run);
  }
  SeriesCurve out;
  out.n = static_cast<int>(runs.size());
  // the updates that all have
  std::map<long, std::size_t> count;
  for (const RunFiles* run : runs) {
    for (long update : run->curve.update) ++count[update];
  }
  std::vector<long> shared;
  for (const auto& [update, n] : count) {
    if (n == runs.size()) shared.push_back(update);
  }
  const std::size_t stride = (shared.size() + most_points - 1) / most_points;
  for (std::size_t i = 0; i < shared.size(); ++i) {
    // counted from the end, so that the last one stays
    if ((shared.size() - 1 - i) % stride == 0) out.update.push_back(shared[i]);
  }
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
