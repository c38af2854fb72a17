#include "eval/simulator_reach.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "eval/evaluate.h"
#include "eval/export_rows.h"
#include "eval/simulator_eval.h"
#include "method/fine_tuning.h"

namespace vic {
namespace {

// a cell, and the unconditioned option that ends closest to its middle
struct Place {
  StateCell cell;
  std::size_t option = 0;
};

PointGoal middle_of(const SimulatorSpec& spec, const StateCell& cell) {
  PointGoal middle;
  for (std::size_t k = 0; k < cell.size(); ++k) {
    middle.emplace_back(spec.coordinates[k].method_bins().centre(cell[k]));
  }
  return middle;
}

// sorted by the last coordinate, then by the one before it, …
std::vector<Place> places_of(const SimulatorSpec& spec, const Unconditioned& unconditioned) {
  const std::vector<Displacement>& ends = unconditioned.ends;
  std::map<StateCell, Place> places;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const StateCell cell = method_cell_of(spec, ends[i]);
    const PointGoal middle = middle_of(spec, cell);
    const auto at = places.try_emplace({cell.rbegin(), cell.rend()}, Place{cell, i}).first;
    std::size_t& option = at->second.option;
    if (miss(spec, middle, ends[i]) < miss(spec, middle, ends[option])) option = i;
  }
  std::vector<Place> list;
  for (const auto& [reversed, place] : places) list.push_back(place);
  return list;
}

template <class Arrived>
double share(const std::vector<Displacement>& ends, Arrived&& arrived) {
  return static_cast<double>(std::count_if(ends.begin(), ends.end(), arrived)) /
         static_cast<double>(ends.size());
}

// the share p of the options that arrived, with its interval unless they repeat themselves
Success success_of(const Conditioned& sampled, const SimulatorSpec& spec,
                   const ReachSettings& settings, double p) {
  if (options_repeat(spec, settings)) return {p, {p, p}};
  return {p, wilson_interval(p, static_cast<double>(sampled.ends.size()))};
}

// "distance (m) and turns"
std::string coordinate_list(const SimulatorSpec& spec) {
  std::vector<std::string> names;
  for (const Coordinate& one : spec.coordinates) {
    names.push_back(one.unit == one.name ? one.name : fmt::format("{} ({})", one.name, one.unit));
  }
  return joined(names, ", ");
}

}  // namespace

double miss(const SimulatorSpec& spec, const PointGoal& goal, const Displacement& end) {
  double largest = 0;
  for (std::size_t k = 0; k < goal.size(); ++k) {
    if (!goal[k]) continue;
    const double width = spec.coordinates[k].method_bins().width;
    largest = std::max(largest, std::abs(end[k] - *goal[k]) / width);
  }
  return largest;
}

PointGoal parse_point_goal(const SimulatorSpec& spec, const std::string& text) {
  PointGoal goal(spec.coordinates.size());
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string name = part.substr(0, equals);
    const auto found = std::find_if(spec.coordinates.begin(), spec.coordinates.end(),
                                    [&](const Coordinate& one) { return one.name == name; });
    const auto x = number_in(equals < part.size() ? part.substr(equals + 1) : "");
    if (found == spec.coordinates.end() || !x) {
      fail_usage(
          "The goal '{}' is not a point of {}: give one or more of its coordinates, measured from "
          "the start, as in {}=3; they are {}.",
          shown(text), spec.name, spec.coordinates[0].name, coordinate_list(spec));
    }
    std::optional<double>& number =
        goal[static_cast<std::size_t>(found - spec.coordinates.begin())];
    if (number) fail_usage("The goal '{}' gives {} twice.", shown(text), name);
    number = x;
  }
  return goal;
}

bool is_close(const SimulatorSpec& spec, const PointGoal& goal, const Displacement& end) {
  for (std::size_t k = 0; k < goal.size(); ++k) {
    if (goal[k] && !spec.coordinates[k].method_bins().are_close(end[k], *goal[k])) return false;
  }
  return true;
}

double CellReach::mean() const {
  double sum = 0;
  for (const Goal& goal : goals) sum += goal.success.share;
  return sum / static_cast<double>(goals.size());
}

