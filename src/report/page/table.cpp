// The table of final values: in a terminal, for scripts, and as comma-separated values.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "report/data/summary.h"
#include "report/page/page.h"

namespace vic {
namespace {

std::string runs_text(const SeriesSummary& one) {
  if (one.colour < 0) return "–";
  std::string text = std::to_string(one.finished);
  if (one.unfinished > 0) text += fmt::format(" (+{} unfinished)", one.unfinished);
  return text;
}

// the name of a world and the truth about it, in lines of at most `widest` columns
std::string world_head(const WorldReport& world, const std::string& painted, std::size_t widest) {
  std::string text = painted;
  std::size_t width = text_width(world.label);
  const auto add = [&](const std::string& fact) {
    const bool full = width + 3 + text_width(fact) > widest;
    text += (full ? "\n  " : "   ") + fact;
    width = (full ? 2 : width + 3) + text_width(fact);
  };
  for (const auto& [name, value] : world.optima()) add(fmt::format("{} {:.4f}", name, value));
  if (world.baseline) {
    add(fmt::format("random H {:.4f}", *world.baseline->random.measures["H"]));
  }
  return text + "\n";
}

// Where the columns of each part of a table begin, and its end: columns that do not fit go below,
// beside the names again. Columns are `gap` apart.
std::vector<std::size_t> parts_of(const std::vector<std::size_t>& widths, std::size_t gap,
                                  std::size_t widest) {
  std::vector<std::size_t> begins = {1};
  std::size_t width = 2 + widths[0];
  for (std::size_t c = 1; c < widths.size(); ++c) {
    if (width + gap + widths[c] > widest && c > begins.back()) {
      begins.push_back(c);
      width = 2 + widths[0];
    }
    width += gap + widths[c];
  }
  begins.push_back(widths.size());
  return begins;
}

std::string world_table(const WorldReport& world, Ink ink, std::size_t widest) {
  std::vector<SeriesSummary> summaries;
  for (const Series& series : world.series) summaries.push_back(summarise(world, series));
  if (world.baseline) summaries.push_back(summarise_random(*world.baseline));
  const std::vector<const Measure*> columns = columns_of(world, summaries);
  std::vector<std::vector<std::string>> cells{{"algorithm", "seeds"}};
  for (const Measure* column : columns) cells[0].push_back(column->column);
  for (const SeriesSummary& one : summaries) {
    auto& row = cells.emplace_back();
    row = {one.label, runs_text(one)};
    for (const Measure* column : columns) {
      row.push_back(estimate_text(one.values[column->name], column->digits));
    }
  }
  std::vector<std::size_t> widths(cells[0].size(), 0);
  for (const auto& row : cells) {
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], text_width(row[c]));
  }
  const auto paint = [&](const char* code, const std::string& text) {
    return ink == Ink::colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  };
  std::string out = world_head(world, paint("1", world.label), widest);
  // closer together if that saves a part
  std::size_t gap = 3;
  std::vector<std::size_t> parts = parts_of(widths, gap, widest);
  if (auto closer = parts_of(widths, 2, widest); closer.size() < parts.size()) {
    gap = 2;
    parts = std::move(closer);
  }
  for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
    for (std::size_t r = 0; r < cells.size(); ++r) {
      std::string line = fmt::format("  {}", padded(cells[r][0], widths[0], Side::left));
      for (std::size_t c = parts[part]; c < parts[part + 1]; ++c) {
        line += std::string(gap, ' ') + padded(cells[r][c], widths[c], Side::right);
      }
      out += fmt::format("{}\n", r == 0 ? paint("2", line) : line);
    }
  }
  for (const std::string& line : difference_lines(world)) out += fmt::format("  {}\n", line);
  return out;
}

Json estimate_json(const std::optional<Estimate>& value) {
  if (!value) return nullptr;
  Json json = {{"mean", value->mean}, {"half", nullptr}, {"n", value->n}, {"iqm", value->iqm}};
  if (value->half) json["half"] = *value->half;
  return json;
}

// the measures that have a column; unknown ones are null
void add_values(Json& json, const SeriesSummary& one) {
  for (std::size_t i = 0; i < measures().size(); ++i) {
    if (*measures()[i].column == '\0') continue;
    json[measures()[i].name] = estimate_json(one.values.list[i]);
  }
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
  const long last = run.curve.update.empty() ? 0 : run.curve.update.back();
  const auto& result = run.result;
  std::vector<std::pair<const char*, std::string>> values = {
      {"finished", result ? "true" : "false"},
      {"updates_done", std::to_string(result ? result->updates : last)},
      {"exact", !result         ? ""
                : result->exact ? "true"
                                : "false"}};
  for (std::size_t i = 0; i < measures().size(); ++i) {
    if (measures()[i].of == 0) continue;
    values.emplace_back(measures()[i].name, result ? csv_number(result->measures.list[i]) : "");
  }
  return values;
}

}  // namespace

std::string terminal_table(const ReportData& data, Ink ink, std::size_t columns) {
  std::string out;
  for (const WorldReport& world : data.worlds) {
    if (!out.empty()) out += "\n";
    out += world_table(world, ink, columns);
    for (const std::string& warning : world.warnings()) out += "warning: " + warning + "\n";
  }
  for (const std::string& note : data.notes) out += "note: " + note + "\n";
  const bool cells = std::ranges::any_of(
      data.worlds, [](const WorldReport& world) { return world.baseline.has_value(); });
  out +=
      "\nmeans over seeds ± half of Student's 95 % interval, in nats; states are those that "
      "sampled options ended in\n";
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
    Json entry = {{"world", world.label}};
    for (const char* name : {"H_max", "D_max", "H_at_D_max"}) {
      entry[name] = maybe(world.optimum(name));
    }
    if (world.baseline) add_values(entry["random"], summarise_random(*world.baseline));
    Json& list = entry["series"] = Json::array();
    for (const Series& series : world.series) {
      const SeriesSummary one = summarise(world, series);
      add_values(list.push_back({{"label", one.label},
                                 {"algorithm", series.algorithm},
                                 {"finished", one.finished},
                                 {"unfinished", one.unfinished},
                                 {"exact", one.exact}}),
                 one);
    }
    Json& differences = entry["differences"] = Json::array();
    for (const PairedDifference& one : paired_differences(world)) {
      differences.push_back({{"series", one.label},
                             {"minus", one.other},
                             {"measure", one.measure},
                             {"difference", estimate_json(one.value)}});
    }
    worlds.push_back(std::move(entry));
  }
  return Json{{"worlds", std::move(worlds)}}.dump(2) + "\n";
}

std::string run_csv(const ReportData& data) {
  std::string out = "folder,world,algorithm,seed";
  const RunFiles none;
  for (const auto& [name, value] : csv_values(none)) out += fmt::format(",{}", name);
  // settings that have a column already are left out
  std::vector<std::string> keys;
  for (const auto& [key, values] : data.differences) {
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
