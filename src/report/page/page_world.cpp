// The section of a world: the exact truth, curves, the split of H, heat maps, final values.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "report/page/page_parts.h"

namespace vic {
namespace {

std::string choice_html(const std::string& group, const std::string& value,
                        const std::string& words, bool checked) {
  return fmt::format(
      "<label><input type=\"radio\" name=\"{}\" value=\"{}\"{}><span>{}</span></label>",
      escape_markup(group), escape_markup(value), checked ? " checked" : "", escape_markup(words));
}

std::string table_facts(const WorldReport& world) {
  NamedTexts list;
  for (const auto& [name, value] : world.optima()) {
    list.emplace_back(typeset(name), fmt::format("{:.4f}", value));
  }
  if (world.truth) {
    list.emplace_back(typeset("T_max"), std::to_string(world.truth->T_max));
    list.emplace_back("states", fmt::format("{:.0f}", *world.in_truth("states_reachable")));
  }
  return facts_html(list);
}

std::string notes(const WorldReport& world) {
  if (!world.truth) {
    return note_html(
        "No run of this world has a truth.json: the optimum is shown as far as the evaluations "
        "know it.");
  }
  std::string html;
  if (const double gap = *world.in_truth("H_max_gap"); gap > 1e-4) {
    html += note_html(fmt::format("{} is certified to {:.1e}.", typeset("H_max"), gap));
  }
  for (const std::string& note : world.truth->notes) {
    // of no interest if no run was ever paid
    if (note.starts_with("reward_max") && !world.has_reward()) continue;
    html += note_html(escape_markup(note));
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
    return "The entropy of the cells in which the options of a survey ended." + band;
  }
  if (figure.id.ends_with("-seen")) {
    return fmt::format("{} that one of the surveys so far has met, each counted once.{}",
                       figure.id.starts_with("cells") ? "Cells" : "Behaviours", band);
  }
  return fmt::format(
      "<i>Î</i>, the paper&#39;s estimate of the information between options and final states: the "
      "entropy of a moving average of {}.{}",
      typeset("p(s_f)"), band);
}

// the choice of x axis, which a reader has if there is a warm-up
std::string axes_html(const CurveFigure& figure, const std::string& id) {
  const bool warm_up = std::ranges::any_of(
      figure.lines, [](const CurveFigure::Line& line) { return line.warm_up > 0; });
  if (!warm_up && figure.axis == CurveAxis::all) return "";
  std::string html;
  for (const auto& [axis, words] :
       {std::pair(CurveAxis::all, "all updates"), std::pair(CurveAxis::policy, "after the warm-up"),
        std::pair(CurveAxis::log, "logarithmic")}) {
    html += choice_html(fmt::format("{}-{}-axis", id, figure.id), std::string(name_of(axis)), words,
                        axis == figure.axis);
  }
  return fmt::format("<fieldset class=\"choice axes\"><legend>Axis</legend>{}</fieldset>\n", html);
}

std::string split_html(const WorldReport& world, const WorldFigures& figures) {
  return figure_html("Control and chance",
                     "Coverage <i>H</i> split into control <i>D</i>, decided by the agent, and "
                     "chance <i>N</i>, decided by the environment.",
                     draw_bars(world, figures.summaries, Form::inline_part));
}

// the split during training, a panel for each series
std::string control_html(const WorldReport& world) {
  std::string panels;
  bool split = true, warm_up = false;
  for (const Series& series : world.series) {
    const std::string svg = draw_control(world, series, Form::inline_part);
    if (svg.empty()) continue;
    split = split && !mean_control(series).D.empty();
    warm_up = warm_up || series.runs[0].warm_up > 0;
    panels += fmt::format("<div class=\"panel\"><h4>{}{}</h4>{}</div>\n", colour_dot(series.colour),
                          escape_markup(series.label), svg);
  }
  if (panels.empty()) return "";
  const std::string words =
      "<i>H</i> of the policy now and then as it trained" +
      std::string(split
                      ? ", and what it consists of: control <i>D</i> below, chance <i>N</i> above."
                      : "; it is split where all histories of the world can be enumerated.") +
      (warm_up ? " During the warm-up the policy does not change." : "");
  return figure_html("Control and chance during training", words,
                     fmt::format("<div class=\"panels\">\n{}</div>\n", panels));
}

std::string frontier_html(const WorldFigures& figures) {
  if (figures.frontier.empty()) return "";
  std::string parts;
  for (const FrontierFigure& figure : figures.frontier) {
    parts += figure_html(figure.title, escape_markup(figure.words),
                         draw_frontier(figure, Form::inline_part));
  }
  return fmt::format("<div class=\"pair\">\n{}</div>\n", parts);
}

// the seeds for which some panel has a map
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
    html += choice_html(id + "-seed", name, name, name == "mean");
  }
  return fmt::format("<fieldset class=\"choice\"><legend>Show</legend>{}</fieldset>\n", html);
}

