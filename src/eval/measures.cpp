#include "eval/measures.h"

#include <algorithm>

#include "base/error.h"
#include "eval/evaluate.h"
#include "info/entropy.h"

namespace vic {
namespace {

using From = const Measured&;

// a field of a part, or null if the part is not known
template <class Part, class Field>
Json part(const std::optional<Part>& whole, Field Part::*field) {
  return whole ? Json((*whole).*field) : Json();
}
template <class Part, class Field>
Json part(const std::optional<Part>& whole, std::optional<Field> Part::*field) {
  return whole ? maybe((*whole).*field) : Json();
}

// a field of the optimum, or null where it is not known, as in most simulated worlds
template <class Part, class Field>
Json of_best(From m, std::optional<Part> Truth::*which, Field Part::*field) {
  return m.reference->exact ? part((*m.reference->exact).*which, field) : Json();
}
Json of_best(From m, Optimum Truth::*which, double Optimum::*field) {
  const std::optional<Truth>& exact = m.reference->exact;
  return exact && exact->wanted.H_max ? Json(((*exact).*which).*field) : Json();
}

// the point of the exact frontier that is optimal for the run's own lambda
const FrontierPoint* optimum(From m) {
  if (!m.reference->frontier) return nullptr;
  const auto& points = m.reference->frontier->points;
  const auto found = std::find_if(points.begin(), points.end(), [&](const FrontierPoint& point) {
    return point.lambda == m.lambda;
  });
  return found == points.end() ? nullptr : &*found;
}

Json objective(From m) {
  const Evaluation& e = *m.evaluation;
  return optimum(m) != nullptr && e.D && e.N ? Json(*e.D + m.lambda * *e.N) : Json();
}

// a share of the options, or null if nothing turns
template <class Value>
Json turned(From m, Value (Survey::*value)() const) {
  return m.spec->rotation() >= 0 ? Json((m.survey->*value)()) : Json();
}

template <class Field>
Json turning_skills(From m, Field SkillEnds::*field) {
  return m.spec->rotation() >= 0 ? part(m.evaluation->skills, field) : Json();
}

EntropyEstimate entropy_of(const Survey& survey) {
  return estimate_entropy(survey.cell_counts());
}

constexpr unsigned table = Measure::table, simulated = Measure::simulated, survey = Measure::survey;

// what is learned, in nats, in the order of a report's columns
const std::vector<Measure> information = {
    {"H", table | survey,
     [](From m) -> Json { return m.survey ? entropy_of(*m.survey).H : m.evaluation->H; }, "H", 4,
     "coverage, I(Ω; s_f) = H(s_f): of states, or of cells"},
    {"H_share", 0, nullptr, "% of H_max", 2, "H as a share of the best any policy can do", 100},
    {"D", table | simulated, [](From m) { return maybe(m.evaluation->D); }, "D", 4,
     "control: the agent's own part of H"},
    {"D_share", 0, nullptr, "% of D_max", 2, "D as a share of the best any policy can do", 100},
    {"N", table | simulated, [](From m) { return maybe(m.evaluation->N); }, "N", 4,
     "chance: the environment's part of H; H = D + N"},
    {"I_hat", table | simulated, [](From m) -> Json { return m.evaluation->I_hat; }, "Î", 4,
     "the paper's estimate of I at the last update"},
    {"I", table | simulated, [](From m) { return maybe(m.evaluation->I); }, "I", 4,
     "information about s_f in what was chosen in advance: a skill, or all actions"},
    {"usable_D", simulated, [](From m) { return part(m.evaluation->usable, &UsableControl::D); },
     "usable D", 3, "control that the agent's own models can steer: a lower bound of D"},
    {"usable_D_ci95", simulated,
     [](From m) { return part(m.evaluation->usable, &UsableControl::ci95); }},
    {"ci95", table | survey,
     [](From m) -> Json { return m.survey ? entropy_of(*m.survey).ci95 : m.evaluation->ci95; }},
    {"D_low", table, [](From m) { return part(m.evaluation->D_in, &Interval::low); }},
    {"D_high", table, [](From m) { return part(m.evaluation->D_in, &Interval::high); }},
    {"N_low", table, [](From m) { return part(m.evaluation->N_in, &Interval::low); }},
    {"N_high", table, [](From m) { return part(m.evaluation->N_in, &Interval::high); }},
};

// the best that any policy can do, or what random actions achieve
const std::vector<Measure> references = {
    {"H_max", table | simulated, [](From m) { return of_best(m, &Truth::H_max, &Optimum::value); },
     "", 4, "the largest H of any policy"},
    {"H_max_gap", table | simulated,
     [](From m) { return of_best(m, &Truth::H_max, &Optimum::gap); }},
    {"D_max", table | simulated, [](From m) { return of_best(m, &Truth::D_max, &Optimum::value); },
     "", 4, "the largest D of any policy"},
    {"H_at_D_max", table,
     [](From m) {
       const auto& D_max = m.reference->exact->D_max;
       return D_max ? Json(D_max->control.H) : Json();
     },
     "", 4, "H of the maximiser of D, where implicit VIC converges"},
    {"C_open", table | simulated,
     [](From m) { return of_best(m, &Truth::C_open, &OpenLoop::value); }},
    {"reward_max", table, [](From m) { return maybe(m.reference->exact->reward_max); }},
    {"objective", table, objective},
    {"objective_max", table,
     [](From m) { return optimum(m) != nullptr ? Json(optimum(m)->value) : Json(); }},
    {"states_reachable", table,
     [](From m) -> Json { return m.reference->exact->states_reachable; }},
    {"random_H", simulated, [](From m) -> Json { return entropy_of(*m.reference->random).H; }},
    {"random_cells", simulated, [](From m) -> Json { return m.reference->random->cells().size(); }},
    {"random_spread", simulated,
     [](From m) -> Json { return m.reference->random->coordinate(0).spread; }},
};

// where options end, and how often they reach their goals
const std::vector<Measure> outcomes = {
    {"reach.mean", table | simulated,
     [](From m) -> Json {
       const Evaluation& e = *m.evaluation;
       return e.own_reach ? Json(e.own_reach->success.share) : part(e.reach, &ReachSummary::mean);
     },
     "reach", 3, "success of options conditioned on a goal"},
    {"reach.greedy_mean", table,
     [](From m) { return part(m.evaluation->reach, &ReachSummary::greedy_mean); }, "greedy", 3,
     "the same with the likeliest actions"},
    {"reach.worst", table, [](From m) { return part(m.evaluation->reach, &ReachSummary::worst); }},
    {"reach.best_mean", table,
     [](From m) { return part(m.evaluation->reach, &ReachSummary::best_mean); }},
    {"reach.low", simulated,
     [](From m) {
       const auto& reach = m.evaluation->own_reach;
       return reach ? Json(reach->success.in.low) : Json();
     }},
    {"reach.high", simulated,
     [](From m) {
       const auto& reach = m.evaluation->own_reach;
       return reach ? Json(reach->success.in.high) : Json();
     }},
    {"reach.chance", simulated,
     [](From m) { return part(m.evaluation->own_reach, &OwnReach::chance); }},
    {"skills.H", simulated, [](From m) { return part(m.evaluation->skills, &SkillEnds::H); },
     "skills' H", 4,
     "entropy of the cells in which the skills end, each with its likeliest actions"},
    {"skills.cells", simulated,
     [](From m) { return part(m.evaluation->skills, &SkillEnds::cells); }},
    {"skills.forward_flips", simulated,
     [](From m) { return turning_skills(m, &SkillEnds::forward_flips); }},
    {"skills.backflips", simulated,
     [](From m) { return turning_skills(m, &SkillEnds::backflips); }},
    {"skills.most_forward_flips", simulated,
     [](From m) { return turning_skills(m, &SkillEnds::most_forward_flips); }},
    {"skills.most_backflips", simulated,
     [](From m) { return turning_skills(m, &SkillEnds::most_backflips); }},
    {"cells", survey, [](From m) -> Json { return m.survey->cells().size(); }, "cells", 1,
     "cells that some option ended in"},
    {"spread", survey, [](From m) -> Json { return m.survey->coordinate(0).spread; }, "spread", 2,
     "the standard deviation of the first coordinate"},
    {"min", survey, [](From m) -> Json { return m.survey->coordinate(0).min; }},
    {"max", survey, [](From m) -> Json { return m.survey->coordinate(0).max; }},
    {"forward_flips", survey, [](From m) { return turned(m, &Survey::forward_flips); },
     "forward flips %", 1, "options that turned over forward, once or more", 100},
    {"backflips", survey, [](From m) { return turned(m, &Survey::backflips); }, "backflips %", 1,
     "options that turned over backward, once or more", 100},
    {"two_turns", survey, [](From m) { return turned(m, &Survey::two_turns); }, "two turns %", 1,
     "options with two full turns or more, either way", 100},
    {"most_forward_flips", survey, [](From m) { return turned(m, &Survey::most_forward_flips); }},
    {"most_backflips", survey, [](From m) { return turned(m, &Survey::most_backflips); }},
    {"states", table, [](From m) -> Json { return m.evaluation->states; }, "states", 1,
     "final states of the sampled options"},
    {"rooms", table, [](From m) -> Json { return m.evaluation->rooms; }, "absorbing", 1,
     "absorbing states among them"},
    {"absorbed", table, [](From m) { return maybe(m.evaluation->absorbed); }, "absorbed %", 1,
     "options that end in one of them", 100},
    {"external", table, [](From m) -> Json { return m.evaluation->external; }, "r^E", 3,
     "mean external reward of an option"},
    {"external_ci95", table, [](From m) -> Json { return m.evaluation->external_ci95; }},
};

// errors of the reward and of the models
const std::vector<Measure> errors = {
    {"calibration.bias", table | simulated,
     [](From m) { return part(m.evaluation->calibration, &Calibration::bias); }, "bias", 3,
     "mean of the reward minus −log p(s_f)"},
    {"calibration.deviation", table | simulated,
     [](From m) { return part(m.evaluation->calibration, &Calibration::deviation); }, "dev.", 3,
     "standard deviation of that difference"},
    {"calibration.correlation", table | simulated,
     [](From m) { return part(m.evaluation->calibration, &Calibration::correlation); }, "corr.", 2,
     "of the reward with −log p(s_f)"},
    {"posterior.pi_q", table,
     [](From m) { return part(m.evaluation->posterior, &PosteriorError::pi_q); }, "", 4,
     "KL(exact posterior || pi_q) per step"},
    {"posterior.rho_q", table,
     [](From m) { return part(m.evaluation->posterior, &PosteriorError::rho_q); }, "", 4,
     "KL(exact posterior || rho_q) per step"},
    {"posterior.b", table, [](From m) { return part(m.evaluation->posterior, &PosteriorError::b); },
     "", 4, "KL of b(s_f | τ, a) from the exact posterior, mean over the decisions"},
    {"posterior.rho_ratio", table,
     [](From m) { return part(m.evaluation->posterior, &PosteriorError::rho_ratio); }, "", 4,
     "mean error of log rho_q / rho_p"},
};

}  // namespace

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all = [] {
    std::vector<Measure> list;
    for (const auto* rows : {&information, &outcomes, &references, &errors}) {
      list.insert(list.end(), rows->begin(), rows->end());
    }
    return list;
  }();
  return all;
}

