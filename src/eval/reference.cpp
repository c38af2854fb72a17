#include "eval/reference.h"

#include <algorithm>
#include <set>

#include "eval/exact_json.h"
#include "eval/survey_json.h"
#include "sim/enumeration.h"

namespace vic {
namespace {

Json picture_json(const TabularWorld& world) {
  if (world.picture.empty()) return nullptr;
  Json cells = Json::array();
  for (int s = 0; s < world.S; ++s) {
    const Cell cell = world.picture.cells[s];
    cells.push_back({{"state", world.state_names[s]}, {"row", cell.row}, {"column", cell.column}});
  }
  return {{"lines", world.picture.lines}, {"cells", std::move(cells)}};
}

// a table whose states have coordinates, as a graph: where they are, and which moves join them
Json graph_json(const TabularWorld& world) {
  if (!world.picture.empty() || world.d == 0 || world.S > 200) return nullptr;
  Json places = Json::array();
  for (int s = 0; s < world.S; ++s) {
    const double* at = &world.coordinates[s * world.d];
    places.push_back(
        {{"state", world.state_names[s]}, {"x", at[0]}, {"y", world.d > 1 ? at[1] : 0.0}});
  }
  std::set<std::pair<int, int>> joined;
  for (int s = 0; s < world.S; ++s) {
    for (int e = world.begin(s); e < world.end(s); ++e) {
      if (world.next[e] != s) joined.emplace(std::minmax(s, world.next[e]));
    }
  }
  Json moves = Json::array();
  for (const auto& [a, b] : joined) {
    moves.push_back({{"from", world.state_names[a]}, {"to", world.state_names[b]}});
  }
  return {{"places", std::move(places)}, {"moves", std::move(moves)}};
}

}  // namespace

// the states in which options end, and how often
Json final_states_json(const TabularWorld& world, const std::vector<double>& p_f) {
  Json list = Json::array();
  for (int s = 0; s < world.S; ++s) {
    if (p_f[s] > 0) list.push_back({{"state", world.state_names[s]}, {"p", p_f[s]}});
  }
  return list;
}

Json truth_json(const Truth& truth) {
  const TabularWorld& world = *truth.world;
  Json json = {{"world", world.name},
               {"T_max", world.T_max},
               {"states_reachable", truth.states_reachable},
               {"H_max", maybe(truth.wanted.H_max, truth.H_max.value)},
               {"H_max_gap", maybe(truth.wanted.H_max, truth.H_max.gap)}};
  const bool D = truth.D_max.has_value(), C = truth.C_open.has_value();
  // a solved value lies within its gap; an unsolved one may have bounds
  const auto bounds = [&](const std::string& name, const auto& found,
                          const std::optional<Bracket>& bracket) {
    const bool known = found || bracket;
    const Bracket own =
        found ? Bracket{found->value, found->value + found->gap} : bracket.value_or(Bracket{});
    json[name + "_low"] = maybe(known, own.low);
    json[name + "_high"] = maybe(known, own.high);
  };
  json["D_max"] = maybe(D, D ? truth.D_max->value : 0);
  json["D_max_gap"] = maybe(D, D ? truth.D_max->gap : 0);
  bounds("D_max", truth.D_max, truth.D_bracket);
  json["H_at_D_max"] = maybe(D, D ? truth.D_max->control.H : 0);
  json["H_at_D_max_low"] = maybe(D, truth.H_at_D_max.low);
  json["H_at_D_max_high"] = maybe(D, truth.H_at_D_max.high);
  json["C_open"] = maybe(C, C ? truth.C_open->value : 0);
  json["C_open_gap"] = maybe(C, C ? truth.C_open->gap : 0);
  bounds("C_open", truth.C_open, truth.C_bracket);
  json["reward_max"] = maybe(truth.reward_max);
  json["uniform"] = {{"H", truth.uniform.H},
                     {"D", maybe(truth.split_known, truth.uniform.D)},
                     {"N", maybe(truth.split_known, truth.uniform.N)}};
  json["s_f"] = truth.wanted.H_max ? final_states_json(world, truth.H_max.control.p_f) : nullptr;
  json["s_f_at_D_max"] = D ? final_states_json(world, truth.D_max->control.p_f) : Json(nullptr);
  json["start"] = world.state_names[world.s_0];
  json["picture"] = picture_json(world);
  if (Json graph = graph_json(world); !graph.is_null()) json["graph"] = std::move(graph);
  json["notes"] = truth.notes;
  return json;
}

namespace {

// the truth about a simulated world with few sequences of actions
void enumerate(Reference& reference, const Simulator& simulator, const ExactSettings& settings,
               const SolveProgress& progress) {
  constexpr double most_sequences = 10000;
  if (sequence_count(simulator.spec()) > most_sequences) return;
  try {
    reference.options = std::make_shared<const TabularWorld>(table_of(simulator, most_sequences));
  } catch (const UsageError&) {
    return;  // chance, and no closed form
  } catch (const SimulationError&) {
    return;  // actions that the simulator cannot take
  }
  // without chance D_max is H_max; with chance, C_open is the number to compare with
  const bool certain = simulator.spec().deterministic;
  const Quantities wanted{.H_max = certain, .D_max = false, .reward_max = false, .uniform = false};
  reference.exact = find_truth(*reference.options, settings, progress, wanted);
}

}  // namespace

Reference find_reference(const World& world, std::span<const double> lambdas,
                         const SolveProgress& progress, Stop stop, int random) {
  Reference reference{.world = world, .exact = {}, .frontier = {}, .random = {}};
  ExactSettings settings;
  // learners are not measured to more digits than this
  settings.gap = 1e-5;
  // solving should take no longer than training
  settings.budget = 5e8;
  settings.histories = 300000;
  settings.stop = stop;
  if (const Simulator* simulator = simulator_in(world)) {
    // all runs in the world are compared with the first of the same options
    constexpr int most = 1024;
    reference.random = random_survey(*simulator, 1, std::min(random, most), 1, stop);
    enumerate(reference, *simulator, settings, progress);
  } else {
    reference.exact = find_truth(*table_in(world), settings, progress);
  }
  if (Truth* truth = reference.exact ? &*reference.exact : nullptr) {
    // sweeps keep many references, and learners are not compared with policies
    truth->H_max.unrolled = {}, truth->H_max.policy = {};
    if (truth->D_max) truth->D_max->unrolled = {}, truth->D_max->policy = {};
  }
  if (!lambdas.empty() && table_in(world) != nullptr) {
    // as precise as a figure shows it
    settings.gap = 3e-4;
    settings.budget = 6e7;
    reference.frontier = find_frontier(*table_in(world), lambdas, settings, /*threads=*/1);
  }
  return reference;
}

Json truth_json(const Reference& reference) {
  const Simulator* simulator = simulator_in(reference.world);
  if (simulator == nullptr) {
    Json json = truth_json(*reference.exact);
    if (const auto& frontier = reference.frontier) {
      json["frontier"] = {{"best_success", frontier->best_success},
                          {"points", frontier_points_json(*frontier)}};
    }
    return json;
  }
  const SimulatorSpec& spec = simulator->spec();
  Json json = {{"world", spec.name},
               {"kind", "simulated"},
               {"T", spec.T},
               {"actuators", spec.F()},
               {"levels", spec.L()},
               {"seconds", spec.option_seconds()},
               {"random", survey_json(spec, *reference.random)}};
  if (reference.exact) {
    json["cells_reachable"] = reference.exact->states_reachable;
    json["H_max"] = maybe(reference.exact->wanted.H_max, reference.exact->H_max.value);
    json["C_open"] = maybe(reference.exact->C_open.has_value(),
                           reference.exact->C_open ? reference.exact->C_open->value : 0);
  }
  return json;
}

}  // namespace vic
