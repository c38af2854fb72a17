// The section of a simulated world: entropy of the cells, what options did, films, final values.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "base/json.h"
#include "base/rounding.h"
#include "base/text.h"
#include "report/figures/behaviour_figure.h"
#include "report/page/page_parts.h"

namespace vic {
namespace {

std::string facts(const WorldReport& world) {
  std::string html;
  const auto add = [&](const char* name, const std::string& value) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
  };
  if (!world.baseline) {
    return "<p class=\"note\">No run of this world has a truth.json yet: what random actions do is "
           "not known.</p>\n";
  }
  const SimulatorTruth& truth = *world.baseline;
  add("actuators", fmt::format("{} of {} levels", truth.actuators, truth.levels));
  add("actions", fmt::format("{} in {:g} s", truth.T, truth.seconds));
  add("a cell", escape_markup(cell_text(truth.random.coordinates, " × ")));
  add("random actions", fmt::format("{:.3f} nats, {:.0f} cells", *truth.random.measures["H"],
                                    *truth.random.measures["cells"]));
  return fmt::format("<dl class=\"facts\">{}</dl>\n", html);
}

std::string row_html(const std::string& head, const std::string& seeds, const SeriesSummary& one,
                     const std::vector<const Measure*>& columns, const char* classes) {
  std::string html =
      fmt::format("<tr class=\"{}\"><th scope=\"row\">{}</th><td>{}</td>", classes, head, seeds);
  for (const Measure* column : columns) {
    html += value_cell(one.values[column->name], column->digits);
  }
  return html + "</tr>\n";
}

// one row per series, its seeds below it, and random actions last
std::string values_html(const WorldReport& world, const WorldFigures& figures) {
  const auto columns = columns_of(world, figures.summaries);
  std::string head = "<th scope=\"col\">algorithm</th><th scope=\"col\">seeds</th>", rows;
  for (const Measure* column : columns) {
    head += fmt::format("<th scope=\"col\" title=\"{}\">{}</th>", escape_markup(column->meaning),
                        typeset(column->column));
  }
  for (std::size_t i = 0; i < world.series.size(); ++i) {
    const SeriesSummary& one = figures.summaries[i];
    std::string seeds = std::to_string(one.finished);
    if (one.unfinished > 0) seeds += fmt::format(" + {} unfinished", one.unfinished);
    rows += row_html(colour_dot(one.colour) + escape_markup(one.label), seeds, one, columns, "");
    const auto runs = world.series[i].finished();
    for (const RunFiles* run : runs) {
      if (runs.size() < 2) break;
      Series alone{world.series[i].label, world.series[i].algorithm, one.colour, {*run}};
      rows += row_html(fmt::format("<span class=\"seed\">seed {}</span>", run->seed), "",
                       summarise(world, alone), columns, "truth");
    }
  }
  if (world.baseline) {
    rows += row_html("random actions", "", summarise_random(*world.baseline), columns, "truth");
  }
  const bool flips = std::any_of(columns.begin(), columns.end(), [](const Measure* column) {
    return std::string_view(column->name) == "backflips";
  });
  return fmt::format(
      "<figure>\n<figcaption><h3>Final values</h3><p>Means over seeds ± half of Student&#39;s 95 % "
      "interval. <i>H</i> is the entropy of the cells in nats, the spread is that of the first "
      "coordinate{}.</p></figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Final values, {}\"><table class=\"final\"><thead><tr>{}</tr></thead>\n<tbody>{}"
      "</tbody></table></div>\n</figure>\n",
      flips ? "; flips and turns are per cent of the options" : "", escape_markup(world.label),
      head, rows);
}

// the share of each behaviour, one column per series
std::string behaviours_table(const WorldReport& world) {
  std::vector<std::map<std::string, double>> columns;
  // by kind, then by name
  std::set<std::pair<int, std::string>> names;
  std::string head = "<th scope=\"col\">behaviour</th>";
  const auto add = [&](const std::vector<const SurveyValues*>& surveys, const std::string& title) {
    if (surveys.empty()) return;
    head += fmt::format("<th scope=\"col\">{}</th>", title);
    auto& shares = columns.emplace_back();
    for (const SurveyValues* survey : surveys) {
      for (const BehaviourCount& one : survey->behaviours) {
        names.emplace(one.kind, one.name);
        shares[one.name] += 100.0 * static_cast<double>(one.options) /
                            static_cast<double>(std::max(1L, survey->options)) /
                            static_cast<double>(surveys.size());
      }
    }
  };
  for (const Series& series : world.series) {
    std::vector<const SurveyValues*> surveys;
    for (const RunFiles* run : series.finished()) {
      if (run->result->survey) surveys.push_back(&*run->result->survey);
    }
    add(surveys, colour_dot(series.colour) + escape_markup(series.label));
  }
  if (world.baseline) add({&world.baseline->random}, "random actions");
  std::string rows;
  for (const auto& [kind, name] : names) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th>", escape_markup(name));
    for (auto& column : columns) {
      const auto found = column.find(name);
      rows += found == column.end() ? "<td>–</td>" : fmt::format("<td>{:.1f}</td>", found->second);
    }
    rows += "</tr>\n";
  }
  if (rows.empty()) return "";
  return fmt::format(
      "<figure>\n<figcaption><h3>What options did</h3><p>Per cent of the options of the final "
      "policies, the mean over seeds.</p></figcaption>\n<div class=\"scroll\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"Behaviours, {}\"><table class=\"final\"><thead><tr>{}</tr>"
      "</thead>\n<tbody>{}</tbody></table></div>\n</figure>\n",
      escape_markup(world.label), head, rows);
}

