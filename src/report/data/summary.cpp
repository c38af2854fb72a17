#include "report/data/summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace vic {
namespace {

using Value = std::function<std::optional<double>(const FinalValues&)>;

// none as soon as one run does not say it
std::optional<Estimate> over_seeds(const std::vector<const RunFiles*>& runs, const Value& value) {
  std::vector<double> values;
  for (const RunFiles* run : runs) {
    const std::optional<double> x = value(*run->result);
    if (!x) return {};
    values.push_back(*x);
  }
  if (values.empty()) return {};
  return estimate(values);
}

using SurveyValue = std::optional<double> (*)(const SurveyValues&);
using SurveyField = std::pair<std::optional<Estimate> SeriesSummary::*, SurveyValue>;

const std::vector<SurveyField>& survey_fields() {
  using S = SeriesSummary;
  using Maybe = std::optional<double>;
  static const std::vector<SurveyField> fields = {
      {&S::cells, [](const SurveyValues& v) -> Maybe { return static_cast<double>(v.cells); }},
      {&S::spread, [](const SurveyValues& v) -> Maybe { return v.summaries[0].spread; }},
      {&S::forward_flips,
       [](const SurveyValues& v) { return v.flips ? Maybe(100 * v.flips->forward) : Maybe(); }},
      {&S::backflips,
       [](const SurveyValues& v) { return v.flips ? Maybe(100 * v.flips->back) : Maybe(); }},
      {&S::two_turns,
       [](const SurveyValues& v) { return v.flips ? Maybe(100 * v.flips->two_turns) : Maybe(); }},
  };
  return fields;
}

std::optional<Estimate> percent(const std::optional<Estimate>& part, std::optional<double> whole) {
  if (!part || !whole || *whole <= 0) return {};
  Estimate out = *part;
  out.mean *= 100 / *whole;
  if (out.half) *out.half *= 100 / *whole;
  return out;
}

std::string spread_meaning(const WorldReport& world) {
  if (!world.baseline) return "the standard deviation of the first coordinate";
  const Coordinate& first = world.baseline->random.coordinates[0];
  return fmt::format("the standard deviation of {}, in {}", first.name, first.unit);
}

}  // namespace

SeriesSummary summarise(const WorldReport& world, const Series& series) {
  const auto runs = series.finished();
  SeriesSummary out;
  out.label = series.label;
  out.colour = series.colour;
  out.finished = static_cast<int>(runs.size());
  out.unfinished = static_cast<int>(series.runs.size() - runs.size());
  for (const RunFiles* run : runs) {
    out.exact = out.exact && run->result->exact;
    out.sampling = std::max(out.sampling, run->result->ci95);
  }
  out.H = over_seeds(runs, [](const FinalValues& v) { return v.H; });
  out.D = over_seeds(runs, [](const FinalValues& v) { return v.D; });
  out.N = over_seeds(runs, [](const FinalValues& v) { return v.N; });
  out.I_hat = over_seeds(runs, [](const FinalValues& v) { return v.I_hat; });
  out.external = over_seeds(runs, [](const FinalValues& v) { return v.external; });
  out.states = over_seeds(runs, [](const FinalValues& v) -> std::optional<double> {
    if (v.survey) return {};
    return static_cast<double>(std::count_if(v.p_f.begin(), v.p_f.end(),
                                             [](const auto& entry) { return entry.second > 0; }));
  });
  out.rooms = over_seeds(runs, [](const FinalValues& v) { return v.rooms; });
  out.H_share = percent(out.H, world.H_max());
  out.D_share = percent(out.D, world.D_max());
  out.I = over_seeds(runs, [](const FinalValues& v) { return v.I; });
  out.success = over_seeds(runs, [](const FinalValues& v) { return v.success; });
  out.greedy_success = over_seeds(runs, [](const FinalValues& v) { return v.greedy_success; });
  out.bias = over_seeds(runs, [](const FinalValues& v) { return v.bias; });
  out.deviation = over_seeds(runs, [](const FinalValues& v) { return v.deviation; });
  out.correlation = over_seeds(runs, [](const FinalValues& v) { return v.correlation; });
  for (const auto& [field, value] : survey_fields()) {
    out.*field = over_seeds(runs, [&, of = value](const FinalValues& v) {
      return v.survey ? of(*v.survey) : std::nullopt;
    });
  }
  return out;
}

SeriesSummary summarise_random(const SimulatorTruth& truth) {
  SeriesSummary out;
  out.label = "random actions";
  out.colour = -1;
  out.exact = false;
  const auto alone = [](double x) { return Estimate{.mean = x, .half = {}, .n = 1}; };
  out.H = alone(truth.random.H);
  for (const auto& [field, value] : survey_fields()) {
    if (const std::optional<double> x = value(truth.random)) out.*field = alone(*x);
  }
  return out;
}

std::string estimate_text(const std::optional<Estimate>& value, int digits) {
  if (!value) return "–";
  if (!value->half) return fmt::format("{:.{}f}", value->mean, digits);
  return fmt::format("{:.{}f} ± {:.{}f}", value->mean, digits, *value->half, digits);
}

std::vector<Column> columns_of(const WorldReport& world,
                               const std::vector<SeriesSummary>& summaries) {
  using S = SeriesSummary;
  std::vector<Column> all = {
      {"H", world.words().H, 4, &S::H},
      {"% of H_max", "H as a share of the best any policy can do", 2, &S::H_share},
      {"D", "the agent's own part of H", 4, &S::D},
      {"% of D_max", "D as a share of the best any policy can do", 2, &S::D_share},
      {"N", "the part that chance put in; H = D + N", 4, &S::N},
      {"Î", "the paper's estimate of I at the last update", 4, &S::I_hat},
      {"I", "what was chosen in advance tells about s_f: an option's number, or all actions", 4,
       &S::I},
      {"reach", world.words().reach, 3, &S::success},
      {"greedy", "the same with the likeliest actions", 3, &S::greedy_success},
      {"cells", "cells that some option ended in", 1, &S::cells},
      {"spread", spread_meaning(world), 2, &S::spread},
      {"forward flips %", "options that turned over forward, once or more", 1, &S::forward_flips},
      {"backflips %", "options that turned over backward, once or more", 1, &S::backflips},
      {"two turns %", "options with two full turns or more, either way", 1, &S::two_turns},
      {"states", "states with p(s_f) > 0", 1, &S::states},
      {"rooms", "states that end an option which some of the sampled options reached", 1,
       &S::rooms},
      {"r^E", "mean external reward of an option", 3, &S::external},
      {"bias", "mean of the reward minus −log p(s_f): reward calibration", 3, &S::bias},
      {"dev.", "standard deviation of that difference", 3, &S::deviation},
      {"corr.", "of the reward with −log p(s_f)", 2, &S::correlation},
  };
  std::erase_if(all, [&](const Column& column) {
    if (column.value == &S::external && !world.has_reward()) return true;
    // rooms are of no interest where no run came to one
    if (column.value == &S::rooms &&
        std::all_of(summaries.begin(), summaries.end(),
                    [](const S& one) { return !one.rooms || one.rooms->mean == 0; })) {
      return true;
    }
    // that every state is reached needs no column
    if (column.value == &S::states && world.truth &&
        std::all_of(summaries.begin(), summaries.end(), [&](const S& one) {
          return !one.states || one.states->mean >= world.truth->states_reachable;
        })) {
      return true;
    }
    return std::none_of(summaries.begin(), summaries.end(),
                        [&](const S& one) { return (one.*column.value).has_value(); });
  });
  return all;
}

}  // namespace vic