std::string states_html(const WorldReport& world, const WorldFigures& figures) {
  const HeatFigure& heat = figures.heat;
  if (heat.panels.empty()) return "";
  std::string words = fmt::format(
      "The probability {} that an option ends in a state, beside that "
      "of the best policies.",
      typeset("p(s_f)"));
  if (heat.layout.start >= 0) words += " The start is outlined.";
  const bool routes = std::ranges::any_of(
      heat.panels, [](const HeatPanel& panel) { return !panel.routes.empty(); });
  if (routes) words += " Lines are the most likely paths, one per seed, step by step.";
  if (heat.layout.cell >= smallest_with_number) words += " Numbers are per cent.";
  if (!heat.layout.edges.empty() && heat.layout.round && world.truth->picture.empty()) {
    words += " States are where their coordinates put them; lines are moves.";
  }
  return heat_html(heat, figures.id, words);
}

// the runs that have no evaluation yet, as far as known
std::string unfinished_html(const WorldReport& world) {
  std::string rows;
  for (const Series& series : world.series) {
    for (const RunFiles& run : series.runs) {
      if (run.result) continue;
      const RunCurve& curve = run.curve;
      const bool begun = !curve.update.empty();
      const auto most = world.optimum("H_max");
      rows += fmt::format(
          "<tr><th scope=\"row\">{}{}</th><td>{}</td><td>{} of "
          "{}</td><td>{}</td><td>{}</td></tr>\n",
          colour_dot(series.colour), escape_markup(series.label), run.seed,
          grouped_text(begun ? curve.update.back() : 0), grouped_text(run.warm_up + run.updates),
          begun ? fmt::format("{:.4f}", curve.I_hat.back()) : "–",
          begun && most ? fmt::format("{:.1f} %", 100 * curve.I_hat.back() / *most) : "–");
    }
  }
  if (rows.empty()) return "";
  const std::string value = world.simulated ? "<i>H</i>" : "<i>Î</i>";
  const std::string head = fmt::format(
      "<th scope=\"col\">algorithm</th><th scope=\"col\">seed</th><th scope=\"col\">update</th>"
      "<th scope=\"col\">{}</th><th scope=\"col\">of {}</th>",
      value, typeset("H_max"));
  return figure_html("Unfinished runs",
                     fmt::format("{} at the last update that was logged; vic train --resume RUN "
                                 "goes on with an interrupted run.",
                                 value),
                     table_html("Unfinished runs, " + world.label, "final", head, rows));
}

// the text above the final values
std::string final_words(const WorldReport& world, const WorldFigures& figures,
                        const std::vector<const Measure*>& columns) {
  std::string words = "Means over seeds ± half of Student&#39;s 95 % interval. ";
  if (world.simulated) {
    const bool flips =
        std::ranges::count(columns, std::string_view("backflips"), &Measure::name) > 0;
    return words +
           "<i>H</i> is the entropy of the cells in nats, the spread is that of the first "
           "coordinate" +
           (flips ? "; flips and turns are per cent of the options." : ".");
  }
  const bool exact = std::ranges::all_of(figures.summaries, &SeriesSummary::exact);
  return words + "Bias, deviation and correlation compare the reward of an option with −log " +
         typeset("p(s_f)") + ", which it estimates. " +
         (exact ? "<i>H</i>, <i>D</i> and <i>N</i> of a run are exact."
                : "<i>H</i> was sampled where <i>D</i> is not known.");
}

}  // namespace

std::string warnings_html(const WorldReport& world) {
  std::string html;
  for (const std::string& warning : world.warnings()) {
    html += fmt::format("<p class=\"warning\"><strong>Warning.</strong> {}</p>\n",
                        escape_markup(warning));
  }
  return html;
}

