// vic estimators: how well each estimator knows H, D and N from n options.
#include "eval/estimators.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/file.h"
#include "base/json.h"
#include "base/print.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/text.h"
#include "report/figures/charts.h"
#include "sim/world.h"
#include "world/registry.h"

namespace vic {
namespace {

struct EstimatorOptions {
  std::string world = "line-noisy";
  std::string svg;
};

Json study_json(const TabularWorld& world, const EstimatorStudy& study) {
  Json list = Json::array();
  for (const EstimatorCurve& curve : study.curves) {
    Json points = Json::array();
    for (const EstimatorPoint& point : curve.points) {
      points.push_back({{"n", point.n},
                        {"mean", point.mean},
                        {"bias", point.mean - curve.truth},
                        {"sd", point.sd},
                        {"bound", maybe(point.bound)}});
    }
    list.push_back({{"name", curve.name}, {"of", curve.of}, {"points", std::move(points)}});
  }
  return {{"world", world.name}, {"states_reachable", study.states_reachable},
          {"H", study.truth.H},  {"D", study.truth.D},
          {"N", study.truth.N},  {"estimators", std::move(list)}};
}

// a table of one number of every estimator, sizes across
template <class Number>
void print_table(const EstimatorStudy& study, const char* title, const Console& console,
                 const Number& number) {
  const auto& first = study.curves.front().points;
  // on a narrow terminal every other size, always including the largest
  const std::size_t room = (console.table_columns() - 24) / 8;
  const std::size_t stride = (first.size() + room - 1) / room;
  const auto shown = [&](std::size_t k) { return (first.size() - 1 - k) % stride == 0; };
  print(console.out, "\n{:<20} of", title);
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (shown(k)) print(console.out, " {:>7}", first[k].n);
  }
  print(console.out, "\n");
  for (const EstimatorCurve& curve : study.curves) {
    if (!number(curve, curve.points.front())) continue;
    print(console.out, "{:<20} {} ", curve.name, curve.of);
    for (std::size_t k = 0; k < curve.points.size(); ++k) {
      if (shown(k)) print(console.out, " {:>7.4f}", *number(curve, curve.points[k]));
    }
    print(console.out, "\n");
  }
}

void print_study(const TabularWorld& world, const EstimatorStudy& study, int repeats,
                 const Console& console) {
  using Number = std::optional<double>;
  print(console.out,
        "{}, uniform policy: H {:.4f}, D {:.4f}, N {:.4f}; {} reachable states, {} "
        "samples of each size\n",
        world.name, study.truth.H, study.truth.D, study.truth.N, study.states_reachable, repeats);
  print_table(study, "bias, options:", console,
              [](const EstimatorCurve& curve, const EstimatorPoint& point) -> Number {
                return point.mean - curve.truth;
              });
  print_table(
      study, "standard deviation", console,
      [](const EstimatorCurve&, const EstimatorPoint& point) -> Number { return point.sd; });
  print_table(
      study, "bound U of the error", console,
      [](const EstimatorCurve&, const EstimatorPoint& point) -> Number { return point.bound; });
}

// means over sample size with a band of one standard deviation, and the truth as a line, for
// estimators that need final states only: hindsight models must see every history, and are far
// below for a long time
std::string study_svg(const TabularWorld& world, const EstimatorStudy& study) {
  CurveFigure figure;
  figure.title = fmt::format("Estimators of H on {}", world.name);
  figure.y_title = "mean and standard deviation (nats)";
  figure.x_title = "options";
  figure.axis = CurveAxis::log;
  Extent range;
  for (const EstimatorCurve& curve : study.curves) {
    if (curve.of != "H" || curve.points.front().bound) continue;
    CurveFigure::Line line;
    line.label = curve.name;
    line.colour = static_cast<int>(figure.lines.size());
    for (const EstimatorPoint& point : curve.points) {
      line.curve.update.push_back(point.n);
      line.curve.band.mean.push_back(point.mean);
      line.curve.band.low.push_back(point.mean - point.sd);
      line.curve.band.high.push_back(point.mean + point.sd);
      range.hold(point.mean - point.sd), range.hold(point.mean + point.sd);
    }
    figure.lines.push_back(std::move(line));
  }
  figure.marks = {{"H", study.truth.H, ""}};
  const double air = range.air();
  figure.range = {range.low - air, range.high + air};
  return draw_curves(figure, Form::file);
}

void run_estimators(const EstimatorOptions& options, const UserSettings& given,
                    const Console& console) {
  Overrides overrides = given.overrides();
  const TabularWorld world = load_table(options.world, overrides);
  EstimatorSettings settings;
  overrides.apply("estimators", settings);
  overrides.finish();
  settings.stop = console.stop;
  const EstimatorStudy study = [&] {
    ProgressLine line(console);
    return study_estimators(world, settings, [&](int n) {
      if (line.due()) line.show(fmt::format("{} of {} options", n, settings.largest));
    });
  }();
  if (!options.svg.empty()) write_file(options.svg, study_svg(world, study));
  console.show([&] { return study_json(world, study); },
               [&] { print_study(world, study, settings.repeats, console); });
  if (!options.svg.empty()) console.note(options.svg);
}

}  // namespace

Action declare_estimators(Arguments& arguments) {
  auto options = std::make_shared<EstimatorOptions>();
  arguments.positional("world", options->world, Need::optional,
                       "a registered name, or a world file (.toml); line-noisy by default");
  arguments.option("--svg FILE", options->svg, "draw means and spread over the sample size");
  arguments.footer(settings_help({describe("estimators", EstimatorSettings{})}) +
                   world_settings_help);
  return action(options, run_estimators);
}

}  // namespace vic
