#include "report/page/table.h"

#include <fmt/core.h>

#include <algorithm>

#include "eval/record.h"
#include "report/data/summary.h"

namespace vic {
namespace {

// what most terminals have room for
constexpr std::size_t widest = 116;

// columns of a terminal that the text takes, which is UTF-8
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

enum class Side { left, right };

std::string padded(const std::string& text, std::size_t width, Side side) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return side == Side::right ? space + text : text + space;
}

std::string runs_text(const SeriesSummary& one) {
  if (one.colour < 0) return "–";
  std::string text = std::to_string(one.finished);
  if (one.unfinished > 0) text += fmt::format(" (+{} unfinished)", one.unfinished);
  return text;
}

std::string world_facts(const WorldReport& world) {
  std::string text;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) text += fmt::format("{}{} {:.4f}", text.empty() ? "" : "   ", name, *value);
  };
  add("H_max", world.H_max());
  add("D_max", world.D_max());
  add("H_at_D_max", world.H_at_D_max());
  if (world.baseline) add("random H", world.baseline->random.H);
  if (world.truth) add("C_open", world.truth->C_open);
  if (world.truth && world.has_reward()) add("reward_max", world.truth->reward_max);
  return text;
}

std::string world_table(const WorldReport& world, Ink ink) {
  std::vector<SeriesSummary> summaries;
  for (const Series& series : world.series) summaries.push_back(summarise(world, series));
  if (world.baseline) summaries.push_back(summarise_random(*world.baseline));
  const std::vector<Column> columns = columns_of(world, summaries);
  std::vector<std::vector<std::string>> cells{{"algorithm", "seeds"}};
  for (const Column& column : columns) cells[0].push_back(column.name);
  for (const SeriesSummary& one : summaries) {
    auto& row = cells.emplace_back();
    row = {one.label, runs_text(one)};
    for (const Column& column : columns) {
      row.push_back(estimate_text(one.*column.value, column.digits));
    }
  }
  std::vector<std::size_t> widths(cells[0].size(), 0);
  for (const auto& row : cells) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  const auto paint = [&](const char* code, const std::string& text) {
    return ink == Ink::colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  };
  std::string out = fmt::format("{}   {}\n", paint("1", world.label), world_facts(world));
  // columns that do not fit go below, beside the names again
  for (std::size_t begin = 1; begin < widths.size();) {
    std::size_t end = begin, width = 2 + widths[0];
    while (end < widths.size() && (end == begin || width + 3 + widths[end] <= widest)) {
      width += 3 + widths[end++];
    }
    for (std::size_t r = 0; r < cells.size(); ++r) {
      std::string line = fmt::format("  {}", padded(cells[r][0], widths[0], Side::left));
      for (std::size_t c = begin; c < end; ++c) {
        line += fmt::format("   {}", padded(cells[r][c], widths[c], Side::right));
      }
      out += fmt::format("{}\n", r == 0 ? paint("2", line) : line);
    }
    begin = end;
  }
  return out;
}

Json estimate_json(const std::optional<Estimate>& value) {
  if (!value) return nullptr;
  Json json = {{"mean", value->mean}, {"half", nullptr}, {"n", value->n}};
  if (value->half) json["half"] = *value->half;
  return json;
}

Json survey_summary_json(const SeriesSummary& one) {
  return {{"H", estimate_json(one.H)},
          {"cells", estimate_json(one.cells)},
          {"spread", estimate_json(one.spread)},
          {"forward_flips", estimate_json(one.forward_flips)},
          {"backflips", estimate_json(one.backflips)},
          {"two_turns", estimate_json(one.two_turns)}};
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// the shortest text that reads back as the same number
std::string csv_number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::vector<std::pair<const char*, std::string>> csv_values(const RunFiles& run) {
  const FinalValues none;
  const FinalValues& v = run.result ? *run.result : none;
  const auto known = [&](double x) { return run.result ? csv_number(x) : ""; };
  const auto survey = [&](double (*value)(const SurveyValues&)) {
    return v.survey ? csv_number(value(*v.survey)) : "";
  };
  const auto flips = [&](double FlipValues::*value) {
    return v.survey && v.survey->flips ? csv_number(*v.survey->flips.*value) : "";
  };
  const auto states =
      std::count_if(v.p_f.begin(), v.p_f.end(), [](const auto& entry) { return entry.second > 0; });
  return {{"finished", run.result ? "true" : "false"},
          {"updates_done", run.result                 ? std::to_string(v.updates)
                           : run.curve.update.empty() ? "0"
                                                      : std::to_string(run.curve.update.back())},
          {"exact", run.result ? (v.exact ? "true" : "false") : ""},
          {"H", known(v.H)},
          {"ci95", known(v.ci95)},
          {"D", csv_number(v.D)},
          {"N", csv_number(v.N)},
          {"I_hat", known(v.I_hat)},
          {"I", csv_number(v.I)},
          {"reach", csv_number(v.success)},
          {"reach_greedy", csv_number(v.greedy_success)},
          {"H_max", csv_number(v.H_max)},
          {"D_max", csv_number(v.D_max)},
          {"H_at_D_max", csv_number(v.H_at_D_max)},
          {"external", csv_number(v.external)},
          {"states", run.result && !v.survey ? std::to_string(states) : ""},
          {"cells", survey([](const SurveyValues& s) { return static_cast<double>(s.cells); })},
          {"spread", survey([](const SurveyValues& s) { return s.summaries[0].spread; })},
          {"min", survey([](const SurveyValues& s) { return s.summaries[0].min; })},
          {"max", survey([](const SurveyValues& s) { return s.summaries[0].max; })},
          {"forward_flips", flips(&FlipValues::forward)},
          {"backflips", flips(&FlipValues::back)},
          {"two_turns", flips(&FlipValues::two_turns)},
          {"bias", csv_number(v.bias)},
          {"deviation", csv_number(v.deviation)},
          {"correlation", csv_number(v.correlation)}};
}

}  // namespace

