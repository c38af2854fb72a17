#include "serve/live_section.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/process.h"
#include "report/page/page_parts.h"

namespace vic {
namespace {

// limits of one section: more lines than this cannot be distinguished
constexpr std::size_t most_runs = 40, most_series = 8;
// drawing may take this share of a processor, and is no more frequent than this
constexpr double draw_share = 0.05;
constexpr std::chrono::milliseconds draw_pause{900};

std::string stamps_of(const std::string& folder) {
  constexpr std::array names = {"settings.toml",    "metrics.jsonl", "control.jsonl",
                                "behaviours.jsonl", "alarms.jsonl",  "evaluation.json",
                                "truth.json",       "films.json"};
  std::string text;
  for (const char* name : names) {
    struct stat status = {};
    if (::lstat((folder + "/" + name).c_str(), &status) == -1) status = {};
    text += fmt::format("{} {} {} ", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }
  return text;
}

// the runs to draw with this one, in the order in which they are read: those of the same world, the
// ones in training first
std::vector<std::string> beside(const std::string& folder, const std::vector<RunStatus>& runs) {
  const auto own = std::ranges::find(runs, folder, &RunStatus::folder);
  std::vector<std::string> list = {folder};
  for (const bool training : {true, false}) {
    for (const RunStatus& run : runs) {
      if (list.size() >= most_runs) return list;
      const bool shown = run.folder != folder && run.world == own->world &&
                         run.state != RunState::damaged &&
                         (run.state == RunState::training) == training;
      if (shown) list.push_back(run.folder);
    }
  }
  return list;
}

bool holds(const Series& series, const std::string& folder) {
  return std::ranges::any_of(series.runs,
                             [&](const RunFiles& run) { return run.folder == folder; });
}

// the verdicts of the experiments that the run is part of, in the folders between it and the root
std::vector<ClaimRow> claims_of(const std::string& folder, const std::string& root) {
  std::vector<std::string> above;
  for (std::filesystem::path path = folder; path.string().size() > root.size();) {
    path = path.parent_path();
    above.push_back(path.string());
  }
  return read_claims(above);
}

}  // namespace

const RunFiles& LiveSections::read(const std::string& folder) {
  Files& files = files_[folder];
  std::string stamps = stamps_of(folder);
  if (files.stamps != stamps) {
    files.run = read_run_files(folder);
    files.stamps = std::move(stamps);
  }
  return files.run;
}

Json LiveSections::draw(const std::string& folder, const std::vector<std::string>& others,
                        LiveEvaluations& evaluations) {
  std::vector<RunFiles> runs;
  for (const std::string& one : others) {
    try {
      runs.push_back(read(one));
    } catch (const Error&) {
      // the list reports what is wrong with it; only the run of the section must be sound
      if (one == folder) throw;
      continue;
    }
    RunFiles& run = runs.back();
    const auto live = run.result ? nullptr : evaluations.find(one);
    if (live == nullptr) continue;
    run.result = live->values;
    run.so_far = live->values.updates;
    if (live->films) run.films = live->films;
  }
  ReportData data = arrange_runs(std::move(runs));
  std::erase_if(data.worlds, [&](const WorldReport& world) {
    return std::ranges::none_of(world.series, [&](const Series& s) { return holds(s, folder); });
  });
  WorldReport& world = data.worlds.at(0);
  const std::size_t all = world.series.size();
  if (all > most_series) {
    // the run's own series is always among those drawn
    const auto last = world.series.begin() + most_series - 1;
    const auto own = std::ranges::find_if(world.series, [&](auto& s) { return holds(s, folder); });
    if (own > last) std::iter_swap(own, last);
    world.series.erase(last + 1, world.series.end());
  }
  std::string html;
  if (const auto claims = claims_of(folder, root_); !claims.empty()) html += claims_section(claims);
  const WorldFigures figures = figures_of(world, 0);
  html += (world.simulated ? simulator_section : table_section)(world, figures);
  if (all > most_series) {
    html += note_html(
        fmt::format("{} of {} series are drawn; vic report draws all.", most_series, all));
  }
  Json json = {{"html", html},
               {"charts", Json::parse(script_data({figures}))},
               {"films", Json::array()},
               {"runs", Json::array()}};
  if (const std::string films = film_data(data); !films.empty()) json["films"] = Json::parse(films);
  for (const RunFiles* run : data.runs()) json["runs"].push_back(run->folder);
  return json;
}

const std::string& LiveSections::json(const std::string& folder, const std::vector<RunStatus>& runs,
                                      LiveEvaluations& evaluations) {
  Drawn& drawn = drawn_[folder];
  if (!drawn.text.empty() && Clock::now() < drawn.next) return drawn.text;
  const Stopwatch watch;
  const std::vector<std::string> others = beside(folder, runs);
  std::vector<std::string> in_training;
  std::string stamps = std::to_string(evaluations.made());
  for (const std::string& one : others) {
    stamps += stamps_of(one);
    const auto status = std::ranges::find(runs, one, &RunStatus::folder);
    if (status->state != RunState::finished) in_training.push_back(one);
  }
  evaluations.want(in_training);
  if (stamps != drawn.stamps) {
    Json json = draw(folder, others, evaluations);
    json["seconds"] = watch.processor_seconds();
    drawn.text = json.dump(-1, BadUtf8::replace);
    drawn.stamps = std::move(stamps);
  }
  const std::chrono::duration<double> pause(watch.processor_seconds() / draw_share);
  drawn.next = Clock::now() + std::max<Clock::duration>(
                                  draw_pause, std::chrono::duration_cast<Clock::duration>(pause));
  return drawn.text;
}

}  // namespace vic