namespace {

// whether the measure needs a reference that is missing, as for a run in training
bool lacks_reference(const Measure& measure, const Measured& from) {
  const std::string_view name = measure.name;
  const auto same = [&](const Measure& one) { return one.name == name; };
  return std::ranges::any_of(references, same) && !from.reference->exact && !from.reference->random;
}

}  // namespace

void add_measures(Json& json, Measure::Of of, const Measured& from) {
  for (const Measure& measure : measures()) {
    if ((measure.of & of) == 0) continue;
    const std::string_view path = measure.name;
    const std::size_t dot = path.find('.');
    Json value = lacks_reference(measure, from) ? Json() : measure.value(from);
    // measures that a simulated world does not have are left out
    if (of == Measure::survey && value.is_null()) continue;
    Json& member = json[path.substr(0, dot)];
    if (dot == std::string_view::npos) {
      member = std::move(value);
    } else if (!value.is_null() || member.is_object()) {
      member[path.substr(dot + 1)] = std::move(value);  // if all members are null, so is the object
    }
  }
}

std::optional<double> number_at(const Json& evaluation, std::string_view path) {
  const std::size_t dot = path.find('.');
  const Json* found = evaluation.find(path.substr(0, dot));
  if (found == nullptr || found->is_null()) return std::nullopt;
  if (dot != std::string_view::npos) return number_at(*found, path.substr(dot + 1));
  return found->get<double>();
}

std::vector<std::string> measure_names() {
  std::vector<std::string> names;
  for (const Measure& measure : measures()) {
    if (measure.of != 0) names.push_back(measure.name);
  }
  return names;
}

std::size_t measure_index(std::string_view name) {
  const auto& all = measures();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Measure& one) { return one.name == name; });
  if (found == all.end()) throw Error("There is no measure '" + std::string(name) + "'.");
  return static_cast<std::size_t>(found - all.begin());
}

}  // namespace vic
