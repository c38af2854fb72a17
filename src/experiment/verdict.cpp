#include "experiment/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/file.h"
#include "eval/measures.h"
#include "experiment/sweep.h"
#include "info/statistics.h"

namespace vic {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double never = std::numeric_limits<double>::infinity();

// "H" or "H / H_max", the first from one object and the second from the other; NaN if not known
double ratio_in(const std::string& text, const Json& above, const Json& below) {
  const std::size_t slash = text.find(" / ");
  const double value = number_at(above, text.substr(0, slash)).value_or(unknown);
  if (slash == std::string::npos) return value;
  const double ratio = value / number_at(below, text.substr(slash + 3)).value_or(unknown);
  return std::isfinite(ratio) ? ratio : unknown;
}

// the first update at which the curve has reached the level
double updates_until(const Claim& claim, const RunResult& result) {
  std::size_t begin = 0;
  for (std::size_t end; (end = result.metrics.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const auto line = Json::try_parse(std::string_view(result.metrics).substr(begin, end - begin));
    if (!line) return unknown;
    if (ratio_in(claim.until, *line, result.evaluation) >= claim.level) {
      return number_at(*line, "update").value_or(unknown);
    }
  }
  return never;
}

double measure(const Claim& claim, const RunResult& result) {
  if (result.evaluation.is_null()) return unknown;
  if (!claim.until.empty()) return updates_until(claim, result);
  return ratio_in(claim.measure, result.evaluation, result.evaluation);
}

// how far a value lies inside the bounds of the claim; negative outside
double margin(double value, const Claim& claim) {
  return std::min(value - claim.at_least, claim.at_most - value);
}

double compared(double value, double with, Comparison how) {
  return how == Comparison::ratio ? value / with : value - with;
}

// least squares; NaN if all x are the same
double slope(const std::vector<std::pair<double, double>>& points) {
  const auto n = static_cast<double>(points.size());
  double x_mean = 0, y_mean = 0, above = 0, below = 0;
  for (const auto& [x, y] : points) x_mean += x / n, y_mean += y / n;
  for (const auto& [x, y] : points) {
    above += (x - x_mean) * (y - y_mean);
    below += (x - x_mean) * (x - x_mean);
  }
  return above / below;
}

// Measures a claim seed by seed.
class Measurer {
 public:
  Measurer(const Experiment& experiment, const std::vector<RunResult>& results)
      : runs_(experiment.runs), results_(results) {}

  // whether the claim has no finished run in a group, or, for a slope, in any group
  bool nothing_run(const Claim& claim, const std::string& group) const {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (!claim.selects(runs_[i]) || results_[i].evaluation.is_null()) continue;
      if (!claim.against.empty() || runs_[i].group == group) return false;
    }
    return true;
  }

  // the measurements of the runs of one group and method
  BySeed values(const Claim& claim, const std::string& group, const std::string& method) const {
    BySeed own = plain(claim, group, method);
    if (claim.versus.empty()) return own;
    const BySeed other =
        plain(claim, claim.versus_group.empty() ? group : claim.versus_group, claim.versus);
    for (auto& [seed, value] : own) {
      const auto found = other.find(seed);
      value = found == other.end() ? unknown : compared(value, found->second, claim.compare);
    }
    return own;
  }

  // the slopes over the runs of one algorithm, in all groups and with all settings of the claim
  BySeed slopes(const Claim& claim, const std::string& algorithm) const {
    std::map<int, std::vector<std::pair<double, double>>> points;
    for (const RunPlan& run : runs_) {
      if (!claim.selects(run) || run.algorithm != algorithm) continue;
      const double at = setting_of(run, claim.against).value_or(unknown);
      points[run.seed].emplace_back(at, values(claim, run.group, run.method()).at(run.seed));
    }
    BySeed out;
    for (const auto& [seed, list] : points) out[seed] = slope(list);
    return out;
  }

 private:
  // `method` may also be the name of an algorithm
  BySeed plain(const Claim& claim, const std::string& group, const std::string& method) const {
    BySeed out;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const RunPlan& run = runs_[i];
      if (run.group != group || (run.method() != method && run.algorithm != method)) continue;
      out[run.seed] = measure(claim, results_[i]);
    }
    return out;
  }

  const std::vector<RunPlan>& runs_;
  const std::vector<RunResult>& results_;
};

// Student's interval of the mean; if some seed never gets there, the range of the seeds
void set_interval(Verdict& verdict, const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax(values);
  verdict.low = least, verdict.high = most;
  if (verdict.claim.over == Over::every || std::isinf(least) || std::isinf(most)) return;
  const Estimate mean = estimate(values);
  verdict.low = verdict.high = std::nullopt;
  if (!mean.half) return;
  verdict.low = mean.mean - *mean.half, verdict.high = mean.mean + *mean.half;
  const double error = *mean.half / student_quantile(mean.n - 1);
  if (!verdict.claim.versus.empty() && verdict.claim.compare == Comparison::difference &&
      error > 0) {
    verdict.effect = mean.mean / (error * std::sqrt(mean.n));
  }
}

