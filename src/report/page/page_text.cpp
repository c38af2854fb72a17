// The sections of the page that are words and tables: claims, overview, settings and commands.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/text.h"
#include "report/data/commands.h"
#include "report/figures/palette.h"
#include "report/page/page_parts.h"

namespace vic {
namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

std::string differences_table(const ReportData& data) {
  std::string rows;
  for (const Difference& difference : data.differences) {
    rows +=
        fmt::format("<tr><td><code>{}</code></td><td>{}</td></tr>\n", escape_markup(difference.key),
                    escape_markup(joined(difference.values, ", ")));
  }
  if (rows.empty()) return "";
  return fmt::format(
      "<h3>What differs between the runs</h3>\n<div class=\"scroll\"><table class=\"settings\">"
      "<thead><tr><th>setting</th><th>values</th></tr></thead><tbody>{}</tbody></table></div>\n",
      rows);
}

std::string common_table(const ReportData& data) {
  std::string rows;
  for (const Assignment& said : data.common) {
    rows += fmt::format("<tr><td><code>{}</code></td><td>{}</td></tr>\n", escape_markup(said.key),
                        escape_markup(said.value));
  }
  if (rows.empty()) return "";
  return fmt::format(
      "<details><summary>{} settings that are the same in all runs</summary>\n<div "
      "class=\"scroll\"><table class=\"settings\"><tbody>{}</tbody></table></div></details>\n",
      data.common.size(), rows);
}

std::string commands(const ReportData& data) {
  std::string lines;
  for (const WorldReport& world : data.worlds) {
    for (const Series& series : world.series) lines += train_command(world, series) + "\n";
  }
  lines += "./vic report again -o page.html";
  return fmt::format(
      "<h3>To get every number again</h3>\n<p class=\"note\">A run is a function of its settings: "
      "these commands give the same bytes.</p>\n<pre tabindex=\"0\"><code>{}</code></pre>\n",
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
    html += fmt::format("<p class=\"note\">{} {} made by: {}</p>\n", n,
                        n == 1 ? "run was" : "runs were", text);
  }
  return html.empty() ? "" : "<h3>Provenance</h3>\n" + html;
}

std::string folders(const ReportData& data) {
  std::string rows;
  for (const RunFiles* run : data.runs()) {
    const long last = run->curve.update.empty() ? 0 : run->curve.update.back();
    rows += fmt::format(
        "<tr><td><code>{}</code></td><td>{}</td></tr>\n", escape_markup(run->folder),
        run->result
            ? fmt::format("finished after {} updates", run->result->updates)
            : fmt::format("unfinished: {} of {} updates", last, run->warm_up + run->updates));
  }
  return fmt::format(
      "<details><summary>The folders of the runs</summary>\n<div class=\"scroll\"><table "
      "class=\"settings\"><tbody>{}</tbody></table></div></details>\n",
      rows);
}

}  // namespace

std::string typeset(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    const bool subscript = end > i && end + 1 < text.size() && text[end] == '_';
    if (text[i] == '^' && i + 1 < text.size()) {
      out += fmt::format("<sup>{}</sup>", text[i + 1]);
      i += 2;
      continue;
    }
    if (end == i) {
      out += escape_markup(text.substr(i, 1));
      ++i;
      continue;
    }
    const std::string base(text.substr(i, end - i));
    // one letter is a symbol
    out += base.size() == 1 ? "<i>" + base + "</i>" : base;
    i = end;
    if (!subscript) continue;
    std::string below;
    for (i = end + 1; i < text.size() && (is_letter(text[i]) || text[i] == '_'); ++i) {
      below += text[i] == '_' ? ' ' : text[i];
    }
    out += "<sub>" + below + "</sub>";
  }
  return out;
}

std::string colour_dot(int colour) {
  return fmt::format("<span class=\"dot\" style=\"background:var(--c{})\"></span>",
                     colour % series_colours);
}

std::string claims_section(const std::vector<ClaimRow>& claims) {
  std::string rows;
  const auto held =
      std::count_if(claims.begin(), claims.end(), [](const ClaimRow& row) { return row.pass; });
  for (const ClaimRow& row : claims) {
    rows += fmt::format(
        "<tr><td>{}</td><td class=\"words\">{}</td><td class=\"words\">{}</td><td "
        "class=\"verdict {}\">{}</td></tr>\n",
        escape_markup(row.claim), escape_markup(row.measured), escape_markup(row.threshold),
        row.pass ? "pass" : "fail", row.pass ? "PASS" : "FAIL");
  }
  return fmt::format(
      "<section id=\"claims\">\n<h2>{} of {} claims hold</h2>\n<div class=\"scroll\" "
      "tabindex=\"0\" role=\"region\" aria-label=\"Claims\"><table class=\"claims\"><thead><tr>"
      "<th>claim</th><th class=\"words\">measured</th><th class=\"words\">must be</th>"
      "<th>verdict</th></tr></thead>\n<tbody>{}</tbody></table></div>\n</section>\n",
      held, claims.size(), rows);
}

std::string overview_section(const ReportData& data, const std::vector<WorldFigures>& figures) {
  // a column a label, in the order of their first appearance
  std::vector<std::pair<std::string, int>> labels;
  for (const WorldFigures& world : figures) {
    for (const SeriesSummary& one : world.summaries) {
      const std::pair label(one.label, one.colour);
      if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    }
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  std::string head = "<th scope=\"col\">world</th>", rows;
  for (const auto& [label, colour] : labels) {
    head += fmt::format("<th scope=\"col\">{} {}</th>", colour_dot(colour), escape_markup(label));
  }
  for (std::size_t w = 0; w < figures.size(); ++w) {
    rows += fmt::format("<tr><th scope=\"row\"><a href=\"#w{}\">{}</a></th>", w,
                        escape_markup(data.worlds[w].label));
    for (const auto& label : labels) {
      const auto& list = figures[w].summaries;
      const auto found = std::find_if(list.begin(), list.end(), [&](const SeriesSummary& one) {
        return one.label == label.first;
      });
      // where the optimum is not known there is nothing to compare with
      const auto value = [&](const char* name) {
        return found == list.end() ? std::nullopt : found->values[name];
      };
      const std::optional<Estimate> share = value("H_share");
      if (const auto H = value("H"); H && !share) {
        rows += fmt::format("<td>{:.2f} nats</td>", H->mean);
        continue;
      }
      if (!share) {
        rows += "<td>–</td>";
        continue;
      }
      rows += fmt::format("<td>{:.1f} %", share->mean);
      if (share->half) rows += fmt::format("<span class=\"pm\"> ± {:.1f}</span>", *share->half);
      rows += "</td>";
    }
    rows += "</tr>\n";
  }
  return fmt::format(
      "<section id=\"overview\">\n<h2>Overview</h2>\n<p class=\"note\">The information between "
      "options and final states, <i>H</i>, as a share of the most that any policy can have, {}; "
      "means over seeds ± half of Student&#39;s 95 % interval.</p>\n<div class=\"scroll\" "
      "tabindex=\"0\" role=\"region\" aria-label=\"Overview\"><table class=\"overview\"><thead>"
      "<tr>{}</tr></thead>\n<tbody>{}</tbody></table></div>\n</section>\n",
      typeset("H_max"), head, rows);
}

std::string settings_section(const ReportData& data) {
  return "<section id=\"again\">\n<h2>Settings and commands</h2>\n" + differences_table(data) +
         common_table(data) + folders(data) + commands(data) + provenance(data) + "</section>\n";
}

}  // namespace vic