std::string behaviours_html(const WorldReport& world) {
  std::string panels;
  for (const Series& series : world.series) {
    for (const RunFiles& run : series.runs) {
      const std::string svg = draw_behaviours(run, Form::inline_part);
      if (svg.empty()) continue;
      panels += fmt::format("<div class=\"panel\"><h4>{}{}, seed {}{}</h4>{}</div>\n",
                            colour_dot(series.colour), escape_markup(series.label), run.seed,
                            run.result ? "" : ", unfinished", svg);
    }
  }
  if (panels.empty()) return "";
  return fmt::format(
      "<figure>\n<figcaption><h3>What options did during training</h3><p>Shares of the options "
      "that a run&#39;s behaviours.jsonl counts now and then.</p></figcaption>\n{}<div "
      "class=\"panels\">\n{}</div>\n</figure>\n",
      behaviour_legend_html(behaviour_kinds(world)), panels);
}

std::string cells_html(const WorldReport& world, const WorldFigures& figures) {
  if (figures.heat.panels.empty()) return "";
  std::string words = "The share of the options that end in a cell.";
  if (world.baseline) {
    const std::vector<Coordinate>& axes = world.baseline->random.coordinates;
    words = fmt::format("The share of the options that end in a cell: {} to the right{}.",
                        escape_markup(axes[0].name),
                        axes.size() > 1 ? ", " + escape_markup(axes[1].name) + " upwards" : "");
    for (const Coordinate& axis : axes) {
      if (!axis.bins.full) continue;
      words += fmt::format(" One of the {} is full from {:g} of it on.", escape_markup(axis.unit),
                           *axis.bins.full);
    }
    words += " The start is outlined.";
  }
  return heat_html(figures.heat, figures.id, words);
}

// the reel of a run, null where there is nothing to show
const FilmReel* reel_of(const RunFiles& run) {
  if (!run.simulated || !run.simulated->films || run.simulated->films->options.empty()) {
    return nullptr;
  }
  return &*run.simulated->films;
}

bool has_films(const WorldReport& world) {
  return std::any_of(world.series.begin(), world.series.end(), [](const Series& series) {
    return std::any_of(series.runs.begin(), series.runs.end(),
                       [](const RunFiles& run) { return reel_of(run) != nullptr; });
  });
}