Finding decide(const Verdict& verdict) {
  const Claim& claim = verdict.claim;
  if (claim.over == Over::every) {
    return margin(*verdict.measured, claim) >= 0 ? Finding::holds : Finding::refuted;
  }
  // one seed has no interval
  if (!verdict.low) return Finding::undecided;
  const double low = *verdict.low, high = *verdict.high;
  if (margin(low, claim) >= 0 && margin(high, claim) >= 0) return Finding::holds;
  return high < claim.at_least || low > claim.at_most ? Finding::refuted : Finding::undecided;
}

// JSON has no infinity
Json finite(const std::optional<double>& value) {
  return maybe(value && std::isfinite(*value), value.value_or(0));
}

}  // namespace

Verdict conclude(const Claim& claim, const std::string& group, const std::string& algorithm,
                 const BySeed& by_seed) {
  Verdict verdict{claim, group, algorithm};
  std::vector<double> values;
  for (const auto& [seed, value] : by_seed) values.push_back(value);
  verdict.seeds = static_cast<int>(values.size());
  const auto missing = std::ranges::count_if(values, [](double x) { return std::isnan(x); });
  if (missing > 0) {
    verdict.measured_as = fmt::format("not known for {} of {} seeds", missing, values.size());
    return verdict;
  }
  if (claim.over == Over::mean) {
    const auto late = std::ranges::count(values, never);
    verdict.measured = estimate(values).mean;
    verdict.measured_as =
        late > 0 ? fmt::format("never reached by {} of {} seeds", late, values.size()) : "mean";
  } else {
    verdict.measured =
        *std::ranges::min_element(values, {}, [&](double x) { return margin(x, claim); });
    verdict.measured_as = "worst";
  }
  set_interval(verdict, values);
  verdict.finding = decide(verdict);
  return verdict;
}

std::vector<RunResult> read_results(const Experiment& experiment, const std::string& folder) {
  const bool curves =
      std::ranges::any_of(experiment.claims, [](const Claim& c) { return !c.until.empty(); });
  std::vector<RunResult> results;
  for (Json& evaluation : read_evaluations(experiment, folder)) {
    RunResult& result = results.emplace_back();
    const std::string path =
        fmt::format("{}/{}/metrics.jsonl", folder, experiment.runs[results.size() - 1].name);
    if (curves && !evaluation.is_null()) result.metrics = read_file(path, std::size_t{1} << 30);
    result.evaluation = std::move(evaluation);
  }
  return results;
}

std::vector<Verdict> test_claims(const Experiment& experiment,
                                 const std::vector<RunResult>& results) {
  const Measurer measurer(experiment, results);
  std::vector<Verdict> verdicts;
  for (const Claim& claim : experiment.claims) {
    // the groups and methods that the claim selects, in the order of the runs
    std::vector<std::pair<std::string, std::string>> cells;
    for (const RunPlan& run : experiment.runs) {
      if (!claim.selects(run)) continue;
      const std::pair cell = claim.against.empty()
                                 ? std::pair(run.group, run.method())
                                 : std::pair(std::string("all groups"), run.algorithm);
      if (std::ranges::find(cells, cell) == cells.end()) cells.push_back(cell);
    }
    for (const auto& [group, method] : cells) {
      verdicts.push_back(conclude(claim, group, method,
                                  claim.against.empty() ? measurer.values(claim, group, method)
                                                        : measurer.slopes(claim, method)));
      if (!measurer.nothing_run(claim, group)) continue;
      verdicts.back().finding = Finding::not_run;
      verdicts.back().measured_as = "not run";
    }
  }
  return verdicts;
}

Json verdicts_json(const std::vector<Verdict>& verdicts) {
  Json list = Json::array();
  for (const Verdict& v : verdicts) {
    list.push_back({{"text", v.claim.text},
                    {"source", v.claim.source},
                    {"see", v.claim.see},
                    {"group", v.group},
                    {"algorithm", v.algorithm},
                    {"measure", v.claim.quantity()},
                    {"wanted", v.claim.wanted()},
                    {"verdict", name_of(v.finding)},
                    {"measured", finite(v.measured)},
                    {"measured_as", v.measured_as},
                    {"low", finite(v.low)},
                    {"high", finite(v.high)},
                    {"effect", finite(v.effect)},
                    {"seeds", v.seeds}});
  }
  return list;
}

void write_verdicts(const Experiment& experiment, const std::vector<Verdict>& verdicts,
                    const std::string& folder) {
  const Json json = {{"title", experiment.title}, {"claims", verdicts_json(verdicts)}};
  write_file(folder + "/verdict.json", json.dump(2) + "\n");
}

}  // namespace vic