void fine_tune(Learner& learner, const Unconditioned& unconditioned, const ReachSettings& settings,
               const Step& step) {
  if (settings.fine_tune == 0) return;
  require_fine_tuning(learner.agent());
  const std::unique_ptr<SimulatorSampler> sampler = make_simulator_sampler(learner.agent());
  const SimulatorSpec& spec = sampler->world().spec();
  std::vector<double> s_f;
  std::vector<TrainingGoal> goals;
  std::set<int> numbers;
  for (const Place& place : places_of(spec, unconditioned)) {
    const int number = cell_number(spec, place.cell);
    // cells that are too far out count as one, as they do in the method
    if (!numbers.insert(number).second) continue;
    const std::span<const double> end = end_of(spec, unconditioned.options[place.option]);
    s_f.insert(s_f.end(), end.begin(), end.end());
    goals.push_back({{.goal = static_cast<int>(goals.size())}, number});
  }
  sampler->set_goals(s_f);
  // the fewest options with which the sampler can hold this many goals
  const int least = static_cast<int>(goals.size()) / sampler->most_goals(1) + 1;
  fine_tune(learner, *sampler, goals,
            {.updates = settings.fine_tune,
             .batch = std::max(learner.settings().batch, least),
             .learning_rate = settings.fine_tune_rate,
             .seed = settings.seed},
            [&](int update) {
              settings.stop.check();
              if (step) step(update + 1, settings.fine_tune);
            });
}

PointReach reach_point(const Agent& agent, const Unconditioned& unconditioned,
                       const PointGoal& goal, const ReachSettings& settings) {
  const SimulatorSpec& spec = agent.simulator()->spec();
  const std::vector<Displacement>& ends = unconditioned.ends;
  const auto miss_of = [&](std::size_t i) { return miss(spec, goal, ends[i]); };
  const auto close = [&](const Displacement& end) { return is_close(spec, goal, end); };
  const auto cell_at = [&](std::size_t i) { return method_cell_of(spec, ends[i]); };
  PointReach reach;
  reach.chance = share(ends, close);
  // ends that are close enough come before all others
  const auto closer = [&](std::size_t i, std::size_t j) {
    const bool i_close = close(ends[i]), j_close = close(ends[j]);
    return i_close != j_close ? i_close : miss_of(i) < miss_of(j);
  };
  std::map<StateCell, int> close_in;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (closer(i, reach.closest)) reach.closest = i;
    if (close(ends[i])) ++close_in[cell_at(i)];
  }
  if (!settings.replay && !goal_policy_of(agent)) return reach;
  std::size_t to = reach.closest;
  if (!close_in.empty()) {
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    const StateCell most = std::max_element(close_in.begin(), close_in.end(), fewer)->first;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (cell_at(i) == most && (cell_at(to) != most || closer(i, to))) to = i;
    }
  }
  reach.conditioned = sample_conditioned(agent, unconditioned, to, settings);
  const std::vector<Displacement>& sampled = reach.conditioned->ends;
  reach.success = success_of(*reach.conditioned, spec, settings, share(sampled, close));
  reach.error.assign(goal.size(), 0);
  const auto count = static_cast<double>(sampled.size());
  for (const Displacement& end : sampled) {
    for (std::size_t k = 0; k < goal.size(); ++k) {
      if (goal[k]) reach.error[k] += std::abs(end[k] - *goal[k]) / count;
    }
  }
  return reach;
}

CellReach reach_cells(const Agent& agent, const Unconditioned& unconditioned,
                      const ReachSettings& settings, const Step& step) {
  const SimulatorSpec& spec = agent.simulator()->spec();
  const std::vector<Place> places = places_of(spec, unconditioned);
  CellReach reach;
  for (const Place& place : places) {
    const auto inside = [&](const Displacement& end) {
      return method_cell_of(spec, end) == place.cell;
    };
    const Conditioned sampled = sample_conditioned(agent, unconditioned, place.option, settings);
    reach.goals.push_back({place.cell, share(unconditioned.ends, inside),
                           success_of(sampled, spec, settings, share(sampled.ends, inside))});
    if (step) step(static_cast<int>(reach.goals.size()), static_cast<int>(places.size()));
  }
  return reach;
}

OwnReach reach_own(const Agent& agent, const std::vector<std::vector<double>>& options,
                   const ReachSettings& settings) {
  const std::unique_ptr<SimulatorSampler> sampler = make_simulator_sampler(agent);
  const SimulatorSpec& spec = sampler->world().spec();
  std::vector<double> s_f;
  std::vector<StateCell> cells;
  std::map<StateCell, int> counts;
  for (const std::vector<double>& states : options) {
    const std::span<const double> end = end_of(spec, states);
    s_f.insert(s_f.end(), end.begin(), end.end());
    cells.push_back(method_cell_of(spec, sampler->displacement_to(end)));
    ++counts[cells.back()];
  }
  const Conditioned sampled =
      sample_conditioned(agent, s_f, static_cast<int>(options.size()), settings);
  int arrived = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    arrived += method_cell_of(spec, sampled.ends[i]) == cells[i];
  }
  const auto N = static_cast<double>(options.size());
  OwnReach reach;
  reach.success = success_of(sampled, spec, settings, arrived / N);
  for (const auto& [cell, count] : counts) {
    const auto k = static_cast<double>(count);
    reach.chance += k / N * (k - 1) / (N - 1);
  }
  return reach;
}

}  // namespace vic
