// What the sections of the page are made of, and the data of its script.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "report/figures/palette.h"
#include "report/page/page_parts.h"

namespace vic {
namespace {

// more digits than the page shows only make it longer
double rounded(double x) {
  return std::round(x * 1e6) / 1e6;
}

Json curve_json(const CurveFigure& figure, const std::string& id) {
  // all series over the same updates, null where one has none
  std::set<long> updates;
  for (const auto& line : figure.lines) {
    updates.insert(line.curve.update.begin(), line.curve.update.end());
  }
  const std::vector<long> x(updates.begin(), updates.end());
  Json json = {{"id", id + "-" + figure.id},
               {"warm_up", figure.warm_up},
               {"last", figure.last},
               {"low", rounded(figure.range.low)},
               {"high", rounded(figure.range.high)},
               {"digits", 4},
               {"unit", figure.y_label},
               {"x", x}};
  Json& marks = json["marks"] = Json::array();
  for (const CurveMark& mark : figure.marks) {
    marks.push_back({{"label", mark.label}, {"value", mark.value}, {"style", mark.style}});
  }
  Json& series = json["series"] = Json::array();
  for (const auto& [label, colour, curve] : figure.lines) {
    std::vector<Json> mean(x.size()), low(x.size()), high(x.size());
    for (std::size_t i = 0; i < curve.update.size(); ++i) {
      const auto k = std::lower_bound(x.begin(), x.end(), curve.update[i]) - x.begin();
      mean[k] = rounded(curve.band.mean[i]);
      low[k] = rounded(curve.band.low[i]);
      high[k] = rounded(curve.band.high[i]);
    }
    series.push_back({{"label", label},
                      {"colour", colour % series_colours},
                      {"n", curve.n},
                      {"mean", mean},
                      {"low", low},
                      {"high", high}});
  }
  return json;
}

Json heat_json(const HeatFigure& figure, const std::string& id) {
  Json json = {{"id", id + "-heat"}, {"largest", figure.largest()}};
  Json& states = json["states"] = Json::array();
  for (const auto& place : figure.layout.places) states.push_back(place.state);
  Json& panels = json["panels"] = Json::array();
  for (const HeatPanel& panel : figure.panels) {
    Json choices;
    for (const auto& [name, distribution] : panel.choices) {
      Json& values = choices[name] = Json::array();
      for (double p : on_layout(figure.layout, distribution)) values.push_back(rounded(p));
    }
    panels.push_back({{"title", panel.title}, {"choices", std::move(choices)}});
  }
  return json;
}

}  // namespace

std::string fill(std::string_view form, const std::map<std::string, std::string>& values) {
  std::string out;
  while (true) {
    const std::size_t begin = form.find("{{"), end = form.find("}}", begin);
    if (begin == std::string_view::npos || end == std::string_view::npos) break;
    out += form.substr(0, begin);
    out += values.at(std::string(form.substr(begin + 2, end - begin - 2)));
    form.remove_prefix(end + 2);
  }
  return out + std::string(form);
}

std::string typeset(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text[0] == '^' && text.size() > 1) {
      out += fmt::format("<sup>{}</sup>", text[1]);
      text.remove_prefix(2);
      continue;
    }
    const Symbol symbol = split_symbol(text);
    // one letter is a symbol
    const bool letter =
        symbol.base.size() == 1 && std::isalpha(static_cast<unsigned char>(symbol.base[0]));
    out += letter ? fmt::format("<i>{}</i>", symbol.base) : escape_markup(symbol.base);
    if (!symbol.below.empty()) out += fmt::format("<sub>{}</sub>", symbol.below);
    text = symbol.rest;
  }
  return out;
}

std::string colour_dot(int colour) {
  return fmt::format("<span class=\"dot\" style=\"background:var(--c{})\"></span>",
                     colour % series_colours);
}

std::string value_cell(const std::optional<Estimate>& value, int digits, const char* unit) {
  if (!value) return "<td>–</td>";
  const std::string mean = minus_text(value->mean, digits) + unit;
  if (!value->half) return fmt::format("<td>{}</td>", mean);
  return fmt::format("<td>{}<span class=\"pm\"> ± {:.{}f}</span></td>", mean, *value->half, digits);
}

std::string note_html(const std::string& words) {
  return fmt::format("<p class=\"note\">{}</p>\n", words);
}

std::string facts_html(const NamedTexts& facts) {
  std::string html;
  for (const auto& [name, value] : facts) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
  }
  return fmt::format("<dl class=\"facts\">{}</dl>\n", html);
}

std::string table_html(const std::string& label, const char* classes, const std::string& head,
                       const std::string& rows) {
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table class=\"{}\">"
      "<thead><tr>{}</tr></thead>\n<tbody>{}</tbody></table></div>\n",
      escape_markup(label), classes, head, rows);
}

std::string figure_html(const std::string& title, const std::string& words,
                        const std::string& content, const std::string& attributes) {
  return fmt::format("<figure{}>\n<figcaption><h3>{}</h3><p>{}</p></figcaption>\n{}</figure>\n",
                     attributes, escape_markup(title), words, content);
}

std::string script_data(const std::vector<WorldFigures>& figures) {
  Json json = {{"heat_levels", heat_levels}, {"charts", Json::array()}, {"heats", Json::array()}};
  for (const WorldFigures& world : figures) {
    for (const CurveFigure& curve : world.curves) {
      if (!curve.lines.empty()) json["charts"].push_back(curve_json(curve, world.id));
    }
    if (!world.heat.panels.empty()) json["heats"].push_back(heat_json(world.heat, world.id));
  }
  return script_text(json.dump(-1, BadUtf8::replace));
}

std::string script_text(const std::string& json) {
  std::string out;
  for (char c : json) out += c == '<' ? "\\u003c" : std::string(1, c);
  return out;
}

}  // namespace vic
