// The section of a simulated world: entropy of the cells, behaviours, films, final values.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "eval/films.h"
#include "report/page/page_parts.h"
#include "report/report_files.h"

namespace vic {
namespace {

std::string simulator_facts(const WorldReport& world) {
  if (!world.baseline) {
    return note_html(
        "No run of this world has a truth.json yet: what random actions do is not known.");
  }
  const SimulatorTruth& truth = *world.baseline;
  return facts_html(
      {{"actuators", fmt::format("{} of {} levels", truth.actuators, truth.levels)},
       {"actions", fmt::format("{} in {:g} s", truth.T, truth.seconds)},
       {"a cell", escape_markup(cell_text(truth.random.coordinates, " × "))},
       {"random actions", fmt::format("{:.3f} nats, {:.0f} cells", *truth.random.measures["H"],
                                      *truth.random.measures["cells"])}});
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
  return figure_html("What options did",
                     "Per cent of the options of the final policies, the mean over seeds.",
                     table_html("Behaviours, " + world.label, "final", head, rows));
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
  return figure_html("What options did during training",
                     "Shares of the options in each survey of a run (behaviours.jsonl).",
                     fmt::format("{}<div class=\"panels\">\n{}</div>\n",
                                 behaviour_legend_html(behaviour_kinds(world)), panels));
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
      words += fmt::format(" Each of the {} counts as full from {:g} of it.",
                           escape_markup(axis.unit), *axis.bins.full);
    }
    words += " The start is outlined.";
  }
  return heat_html(figures.heat, figures.id, words);
}

// the films of a run, null if there is nothing to show
const FilmReel* reel_of(const RunFiles& run) {
  return run.films && !run.films->options.empty() ? &*run.films : nullptr;
}

// "+1.2 m, −0.9 turns"
std::string end_text(const FilmReel& reel, const FilmedOption& option) {
  std::string text;
  for (std::size_t k = 0; k < reel.coordinates.size(); ++k) {
    text += fmt::format("{}{} {}", k > 0 ? ", " : "",
                        signed_text(option.behaviour.displacement[k], 1), reel.coordinates[k].unit);
  }
  return text;
}

// poses in whole millimetres, part by part
Json reel_json(const FilmReel& reel, const std::string& label) {
  Json json = {{"label", label},
               {"seconds", reel.seconds},
               {"turns", reel.rotates()},
               {"view", film_view_name(reel.view)},
               {"options", Json::array()}};
  Json& parts = json["parts"] = Json::array();
  for (const Capsule& part : reel.options[0].poses[0]) {
    parts.push_back({thousandths(part.r), part.limb});
  }
  for (const FilmedOption& option : reel.options) {
    Json path = Json::array(), poses = Json::array();
    for (std::size_t t = 0; t < option.path.size(); ++t) {
      const Posture& at = option.path[t];
      path.push_back(
          {thousandths(at.x), thousandths(at.z), thousandths(at.pitch / (2 * std::numbers::pi))});
      const bool flat = reel.view == FilmView::side;
      if (!flat) path.back().push_back(thousandths(at.y));
      Json& pose = poses.push_back(Json::array());
      for (const Capsule& c : option.poses[t]) {
        for (double number : {c.x1, c.z1, c.x2, c.z2}) pose.push_back(thousandths(number));
        if (flat) continue;
        for (double number : {c.y1, c.y2}) pose.push_back(thousandths(number));
      }
    }
    json["options"].push_back({{"behaviour", option.behaviour.name},
                               {"end", end_text(reel, option)},
                               {"path", std::move(path)},
                               {"poses", std::move(poses)}});
  }
  return json;
}

}  // namespace

std::string simulator_section(const WorldReport& world, const WorldFigures& figures) {
  std::string html =
      fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}{}", figures.id, escape_markup(world.label),
                  simulator_facts(world), warnings_html(world));
  html += curve_html(figures.curves.front(), figures.id);
  const auto runs = world.runs();
  if (std::any_of(runs.begin(), runs.end(), [](const RunFiles* run) { return reel_of(*run); })) {
    html += fill(resources::player_html, {{"id", figures.id}});
  }
  for (std::size_t i = 1; i < figures.curves.size(); ++i) {
    html += curve_html(figures.curves[i], figures.id);
  }
  html += final_html(world, figures) + cells_html(world, figures);
  return html + behaviours_html(world) + behaviours_table(world) + "</section>\n";
}

std::string film_data(const ReportData& data) {
  Json players = Json::array();
  for (std::size_t w = 0; w < data.worlds.size(); ++w) {
    Json runs = Json::array();
    for (const Series& series : data.worlds[w].series) {
      for (const RunFiles& run : series.runs) {
        const FilmReel* reel = reel_of(run);
        if (reel == nullptr) continue;
        runs.push_back(reel_json(*reel, fmt::format("{}, seed {}", series.label, run.seed)));
      }
    }
    if (runs.empty()) continue;
    players.push_back({{"id", fmt::format("w{}-player", w)}, {"runs", std::move(runs)}});
  }
  return players.empty() ? "" : script_text(players.dump());
}

}  // namespace vic
