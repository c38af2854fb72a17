#include "report/data/summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

namespace vic {
namespace {

// in the units of tables; none if any run lacks the value
std::optional<Estimate> over_seeds(const std::vector<const RunFiles*>& runs, std::size_t measure) {
  std::vector<double> values;
  for (const RunFiles* run : runs) {
    const std::optional<double> x = run->result->measures.list[measure];
    if (!x) return {};
    values.push_back(*x * measures()[measure].shown_times);
  }
  if (values.empty()) return {};
  return estimate(values);
}

std::optional<Estimate> percent(const std::optional<Estimate>& part, std::optional<double> whole) {
  if (!part || !whole || *whole <= 0) return {};
  Estimate out = *part;
  out.mean *= 100 / *whole;
  if (out.half) *out.half *= 100 / *whole;
  return out;
}

}  // namespace

SeriesSummary summarise(const WorldReport& world, const Series& series) {
  const auto runs = series.finished();
  SeriesSummary out;
  out.label = series.label;
  out.colour = series.colour;
  out.finished = static_cast<int>(runs.size());
  out.unfinished = static_cast<int>(series.runs.size() - runs.size());
  for (const RunFiles* run : runs) out.exact = out.exact && run->result->exact;
  for (std::size_t i = 0; i < measures().size(); ++i) out.values.list[i] = over_seeds(runs, i);
  if (runs.empty()) {
    // for runs in progress, the last one in their logs
    std::vector<double> last;
    for (const RunFiles& run : series.runs) {
      if (!run.curve.I_hat.empty()) last.push_back(run.curve.I_hat.back());
    }
    if (!last.empty()) out.values[world.simulated ? "H" : "I_hat"] = estimate(last);
  }
  out.values["H_share"] = percent(out.values["H"], world.optimum("H_max"));
  out.values["D_share"] = percent(out.values["D"], world.optimum("D_max"));
  return out;
}

SeriesSummary summarise_random(const SimulatorTruth& truth) {
  SeriesSummary out;
  out.label = "random actions";
  out.colour = -1;
  out.exact = false;
  for (std::size_t i = 0; i < measures().size(); ++i) {
    const std::optional<double> x = truth.random.measures.list[i];
    if (x) out.values.list[i] = {.mean = *x * measures()[i].shown_times, .half = {}, .n = 1};
  }
  return out;
}

std::vector<PairedDifference> paired_differences(const WorldReport& world) {
  std::vector<PairedDifference> list;
  for (std::size_t k = 1; k < world.series.size(); ++k) {
    for (const char* measure : {"H", "D"}) {
      std::vector<double> pairs;
      for (const RunFiles* run : world.series[k].finished()) {
        const auto others = world.series[0].finished();
        const auto same = std::ranges::find(others, run->seed, &RunFiles::seed);
        if (same == others.end()) continue;
        const auto& x = run->result->measures[measure];
        const auto& y = (*same)->result->measures[measure];
        if (x && y) pairs.push_back(*x - *y);
      }
      if (pairs.size() < 2) continue;
      list.push_back({world.series[k].label, world.series[0].label, measure, estimate(pairs)});
    }
  }
  return list;
}

std::vector<std::string> difference_lines(const WorldReport& world) {
  std::vector<std::string> lines;
  for (const PairedDifference& one : paired_differences(world)) {
    lines.push_back(fmt::format("{} − {}, {} pairs: {} {} (IQM {:.4f})", one.label, one.other,
                                one.value.n, one.measure, estimate_text(one.value), one.value.iqm));
  }
  return lines;
}

std::string estimate_text(const std::optional<Estimate>& value, int digits) {
  if (!value) return "–";
  if (!value->half) return fmt::format("{:.{}f}", value->mean, digits);
  return fmt::format("{:.{}f} ± {:.{}f}", value->mean, digits, *value->half, digits);
}

std::vector<const Measure*> columns_of(const WorldReport& world,
                                       const std::vector<SeriesSummary>& summaries) {
  std::vector<const Measure*> columns;
  for (std::size_t i = 0; i < measures().size(); ++i) {
    const Measure& measure = measures()[i];
    const std::string_view name = measure.name;
    const auto every = [&](auto&& holds) {
      return std::all_of(summaries.begin(), summaries.end(), [&](const SeriesSummary& one) {
        const std::optional<Estimate>& value = one.values.list[i];
        return !value || holds(value->mean);
      });
    };
    const bool empty = every([](double) { return false; });
    // of no interest: rooms if no run reached one, and states if every run reached all of them
    const bool idle = (name == "rooms" && every([](double rooms) { return rooms == 0; })) ||
                      (name == "external" && !world.has_reward()) ||
                      (name == "states" && world.truth && every([&](double states) {
                         return states >= *world.in_truth("states_reachable");
                       }));
    if (*measure.column != '\0' && !empty && !idle) columns.push_back(&measure);
  }
  return columns;
}

}  // namespace vic
