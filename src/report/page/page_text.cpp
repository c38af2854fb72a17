// The sections of the page that consist of text and tables: claims, overview, settings and
// commands.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "report/page/page_parts.h"
#include "run/run_folder.h"
#include "sim/world.h"
#include "world/registry.h"

namespace vic {
namespace {

// a row for each: the name as code, and a text
std::string settings_table(const NamedTexts& rows, const char* head = "") {
  std::string html;
  for (const auto& [name, words] : rows) {
    html += fmt::format("<tr><td><code>{}</code></td><td>{}</td></tr>\n", escape_markup(name),
                        escape_markup(words));
  }
  return fmt::format(
      "<div class=\"scroll\"><table class=\"settings\">{}<tbody>{}</tbody></table></div>", head,
      html);
}

std::string folded_table(const std::string& title, const NamedTexts& rows) {
  if (rows.empty()) return "";
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", title, settings_table(rows));
}

std::string differences(const ReportData& data) {
  NamedTexts rows;
  for (const auto& [key, values] : data.differences) rows.emplace_back(key, joined(values, ", "));
  if (rows.empty()) return "";
  const char* head = "<thead><tr><th>setting</th><th>values</th></tr></thead>";
  return fmt::format("<h3>What differs between the runs</h3>\n{}\n", settings_table(rows, head));
}

std::string common(const ReportData& data) {
  NamedTexts rows;
  for (const Assignment& same : data.common) rows.emplace_back(same.key, same.value);
  return folded_table(fmt::format("{} settings that are the same in all runs", rows.size()), rows);
}

std::map<std::string, std::string> default_settings(const std::string& world) {
  std::map<std::string, std::string> defaults;
  const auto add = [&](const std::vector<SettingInfo>& list) {
    for (const SettingInfo& info : list) defaults[info.key] = info.value;
  };
  add(describe("train", TrainSettings{}));
  add(describe("run", RunSettings{}));
  for (const WorldEntry& entry : registry()) {
    if (entry.name == world) add(entry.settings());
  }
  if (const SimulatorFamily* family = find_simulators(world)) add(family->settings(world));
  return defaults;
}

// quoted as one word for the shell
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-/=+:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string commands(const ReportData& data) {
  std::string lines;
  for (const WorldReport& world : data.worlds) {
    for (const Series& series : world.series) lines += train_command(world, series) + "\n";
  }
  lines += "./vic report again -o page.html";
  return fmt::format(
      "<h3>To get every number again</h3>\n{}<div class=\"command\"><button type=\"button\" "
      "class=\"copy\">Copy</button><pre tabindex=\"0\"><code>{}</code></pre></div>\n",
      note_html("Runs are deterministic: these commands reproduce every file byte for byte."),
      escape_markup(lines));
}

// the builds that made the runs, each once with the number of its runs
std::string provenance(const ReportData& data) {
  std::map<std::string, int> builds;
  for (const RunFiles* run : data.runs()) {
    std::string text;
    for (const auto& [key, value] : run->build) {
      text += fmt::format("{}<code>{}</code> {}", text.empty() ? "" : " · ", escape_markup(key),
                          escape_markup(value));
    }
    if (!text.empty()) ++builds[text];
  }
  std::string html;
  for (const auto& [text, n] : builds) {
    html += note_html(fmt::format("{} {} made by: {}", n, n == 1 ? "run was" : "runs were", text));
  }
  return html.empty() ? "" : "<h3>Provenance</h3>\n" + html;
}

// coverage as a share of the optimum with a bar, or in nats if there is no optimum
std::string share_cell(const SeriesSummary& one) {
  const auto H = one.values["H"], share = one.values["H_share"];
  if (!share) return H ? fmt::format("<td>{:.2f} nats</td>", H->mean) : "<td>–</td>";
  const std::string half =
      share->half ? fmt::format("<span class=\"pm\"> ± {:.1f}</span>", *share->half) : "";
  return fmt::format(
      "<td class=\"share\"><span class=\"meter\" style=\"--share:{:.1f}%\"></span>"
      "{:.1f} %{}</td>",
      std::clamp(share->mean, 0.0, 100.0), share->mean, half);
}

std::string world_cell(const ReportData& data, std::size_t world) {
  return fmt::format("<th scope=\"row\"><a href=\"#w{}\">{}</a></th>", world,
                     escape_markup(data.worlds[world].label));
}

std::string overview_matrix(const ReportData& data, const std::vector<WorldFigures>& figures,
                            const std::map<int, std::string>& labels) {
  std::string head = "<th scope=\"col\">world</th>", rows;
  for (const auto& [colour, label] : labels) {
    head += fmt::format("<th scope=\"col\">{} {}</th>", colour_dot(colour), escape_markup(label));
  }
  for (std::size_t w = 0; w < figures.size(); ++w) {
    rows += "<tr>" + world_cell(data, w);
    for (const auto& [colour, label] : labels) {
      const auto& list = figures[w].summaries;
      const auto found = std::ranges::find(list, label, &SeriesSummary::label);
      rows += found == list.end() ? "<td>–</td>" : share_cell(*found);
    }
    rows += "</tr>\n";
  }
  return table_html("Overview", "overview", head, rows);
}

// a row for each series, in the order of the page
std::string overview_list(const ReportData& data, const std::vector<WorldFigures>& figures) {
  std::string rows;
  for (std::size_t w = 0; w < figures.size(); ++w) {
    for (const SeriesSummary& one : figures[w].summaries) {
      const std::string seeds = one.finished > 0 ? std::to_string(one.finished) : "unfinished";
      rows += fmt::format("<tr>{}<td class=\"words\">{}{}</td><td>{}</td>{}{}{}{}</tr>\n",
                          world_cell(data, w), colour_dot(one.colour), escape_markup(one.label),
                          seeds, share_cell(one), value_cell(one.values["H"], 3),
                          value_cell(one.values["D"], 3), value_cell(one.values["N"], 3));
    }
  }
  const std::string head = fmt::format(
      "<th scope=\"col\">world</th><th scope=\"col\" class=\"words\">algorithm</th>"
      "<th scope=\"col\">seeds</th><th scope=\"col\">of {}</th><th scope=\"col\"><i>H</i></th>"
      "<th scope=\"col\"><i>D</i></th><th scope=\"col\"><i>N</i></th>",
      typeset("H_max"));
  return table_html("Overview", "overview", head, rows);
}

std::string folders(const ReportData& data) {
  NamedTexts rows;
  for (const RunFiles* run : data.runs()) {
    const long last = run->curve.update.empty() ? 0 : run->curve.update.back();
    rows.emplace_back(run->folder,
                      run->result ? fmt::format("finished after {} updates", run->result->updates)
                                  : fmt::format("unfinished: {} of {} updates", last,
                                                run->warm_up + run->updates));
  }
  return folded_table("The folders of the runs", rows);
}

}  // namespace

std::string claims_section(const std::vector<ClaimRow>& claims) {
  std::string rows;
  std::map<std::string, int> count;
  for (const ClaimRow& row : claims) {
    ++count[row.verdict];
    // the verdict first: a narrow page never hides it
    rows += fmt::format(
        "<tr><td class=\"verdict {}\">{}</td><td class=\"words\">{}{}</td>"
        "<td class=\"words\" data-is=\"source\">{}</td>"
        "<td class=\"words\" data-is=\"measured\">{}</td>"
        "<td class=\"words\" data-is=\"must be\">{}</td></tr>\n",
        row.verdict == "holds"     ? "pass"
        : row.verdict == "refuted" ? "fail"
                                   : "undecided",
        escape_markup(row.verdict), escape_markup(row.claim),
        row.see.empty() ? "" : fmt::format(" <small>{}</small>", escape_markup(row.see)),
        escape_markup(row.source), escape_markup(row.measured), escape_markup(row.threshold));
  }
  const char* head =
      "<th>verdict</th><th class=\"words\">claim</th><th class=\"words\">source</th>"
      "<th class=\"words\">measured</th><th class=\"words\">must be</th>";
  std::string title = fmt::format("{} of {} claims hold", count["holds"], claims.size());
  for (const char* other : {"refuted", "undecided"}) {
    if (count[other] > 0) title += fmt::format(", {} {}", count[other], other);
  }
  return fmt::format("<section id=\"claims\">\n<h2>{}</h2>\n{}</section>\n", title,
                     table_html("Claims", "claims", head, rows));
}

std::string overview_section(const ReportData& data, const std::vector<WorldFigures>& figures) {
  // a column per label; each has its own colour
  std::map<int, std::string> labels;
  std::size_t filled = 0;
  for (const WorldFigures& world : figures) {
    filled += world.summaries.size();
    for (const SeriesSummary& one : world.summaries) labels[one.colour] = one.label;
  }
  // runs with little in common are listed: a matrix would be mostly empty
  const bool sparse = 10 * filled < 6 * labels.size() * figures.size();
  return fmt::format(
      "<section id=\"overview\">\n<h2>Overview</h2>\n{}{}</section>\n",
      note_html(
          fmt::format("Coverage <i>H</i> as a share of {}, the most that any policy can have; "
                      "means over seeds ± half of Student&#39;s 95 % interval.",
                      typeset("H_max"))),
      sparse ? overview_list(data, figures) : overview_matrix(data, figures, labels));
}

std::string settings_section(const ReportData& data) {
  return "<section id=\"again\">\n<h2>Settings and commands</h2>\n" + differences(data) +
         common(data) + folders(data) + commands(data) + provenance(data) + "</section>\n";
}

std::string train_command(const WorldReport& world, const Series& series) {
  const RunFiles& run = series.runs[0];
  const std::string name = run.setting("run.world");
  const auto defaults = default_settings(name);
  std::string text = fmt::format("./vic train {} --algorithm {} --seed $seed", quoted(name),
                                 quoted(series.algorithm));
  const auto is_default = [&](const std::string& key, const std::string& value) {
    const auto found = defaults.find(key);
    return found != defaults.end() && found->second == value;
  };
  if (!is_default("train.updates", std::to_string(run.updates))) {
    text += fmt::format(" --updates {}", run.updates);
  }
  const std::set<std::string> said_above = {"run.world", "train.algorithm", "train.seed",
                                            "train.updates"};
  for (const auto& [key, value, origin] : run.settings) {
    if (is_default(key, value) || said_above.contains(key) || is_indifferent(key)) continue;
    text += fmt::format(" --set {}", quoted(key + "=" + value));
  }
  std::vector<std::string> seeds;
  for (const RunFiles& one : series.runs) seeds.push_back(std::to_string(one.seed));
  return fmt::format("for seed in {}; do {} --out again/{}-$seed; done", joined(seeds, " "), text,
                     file_name(world.label + "-" + series.label));
}

}  // namespace vic
