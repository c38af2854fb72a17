#include "experiment/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/file.h"
#include "eval/measures.h"

namespace vic {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// "H" or "H / H_max" of a run; NaN where it is not known
double measure(const Json& evaluation, const std::string& text) {
  const std::size_t slash = text.find(" / ");
  const double above = number_at(evaluation, text.substr(0, slash)).value_or(unknown);
  if (slash == std::string::npos) return above;
  const double ratio = above / number_at(evaluation, text.substr(slash + 3)).value_or(unknown);
  return std::isfinite(ratio) ? ratio : unknown;
}

std::string wanted_text(const Claim& claim) {
  const bool least = std::isfinite(claim.at_least), most = std::isfinite(claim.at_most);
  if (least && most) return fmt::format("from {} to {}", claim.at_least, claim.at_most);
  return least ? fmt::format("at least {}", claim.at_least)
               : fmt::format("at most {}", claim.at_most);
}

// how far a value is inside the bounds of the claim; negative outside
double margin(double value, const Claim& claim) {
  return std::min(value - claim.at_least, claim.at_most - value);
}

// puts the seeds of one group and algorithm together
void conclude(Verdict& verdict, const Claim& claim, const std::vector<double>& values) {
  verdict.seeds = static_cast<int>(values.size());
  const auto missing = std::ranges::count_if(values, [](double x) { return std::isnan(x); });
  if (missing > 0) {
    verdict.measured = unknown;
    verdict.measured_as = fmt::format("not known for {} of {} seeds", missing, values.size());
    return;
  }
  if (claim.over == Over::mean) {
    verdict.measured =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    verdict.measured_as = "mean";
  } else {
    verdict.measured =
        *std::ranges::min_element(values, {}, [&](double x) { return margin(x, claim); });
    verdict.measured_as = "worst";
  }
  verdict.pass = margin(verdict.measured, claim) >= 0;
}

}  // namespace

std::vector<Verdict> test_claims(const Experiment& experiment,
                                 const std::vector<Json>& evaluations) {
  std::vector<Verdict> verdicts;
  for (const Claim& claim : experiment.claims) {
    // the groups and methods that the claim selects, in the order of the runs
    std::vector<std::pair<std::string, std::string>> cells;
    for (const RunPlan& run : experiment.runs) {
      const std::pair cell(run.group, run.method());
      if (!claim.selects(run)) continue;
      if (std::ranges::find(cells, cell) == cells.end()) cells.push_back(cell);
    }
    for (const auto& [group, method] : cells) {
      std::vector<double> values;
      for (std::size_t i = 0; i < experiment.runs.size(); ++i) {
        const RunPlan& run = experiment.runs[i];
        if (run.group != group || run.method() != method) continue;
        values.push_back(evaluations[i].is_null() ? unknown
                                                  : measure(evaluations[i], claim.measure));
      }
      verdicts.push_back({claim.text, group, method, claim.measure, wanted_text(claim)});
      conclude(verdicts.back(), claim, values);
    }
  }
  return verdicts;
}

Json verdicts_json(const std::vector<Verdict>& verdicts) {
  Json list = Json::array();
  for (const Verdict& v : verdicts) {
    list.push_back({{"claim", v.claim},
                    {"group", v.group},
                    {"algorithm", v.algorithm},
                    {"measure", v.measure},
                    {"wanted", v.wanted},
                    {"measured", maybe(!std::isnan(v.measured), v.measured)},
                    {"measured_as", v.measured_as},
                    {"seeds", v.seeds},
                    {"pass", v.pass}});
  }
  return list;
}

void write_verdicts(const Experiment& experiment, const std::vector<Verdict>& verdicts,
                    const std::string& folder) {
  const Json json = {{"title", experiment.title}, {"claims", verdicts_json(verdicts)}};
  write_file(folder + "/verdict.json", json.dump(2) + "\n");
}

}  // namespace vic
