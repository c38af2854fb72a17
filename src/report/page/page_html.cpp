// The building blocks of the page's sections, and the data of its script.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/json.h"
#include "base/text.h"
#include "report/figures/palette.h"
#include "report/page/page_parts.h"
#include "report/report_files.h"

namespace vic {
namespace {

// digits that the page does not show would only make it longer
double rounded(double x) {
  return std::round(x * 1e6) / 1e6;
}

Json curve_json(const CurveFigure& figure, const std::string& id) {
  Json json = {{"id", id + "-" + figure.id},
               {"warm_up", figure.warm_up},
               {"axis", name_of(figure.axis)},
               {"low", rounded(figure.range.low)},
               {"high", rounded(figure.range.high)},
               {"digits", 4},
               {"unit", figure.y_label}};
  Json& marks = json["marks"] = Json::array();
  for (const CurveMark& mark : figure.marks) {
    marks.push_back({{"label", mark.label}, {"value", mark.value}, {"style", mark.style}});
  }
  const auto list = [](const std::vector<double>& values) {
    Json out = Json::array();
    for (double x : values) out.push_back(rounded(x));
    return out;
  };
  Json& series = json["series"] = Json::array();
  for (const CurveFigure::Line& line : figure.lines) {
    series.push_back({{"label", line.label},
                      {"colour", line.colour % series_colours},
                      {"warm_up", line.warm_up},
                      {"n", line.curve.n},
                      {"x", line.curve.update},
                      {"mean", list(line.curve.band.mean)},
                      {"low", list(line.curve.band.low)},
                      {"high", list(line.curve.band.high)}});
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

std::string figures_script() {
  return fmt::format("{}\n{}", resources::curves_js, resources::figures_js);
}

std::string player_script() {
  return fmt::format("{}\n{}", resources::film_view_js, resources::player_js);
}

std::string script_text(const std::string& json) {
  std::string out;
  for (char c : json) out += c == '<' ? "\\u003c" : std::string(1, c);
  return out;
}

}  // namespace vic