std::string terminal_table(const ReportData& data, Ink ink) {
  std::string out;
  for (const WorldReport& world : data.worlds) {
    if (!out.empty()) out += "\n";
    out += world_table(world, ink);
  }
  const bool cells = std::any_of(data.worlds.begin(), data.worlds.end(),
                                 [](const WorldReport& world) { return world.baseline; });
  out +=
      "\nmeans over seeds ± half of Student's 95 % interval, in nats; states are those with "
      "p(s_f) > 0\n";
  if (cells) {
    out +=
        "H of a simulated world is that of its cells, spread is that of its first coordinate; "
        "flips and turns are % of the options\n";
  }
  return out;
}

std::string table_json(const ReportData& data) {
  Json worlds = Json::array();
  for (const WorldReport& world : data.worlds) {
    Json entry = {{"world", world.label},
                  {"H_max", maybe(world.H_max())},
                  {"D_max", maybe(world.D_max())},
                  {"H_at_D_max", maybe(world.H_at_D_max())}};
    if (world.baseline) entry["random"] = survey_summary_json(summarise_random(*world.baseline));
    Json& list = entry["series"] = Json::array();
    for (const Series& series : world.series) {
      const SeriesSummary one = summarise(world, series);
      list.push_back({{"label", one.label},
                      {"algorithm", series.algorithm},
                      {"finished", one.finished},
                      {"unfinished", one.unfinished},
                      {"exact", one.exact},
                      {"H", estimate_json(one.H)},
                      {"D", estimate_json(one.D)},
                      {"N", estimate_json(one.N)},
                      {"H_share", estimate_json(one.H_share)},
                      {"D_share", estimate_json(one.D_share)},
                      {"I_hat", estimate_json(one.I_hat)},
                      {"I", estimate_json(one.I)},
                      {"reach", estimate_json(one.success)},
                      {"reach_greedy", estimate_json(one.greedy_success)},
                      {"external", estimate_json(one.external)},
                      {"states", estimate_json(one.states)},
                      {"rooms", estimate_json(one.rooms)},
                      {"bias", estimate_json(one.bias)},
                      {"deviation", estimate_json(one.deviation)},
                      {"correlation", estimate_json(one.correlation)}});
      if (one.cells) list.back().update(survey_summary_json(one));
    }
    worlds.push_back(std::move(entry));
  }
  return Json{{"worlds", std::move(worlds)}}.dump(2) + "\n";
}

std::string run_csv(const ReportData& data) {
  std::string out = "folder,world,algorithm,seed";
  const RunFiles none;
  for (const auto& [name, value] : csv_values(none)) out += fmt::format(",{}", name);
  // what has a column already is not said twice
  std::vector<std::string> keys;
  for (const Difference& difference : data.differences) {
    const std::string& key = difference.key;
    if (key == "train.seed" || key == "train.algorithm" || key == "run.world") continue;
    keys.push_back(key);
    out += fmt::format(",{}", csv_field(key));
  }
  out += "\n";
  for (const RunFiles* run : data.runs()) {
    out += fmt::format("{},{},{},{}", csv_field(run->folder), csv_field(run->world),
                       csv_field(run->algorithm), run->seed);
    for (const auto& [name, value] : csv_values(*run)) out += "," + value;
    for (const std::string& key : keys) out += fmt::format(",{}", csv_field(run->setting(key)));
    out += "\n";
  }
  return out;
}

}  // namespace vic