std::string final_html(const WorldReport& world, const WorldFigures& figures) {
  const auto columns = columns_of(world, figures.summaries);
  std::string head = "<th scope=\"col\">algorithm</th><th scope=\"col\">seeds</th>", rows;
  for (const Measure* column : columns) {
    head += fmt::format("<th scope=\"col\" title=\"{}\">{}</th>", escape_markup(column->meaning),
                        typeset(column->column));
  }
  const auto add = [&](const char* attributes, const std::string& name, const std::string& seeds,
                       const SeriesSummary& one) {
    rows += fmt::format("<tr{}><th scope=\"row\">{}</th><td>{}</td>", attributes, name, seeds);
    for (const Measure* column : columns) {
      rows += value_cell(one.values[column->name], column->digits);
    }
    rows += "</tr>\n";
  };
  for (std::size_t i = 0; i < world.series.size(); ++i) {
    const SeriesSummary& one = figures.summaries[i];
    std::string seeds = std::to_string(one.finished);
    if (one.unfinished > 0) seeds += fmt::format(" + {} unfinished", one.unfinished);
    const long so_far = std::ranges::count_if(
        world.series[i].runs, [](const RunFiles& run) { return run.so_far.has_value(); });
    if (so_far > 0) seeds += fmt::format(", {} in training", so_far);
    add(world.simulated ? " class=\"\"" : "", colour_dot(one.colour) + escape_markup(one.label),
        seeds, one);
    // the few seeds of a simulated world are shown one by one
    const auto runs = world.series[i].finished();
    if (!world.simulated || runs.size() < 2) continue;
    for (const RunFiles* run : runs) {
      const Series alone{one.label, world.series[i].algorithm, one.colour, {*run}};
      add(" class=\"truth\"", fmt::format("<span class=\"seed\">seed {}</span>", run->seed), "",
          summarise(world, alone));
    }
  }
  if (world.baseline) {
    add(" class=\"truth\"", "random actions", "", summarise_random(*world.baseline));
  }
  const auto runs = world.runs();
  const bool so_far =
      std::ranges::any_of(runs, [](const RunFiles* run) { return run->so_far.has_value(); });
  const std::string words = final_words(world, figures, columns);
  std::string differences;
  for (const std::string& line : difference_lines(world)) {
    differences += "<li>" + escape_markup(line) + "</li>\n";
  }
  if (!differences.empty()) {
    differences = "<p>Paired differences, seed by seed:</p>\n<ul>\n" + differences + "</ul>\n";
  }
  return figure_html(
             so_far ? "Values so far" : "Final values",
             words + (so_far ? " Of runs in training: their newest checkpoint." : ""),
             table_html("Final values, " + world.label, "final", head, rows) + differences) +
         unfinished_html(world);
}

std::string curve_html(const CurveFigure& figure, const std::string& id) {
  if (figure.lines.empty()) return "";
  std::string legend = "<li class=\"at\">update <output>&#8203;</output></li>";
  for (std::size_t i = 0; i < figure.lines.size(); ++i) {
    const auto& line = figure.lines[i];
    legend += fmt::format(
        "<li data-series=\"{}\">{}<span class=\"label\">{}</span> <output>&#8203;</output>"
        "<span class=\"around\"></span><span class=\"when\"></span></li>",
        i, colour_dot(line.colour), escape_markup(line.label));
  }
  const std::string content = fmt::format(
      "{}<ul class=\"legend\">{}</ul>\n<div class=\"plot\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"{}; arrow keys walk along the updates\"></div>\n<div class=\"static\">{}"
      "</div>\n<noscript><style>.plot{{display:none}}.static{{display:block}}</style></noscript>\n",
      axes_html(figure, id), legend, escape_markup(figure.title),
      draw_curves(figure, Form::inline_part));
  return figure_html(figure.title, curve_words(figure), content,
                     fmt::format(" id=\"{}-{}\"", id, figure.id));
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
  return figure_html(
      "Where options end", words,
      fmt::format("{}<div class=\"panels\">\n{}</div>\n<div class=\"scale\">{}</div>\n",
                  choices_html(heat, id), panels, draw_heat_scale(heat, Form::inline_part)),
      fmt::format(" id=\"{}-heat\"", id));
}

WorldFigures figures_of(const WorldReport& world, std::size_t number) {
  WorldFigures figures;
  figures.id = fmt::format("w{}", number);
  figures.heat = world.simulated ? cell_figure(world) : heat_figure(world);
  figures.frontier = frontier_figures(world);
  for (const Series& series : world.series) figures.summaries.push_back(summarise(world, series));
  figures.curves.push_back(empowerment_figure(world));
  if (world.has_reward()) figures.curves.push_back(reward_figure(world));
  if (world.simulated) {
    for (CurveFigure& figure : discovery_figures(world)) figures.curves.push_back(figure);
  }
  return figures;
}

std::string table_section(const WorldReport& world, const WorldFigures& figures) {
  std::string html =
      fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}{}", figures.id, escape_markup(world.label),
                  table_facts(world), warnings_html(world) + notes(world));
  html += fmt::format("<div class=\"pair\">\n{}{}</div>\n",
                      curve_html(figures.curves.front(), figures.id), split_html(world, figures));
  html += control_html(world);
  for (std::size_t i = 1; i < figures.curves.size(); ++i) {
    html += curve_html(figures.curves[i], figures.id);
  }
  html += frontier_html(figures) + states_html(world, figures) + final_html(world, figures);
  return html + "</section>\n";
}

}  // namespace vic
