#include "report/page/page.h"

#include <fmt/core.h>

#include <set>

#include "base/file.h"
#include "base/text.h"
#include "report/figures/palette.h"
#include "report/page/page_parts.h"
#include "report/report_files.h"

namespace vic {
namespace {

std::string plural(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

// an introduction for readers who do not know the paper
std::string about() {
  return fmt::format(
      "These agents were trained without any reward to end their options in many different states, "
      "and to choose which one. Coverage <i>H</i> measures how many states they end in (about "
      "<i>e</i><sup><i>H</i></sup>), control <i>D</i> how much of that they decide themselves, and "
      "chance <i>N</i> = <i>H</i> − <i>D</i> what the environment decides; {} and {} are the most "
      "that any agent can have.",
      typeset("H_max"), typeset("D_max"));
}

std::string lede(const ReportData& data) {
  std::set<std::string> algorithms;
  std::set<long> seeds;
  std::size_t unfinished = 0;
  const auto runs = data.runs();
  for (const RunFiles* run : runs) {
    algorithms.insert(run->algorithm);
    seeds.insert(run->seed);
    unfinished += run->result ? 0 : 1;
  }
  std::string text = fmt::format("{}: {}, {}, {}.", plural(runs.size(), "run", "runs"),
                                 plural(data.worlds.size(), "world", "worlds"),
                                 plural(algorithms.size(), "algorithm", "algorithms"),
                                 plural(seeds.size(), "seed", "seeds"));
  if (unfinished > 0) {
    text += fmt::format(
        " {} not finished: listed with what is known so far, and left out of all means.",
        plural(unfinished, "run is", "runs are"));
  }
  return text + " All information is in nats.";
}

std::string links(const ReportData& data, const PageOptions& options) {
  std::string html;
  const auto add = [&](const std::string& id, const std::string& words) {
    html += fmt::format("<a href=\"#{}\">{}</a>", id, escape_markup(words));
  };
  if (!options.claims.empty()) add("claims", "Claims");
  if (data.worlds.size() > 1) add("overview", "Overview");
  for (std::size_t i = 0; i < data.worlds.size(); ++i) {
    add(fmt::format("w{}", i), data.worlds[i].label);
  }
  add("again", "Settings and commands");
  return html;
}

std::string footer(const PageOptions& options) {
  std::string html = fmt::format("Written by vic {}", escape_markup(options.version));
  if (!options.command.empty()) {
    html += fmt::format(" with <code>{}</code>", escape_markup(options.command));
  }
  return html + ". Curves are drawn by uPlot. Nothing on this page is fetched from anywhere.";
}

}  // namespace

std::string page_html(const ReportData& data, const PageOptions& options) {
  std::vector<WorldFigures> figures;
  for (const WorldReport& world : data.worlds) {
    figures.push_back(figures_of(world, figures.size()));
  }
  std::string body;
  if (!options.claims.empty()) body += claims_section(options.claims);
  if (data.worlds.size() > 1) body += overview_section(data, figures);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const WorldReport& world = data.worlds[i];
    body += (world.simulated ? simulator_section : table_section)(world, figures[i]);
  }
  body += settings_section(data);
  const std::string films = film_data(data);
  return fill(resources::page_html,
              {{"title", escape_markup(options.title)},
               {"version", escape_markup(options.version)},
               {"style", fmt::format("/* uPlot: {} */\n{}\n{}\n{}", resources::uplot_license,
                                     resources::uplot_css, figure_css(), resources::page_css)},
               {"theme_script", std::string(resources::theme_js)},
               {"about", about()},
               {"lede", lede(data)},
               {"links", links(data, options)},
               {"body", body},
               {"footer", footer(options)},
               {"data", script_data(figures)},
               {"uplot", std::string(resources::uplot_js)},
               {"figures", figures_script()},
               {"script", std::string(resources::page_js)},
               {"films", films},
               {"player", films.empty() ? "" : player_script()}});
}

void write_page(const std::string& path, const ReportData& data, const PageOptions& options) {
  write_file(path, page_html(data, options));
}

std::vector<std::string> write_svgs(const std::string& folder, const ReportData& data) {
  make_folders(folder);
  std::vector<std::string> names;
  const auto write = [&](const std::string& name, const std::string& svg) {
    write_file(folder + "/" + name, svg);
    names.push_back(name);
  };
  for (const WorldReport& world : data.worlds) {
    const WorldFigures figures = figures_of(world, 0);
    const std::string name = file_name(world.label);
    for (const CurveFigure& curve : figures.curves) {
      write(fmt::format("{}-{}.svg", name, curve.id), draw_curves(curve, Form::file));
    }
    if (!world.simulated) {
      write(name + "-split.svg", draw_bars(world, figures.summaries, Form::file));
      for (const Series& series : world.series) {
        const std::string svg = draw_control(world, series, Form::file);
        if (!svg.empty())
          write(fmt::format("{}-{}-control.svg", name, file_name(series.label)), svg);
      }
    }
    for (const FrontierFigure& figure : figures.frontier) {
      write(fmt::format("{}-{}.svg", name, figure.id), draw_frontier(figure, Form::file));
    }
    if (!figures.heat.panels.empty()) {
      write(name + "-states.svg", draw_heat_sheet(figures.heat, Form::file));
    }
  }
  return names;
}

}  // namespace vic