std::string player_html(const WorldReport& world, const std::string& id) {
  if (!has_films(world)) return "";
  return fmt::format(
      "<figure class=\"player\" id=\"{0}-player\">\n<figcaption><h3>Options on film</h3><p>Options "
      "that the final policies drew, sorted by what they did. With the focus on the picture: space "
      "plays and pauses, ← and → go a step, ↑ and ↓ go to another option, + and − change the "
      "speed.</p></figcaption>\n<div class=\"controls\"><label>Run <select class=\"run\"></select>"
      "</label><label>Option <select class=\"option\"></select></label><label>Speed <select "
      "class=\"speed\"></select></label></div>\n<canvas tabindex=\"0\" role=\"img\" "
      "aria-label=\"the film\"></canvas>\n<div class=\"controls\"><button type=\"button\" "
      "class=\"play\">Play</button><input type=\"range\" class=\"scrub\" min=\"0\" step=\"1\" "
      "value=\"0\" aria-label=\"moment\"><output class=\"now\">&#8203;</output></div>\n<noscript>"
      "<p class=\"note\">The films need JavaScript; vic film RUN draws them as strips.</p>"
      "</noscript>\n</figure>\n",
      id);
}

// "+1.2 m, −0.9 turns"
std::string end_text(const FilmReel& reel, const FilmedOption& option) {
  std::string text;
  for (std::size_t k = 0; k < reel.coordinates.size(); ++k) {
    text += fmt::format("{}{} {}", k > 0 ? ", " : "", signed_text(option.displacement[k], 1),
                        reel.coordinates[k].unit);
  }
  return text;
}

// poses as whole millimetres, part by part
Json reel_json(const FilmReel& reel, const std::string& label) {
  Json json = {{"label", label},
               {"seconds", reel.seconds},
               {"turns", reel.rotates()},
               {"options", Json::array()}};
  Json& parts = json["parts"] = Json::array();
  if (!reel.options.empty()) {
    for (const Capsule& part : reel.options[0].poses[0]) {
      parts.push_back({thousandths(part.r), part.limb});
    }
  }
  for (const FilmedOption& option : reel.options) {
    Json path = Json::array(), poses = Json::array();
    for (std::size_t t = 0; t < option.path.size(); ++t) {
      const Posture& at = option.path[t];
      path.push_back(
          {thousandths(at.x), thousandths(at.z), thousandths(at.pitch / (2 * std::numbers::pi))});
      Json& pose = poses.push_back(Json::array());
      for (const Capsule& c : option.poses[t]) {
        for (double number : {c.x1, c.z1, c.x2, c.z2}) pose.push_back(thousandths(number));
      }
    }
    json["options"].push_back({{"behaviour", option.behaviour},
                               {"end", end_text(reel, option)},
                               {"path", std::move(path)},
                               {"poses", std::move(poses)}});
  }
  return json;
}

}  // namespace

std::string simulator_section(const WorldReport& world, const WorldFigures& figures) {
  std::string html = fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}", figures.id,
                                 escape_markup(world.label), facts(world));
  html += curve_html(figures.curves.front(), figures.id) + player_html(world, figures.id);
  html += values_html(world, figures) + cells_html(world, figures);
  return html + behaviours_html(world) + behaviours_table(world) + "</section>\n";
}

std::string film_data(const ReportData& data) {
  Json players = Json::array();
  for (std::size_t w = 0; w < data.worlds.size(); ++w) {
    const WorldReport& world = data.worlds[w];
    if (!has_films(world)) continue;
    Json runs = Json::array();
    for (const Series& series : world.series) {
      for (const RunFiles& run : series.runs) {
        const FilmReel* reel = reel_of(run);
        if (reel == nullptr) continue;
        runs.push_back(reel_json(*reel, fmt::format("{}, seed {}", series.label, run.seed)));
      }
    }
    players.push_back({{"id", fmt::format("w{}-player", w)}, {"runs", std::move(runs)}});
  }
  return players.empty() ? "" : script_text(players.dump());
}

}  // namespace vic
