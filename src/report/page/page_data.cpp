// What the page's script is given.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/json.h"
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
