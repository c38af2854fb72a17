// The section of a world: what is true of it, curves, the split of H, heat maps, final values.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "report/figures/bar_figure.h"
#include "report/figures/cell_figure.h"
#include "report/figures/palette.h"
#include "report/page/page_parts.h"

namespace vic {
namespace {

std::string fact(std::string_view name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", typeset(name), value);
}

std::string facts(const WorldReport& world) {
  std::string html;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) html += fact(name, fmt::format("{:.4f}", *value));
  };
  add("H_max", world.H_max());
  add("D_max", world.D_max());
  add("H_at_D_max", world.H_at_D_max());
  if (world.truth) {
    add("C_open", world.truth->C_open);
    if (world.has_reward()) add("reward_max", world.truth->reward_max);
    html += fact("T_max", std::to_string(world.truth->T_max));
    html += fact("states", std::to_string(world.truth->states_reachable));
  }
  return fmt::format("<dl class=\"facts\">{}</dl>\n", html);
}

std::string notes(const WorldReport& world) {
  std::string html;
  if (!world.truth) {
    return "<p class=\"note\">No run of this world has a truth.json: the optimum is shown as far "
           "as the evaluations know it.</p>\n";
  }
  if (world.truth->H_max_gap > 1e-4) {
    html += fmt::format("<p class=\"note\">{} is certified to {:.1e}.</p>\n", typeset("H_max"),
                        world.truth->H_max_gap);
  }
  for (const std::string& note : world.truth->notes) {
    // who was never paid need not know
    if (note.starts_with("reward_max") && !world.has_reward()) continue;
    html += fmt::format("<p class=\"note\">{}</p>\n", escape_markup(note));
  }
  return html;
}

std::string curve_words(const CurveFigure& figure) {
  bool several = false;
  for (const auto& line : figure.lines) several = several || line.curve.n > 1;
  const std::string band =
      several ? " Lines are means over seeds; bands are 95 % bootstrap intervals of the mean." : "";
  if (figure.id == "reward") {
    std::string words = "Mean external reward of the options of an update." + band;
    for (const CurveMark& mark : figure.beyond) {
      words += fmt::format(" The most that any policy can have, {} = {:.3f}, lies far above.",
                           typeset(mark.label), mark.value);
    }
    return words;
  }
  if (figure.id == "cells") {
    return "The entropy of the cells, place and full turns, in which 1,024 options ended that were "
           "drawn now and then." +
           band;
  }
  return fmt::format(
      "<i>Î</i>, the paper&#39;s estimate of the information between options and final states: the "
      "entropy of a moving average of {}.{}",
      typeset("p(s_f)"), band);
}

std::string split_html(const WorldReport& world, const WorldFigures& figures) {
  return fmt::format(
      "<figure>\n<figcaption><h3>Control and chance</h3><p>How much of <i>H</i> the agent itself "
      "decided (<i>D</i>) and how much chance put in (<i>N</i>).</p></figcaption>\n{}</figure>\n",
      draw_bars(world, figures.summaries, Form::inline_part));
}

std::string frontier_html(const WorldFigures& figures) {
  if (figures.frontier.empty()) return "";
  std::string parts;
  for (const FrontierFigure& figure : figures.frontier) {
    parts += fmt::format("<figure>\n<figcaption><h3>{}</h3><p>{}</p></figcaption>\n{}</figure>\n",
                         escape_markup(figure.title), escape_markup(figure.words),
                         draw_frontier(figure, Form::inline_part));
  }
  return fmt::format("<div class=\"pair\">\n{}</div>\n", parts);
}

// the seeds that some panel has a map of
std::string choices_html(const HeatFigure& heat, const std::string& id) {
  std::vector<std::string> names;
  for (const HeatPanel& panel : heat.panels) {
    for (const auto& [name, distribution] : panel.choices) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  if (names.size() < 3) return "";
  std::string html;
  for (const std::string& name : names) {
    html += fmt::format(
        "<label><input type=\"radio\" name=\"{}-seed\" value=\"{}\"{}><span>{}</span></label>", id,
        escape_markup(name), name == "mean" ? " checked" : "", escape_markup(name));
  }
  return fmt::format("<fieldset class=\"choice\"><legend>Show</legend>{}</fieldset>\n", html);
}

std::string states_html(const WorldReport& world, const WorldFigures& figures) {
  const HeatFigure& heat = figures.heat;
  if (heat.panels.empty()) return "";
  std::string words = fmt::format(
      "The probability {} that an option ends in a state, beside that "
      "of the policies that are best.",
      typeset("p(s_f)"));
  if (heat.layout.start >= 0) words += " The start is outlined.";
  const bool routes = std::any_of(heat.panels.begin(), heat.panels.end(),
                                  [](const HeatPanel& panel) { return !panel.routes.empty(); });
  if (routes) words += " Lines are the likeliest ways, one a seed, each step by itself.";
  if (heat.layout.cell >= 24) words += " Numbers are per cent.";
  if (!world.truth || !world.truth->picture) words += " The world has no picture: states in order.";
  return heat_html(heat, figures.id, words);
}

std::string final_table(const WorldReport& world, const WorldFigures& figures) {
  const auto columns = columns_of(world, figures.summaries);
  std::string head = "<th scope=\"col\">algorithm</th><th scope=\"col\">seeds</th>", rows;
  for (const Measure* column : columns) {
    head += fmt::format("<th scope=\"col\" title=\"{}\">{}</th>", escape_markup(column->meaning),
                        typeset(column->column));
  }
  bool sampled = false;
  for (const SeriesSummary& one : figures.summaries) {
    sampled = sampled || !one.exact;
    std::string seeds = std::to_string(one.finished);
    if (one.unfinished > 0) seeds += fmt::format(" + {} unfinished", one.unfinished);
    rows += fmt::format("<tr><th scope=\"row\">{}{}</th><td>{}</td>", colour_dot(one.colour),
                        escape_markup(one.label), seeds);
    for (const Measure* column : columns) {
      rows += value_cell(one.values[column->name], column->digits);
    }
    rows += "</tr>\n";
  }
  std::string words =
      "Means over seeds ± half of Student&#39;s 95 % interval. Bias, deviation and "
      "correlation compare the reward of an option with −log " +
      typeset("p(s_f)") + ", which it estimates.";
  words += sampled ? " <i>H</i> was sampled where <i>D</i> is not known."
                   : " <i>H</i>, <i>D</i> and "
                     "<i>N</i> of a run are exact.";
  return fmt::format(
      "<figure>\n<figcaption><h3>Final values</h3><p>{}</p></figcaption>\n<div class=\"scroll\" "
      "tabindex=\"0\" role=\"region\" aria-label=\"Final values, {}\"><table class=\"final\">"
      "<thead><tr>{}</tr></thead>\n<tbody>{}</tbody></table></div>\n</figure>\n",
      words, escape_markup(world.label), head, rows);
}

}  // namespace

