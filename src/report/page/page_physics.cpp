// The section of a physics world: entropy of the cells, what options did, films, final values.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/json.h"
#include "base/rounding.h"
#include "report/figures/behaviour_figure.h"
#include "report/page/page_parts.h"

namespace vic {
namespace {

std::string facts(const WorldReport& world) {
  std::string html;
  const auto add = [&](const char* name, const std::string& value) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
  };
  if (!world.physics_truth) {
    return "<p class=\"note\">No run of this world has a truth.json yet: what random actions do is "
           "not known.</p>\n";
  }
  const PhysicsTruth& truth = *world.physics_truth;
  add("motors", fmt::format("{} of {} levels", truth.motors, truth.levels));
  add("actions", fmt::format("{} in {:g} s", truth.T, truth.seconds));
  add("a cell", fmt::format("{:g} m × full turns", truth.bin));
  add("random actions", fmt::format("{:.3f} nats, {} cells", truth.random.H, truth.random.cells));
  return fmt::format("<dl class=\"facts\">{}</dl>\n", html);
}

std::string row_html(const std::string& head, const std::string& seeds, const SeriesSummary& one,
                     const std::vector<Column>& columns, const char* classes) {
  std::string html =
      fmt::format("<tr class=\"{}\"><th scope=\"row\">{}</th><td>{}</td>", classes, head, seeds);
  for (const Column& column : columns) html += value_cell(one.*column.value, column.digits);
  return html + "</tr>\n";
}

// a row a series, its seeds below it, and random actions last
std::string values_html(const WorldReport& world, const WorldFigures& figures) {
  const auto columns = columns_of(world, figures.summaries);
  std::string head = "<th scope=\"col\">algorithm</th><th scope=\"col\">seeds</th>", rows;
  for (const Column& column : columns) {
    head += fmt::format("<th scope=\"col\" title=\"{}\">{}</th>", escape_markup(column.meaning),
                        typeset(column.name));
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
  if (world.physics_truth) {
    rows +=
        row_html("random actions", "", summarise_random(*world.physics_truth), columns, "truth");
  }
  return fmt::format(
      "<figure>\n<figcaption><h3>Final values</h3><p>Means over seeds ± half of Student&#39;s 95 % "
      "interval. <i>H</i> is the entropy of the cells in nats, the spread is that of the distance "
      "in metres; flips and turns are per cent of the "
      "options.</p></figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Final values, {}\"><table class=\"final\"><thead><tr>{}</tr></thead>\n<tbody>{}"
      "</tbody></table></div>\n</figure>\n",
      escape_markup(world.label), head, rows);
}

// the share of each behaviour, a column a series
std::string behaviours_table(const WorldReport& world) {
  std::vector<std::map<std::string, double>> columns;
  std::string head = "<th scope=\"col\">behaviour</th>";
  const auto add = [&](const std::vector<const SurveyValues*>& surveys, const std::string& title) {
    if (surveys.empty()) return;
    head += fmt::format("<th scope=\"col\">{}</th>", title);
    auto& shares = columns.emplace_back();
    for (const SurveyValues* survey : surveys) {
      for (const auto& [name, options] : survey->behaviours) {
        shares[name] += 100.0 * static_cast<double>(options) /
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
  if (world.physics_truth) add({&world.physics_truth->random}, "random actions");
  // by kind, those of most flips outermost, then by name
  std::map<std::pair<std::size_t, std::string>, int> names;
  for (const auto& column : columns) {
    for (const auto& [name, share] : column) names[{behaviour_kind(name), name}] = 0;
  }
  std::string rows;
  for (const auto& [key, unused] : names) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th>", escape_markup(key.second));
    for (auto& column : columns) {
      const auto found = column.find(key.second);
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
      behaviour_legend_html(), panels);
}

std::string cells_html(const WorldReport& world, const WorldFigures& figures) {
  if (figures.heat.panels.empty()) return "";
  std::string words =
      "The share of the options that end in a cell: metres from the start along the ground, full "
      "turns upwards, forward flips above 0.";
  if (world.physics_truth) {
    words += fmt::format(" A turn is full from {:g} of it on. The start is outlined.",
                         world.physics_truth->turn);
  }
  return heat_html(figures.heat, figures.id, words);
}

bool has_films(const WorldReport& world) {
  return std::any_of(world.series.begin(), world.series.end(), [](const Series& series) {
    return std::any_of(series.runs.begin(), series.runs.end(), [](const RunFiles& run) {
      return run.films && !run.films->options.empty();
    });
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
      "aria-label=\"the body\"></canvas>\n<div class=\"controls\"><button type=\"button\" "
      "class=\"play\">Play</button><input type=\"range\" class=\"scrub\" min=\"0\" step=\"1\" "
      "value=\"0\" aria-label=\"moment\"><output class=\"now\">&#8203;</output></div>\n<noscript>"
      "<p class=\"note\">The films need JavaScript; vic film RUN draws them as strips.</p>"
      "</noscript>\n</figure>\n",
      id);
}

// poses as whole millimetres, part by part
Json reel_json(const FilmReel& reel, const std::string& label) {
  Json json = {{"label", label}, {"seconds", reel.seconds}, {"options", Json::array()}};
  Json& parts = json["parts"] = Json::array();
  if (!reel.options.empty()) {
    for (const Capsule& part : reel.options[0].poses[0]) {
      parts.push_back({thousandths(part.r), part.limb});
    }
  }
  for (const FilmedOption& option : reel.options) {
    Json way = Json::array(), poses = Json::array();
    for (std::size_t t = 0; t < option.way.size(); ++t) {
      const Posture& at = option.way[t];
      way.push_back(
          {thousandths(at.x), thousandths(at.z), thousandths(at.pitch / (2 * std::numbers::pi))});
      Json& pose = poses.push_back(Json::array());
      for (const Capsule& c : option.poses[t]) {
        for (double number : {c.x1, c.z1, c.x2, c.z2}) pose.push_back(thousandths(number));
      }
    }
    json["options"].push_back({{"behaviour", option.behaviour},
                               {"distance", option.distance},
                               {"height", option.height},
                               {"turns", option.turns},
                               {"way", std::move(way)},
                               {"poses", std::move(poses)}});
  }
  return json;
}

}  // namespace

std::string physics_section(const WorldReport& world, const WorldFigures& figures) {
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
        if (!run.films || run.films->options.empty()) continue;
        runs.push_back(reel_json(*run.films, fmt::format("{}, seed {}", series.label, run.seed)));
      }
    }
    players.push_back({{"id", fmt::format("w{}-player", w)}, {"runs", std::move(runs)}});
  }
  return players.empty() ? "" : script_text(players.dump());
}

}  // namespace vic