std::string curve_html(const CurveFigure& figure, const std::string& id) {
  if (figure.lines.empty()) return "";
  std::string legend = "<li class=\"at\">update <output>&#8203;</output></li>";
  for (std::size_t i = 0; i < figure.lines.size(); ++i) {
    const auto& line = figure.lines[i];
    legend += fmt::format(
        "<li data-series=\"{}\">{}{} <output>&#8203;</output><span class=\"around\"></span></li>",
        i, colour_dot(line.colour), escape_markup(line.label));
  }
  return fmt::format(
      "<figure id=\"{0}-{1}\">\n<figcaption><h3>{2}</h3><p>{3}</p></figcaption>\n"
      "<ul class=\"legend\">{4}</ul>\n<div class=\"plot\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"{2}; arrow keys walk along the updates\"></div>\n<div class=\"static\">{5}"
      "</div>\n<noscript><style>.plot{{display:none}}.static{{display:block}}</style></noscript>\n"
      "</figure>\n",
      id, figure.id, escape_markup(figure.title), curve_words(figure), legend,
      draw_curves(figure, Form::inline_part));
}

std::string heat_html(const HeatFigure& heat, const std::string& id, const std::string& words) {
  std::string panels;
  for (std::size_t i = 0; i < heat.panels.size(); ++i) {
    const HeatPanel& panel = heat.panels[i];
    panels += fmt::format("<div class=\"panel\" data-panel=\"{}\"><h4{}>{}{}</h4>{}</div>\n", i,
                          panel.colour < 0 ? " class=\"best\"" : "",
                          panel.colour < 0 ? "" : colour_dot(panel.colour),
                          escape_markup(panel.title), draw_heat(heat, panel, Form::inline_part));
  }
  return fmt::format(
      "<figure id=\"{}-heat\">\n<figcaption><h3>Where options end</h3><p>{}</p></figcaption>\n{}"
      "<div class=\"panels\">\n{}</div>\n<div class=\"scale\">{}</div>\n</figure>\n",
      id, words, choices_html(heat, id), panels, draw_heat_scale(heat, Form::inline_part));
}

std::string value_cell(const std::optional<Estimate>& value, int digits) {
  if (!value) return "<td>–</td>";
  const std::string mean = minus_text(value->mean, digits);
  if (!value->half) return fmt::format("<td>{}</td>", mean);
  return fmt::format("<td>{}<span class=\"pm\"> ± {:.{}f}</span></td>", mean, *value->half, digits);
}

WorldFigures figures_of(const WorldReport& world, int number) {
  WorldFigures figures;
  figures.id = fmt::format("w{}", number);
  if (world.simulated) {
    figures.section = simulator_section;
    figures.heat = cell_figure(world);
  } else {
    figures.section = table_section;
    figures.heat = heat_figure(world);
    figures.split = true;
  }
  figures.frontier = frontier_figures(world);
  for (const Series& series : world.series) figures.summaries.push_back(summarise(world, series));
  figures.curves.push_back(empowerment_figure(world));
  if (world.has_reward()) figures.curves.push_back(reward_figure(world));
  return figures;
}

std::string table_section(const WorldReport& world, const WorldFigures& figures) {
  std::string html = fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}{}", figures.id,
                                 escape_markup(world.label), facts(world), notes(world));
  html += fmt::format("<div class=\"pair\">\n{}{}</div>\n",
                      curve_html(figures.curves.front(), figures.id), split_html(world, figures));
  for (std::size_t i = 1; i < figures.curves.size(); ++i) {
    html += curve_html(figures.curves[i], figures.id);
  }
  html += frontier_html(figures) + states_html(world, figures) + final_table(world, figures);
  return html + "</section>\n";
}

}  // namespace vic
