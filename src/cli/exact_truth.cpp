// vic exact: the optima of one start.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <set>

#include "base/print.h"
#include "cli/exact_view.h"
#include "cli/heat_map.h"
#include "cli/text.h"

namespace vic {
namespace {

// the optima of a world, a row for each
void print_optima(const Truth& truth, const Unit& unit, std::ostream& out) {
  const ValueTable table{out, 16};
  const auto bracket = [&](const char* name, const Bracket& between, const std::string& meaning) {
    table.row(name, fmt::format("{:.4f}", unit.of(between.low)),
              fmt::format("to {:.4f}: {}", unit.of(between.high), meaning));
  };
  const auto optimum = [&](const char* name, const auto* found,
                           const std::optional<Bracket>& between, const std::string& meaning) {
    if (found == nullptr && between) return bracket(name, *between, meaning);
    table.row(name, found ? number_text(unit.of(found->value)) : "-",
              found ? fmt::format("{} (certified to within {:.1e})", meaning, unit.of(found->gap))
                    : meaning);
  };
  const auto pointer = [](const auto& found) { return found ? &*found : nullptr; };
  table.row("states reachable", fmt::format("{}", truth.states_reachable),
            fmt::format("at most log {} = {:.6f} {}", truth.states_reachable,
                        unit.of(std::log(truth.states_reachable)), unit.name));
  const Quantities& wanted = truth.wanted;
  if (wanted.H_max) {
    optimum("H_max", &truth.H_max, {}, "the largest coverage H(s_f) = I(Omega; s_f) of any policy");
  }
  if (wanted.D_max) {
    optimum("D_max", pointer(truth.D_max), truth.D_bracket, "the largest control of any policy");
    const Interval& H = truth.H_at_D_max;
    const std::string meaning = "H(s_f) of that policy, where implicit VIC converges";
    table.row("H_at_D_max", truth.D_max ? number_text(unit.of(truth.D_max->control.H)) : "-",
              truth.D_max ? fmt::format("{} (certain: {:.6f} to {:.6f})", meaning, unit.of(H.low),
                                        unit.of(H.high))
                          : meaning);
  }
  if (wanted.C_open) {
    optimum("C_open", pointer(truth.C_open), truth.C_bracket,
            "the capacity of action sequences chosen in advance");
  }
  if (wanted.reward_max) {
    table.row("reward_max", number_text(truth.reward_max), "the largest expected external reward");
  }
}

// H, D and N of a few policies
void print_policies(const Truth& truth, const Unit& unit, std::ostream& out) {
  print(out, "\n  {:<16} {:>10} {:>10} {:>10}\n", "policy", "H", "D", "N");
  const auto row = [&](const char* name, const Control& c, bool split) {
    const auto part = [&](double x) { return split ? number_text(unit.of(x)) : "-"; };
    print(out, "  {:<16} {:>10.6f} {:>10} {:>10}\n", name, unit.of(c.H), part(c.D), part(c.N));
  };
  row("uniform", truth.uniform, truth.split_known);
  if (truth.wanted.H_max) row("maximiser of H", truth.H_max.control, truth.split_known);
  if (truth.D_max) row("maximiser of D", truth.D_max->control, true);
}

// fields whose numbers are information
bool is_information(const std::string& field) {
  static const std::set<std::string> fields = {
      "H_max",  "H_max_gap",  "H",          "D",           "N",          "I",
      "D_max",  "D_max_gap",  "D_max_low",  "D_max_high",  "H_at_D_max", "H_at_D_max_low",
      "C_open", "C_open_gap", "C_open_low", "C_open_high", "value",      "H_at_D_max_high",
      "gap",    "mean",       "least",      "largest",     "C_power"};
  return fields.contains(field);
}

// the same document with its information multiplied by a factor
Json scaled(const Json& json, double factor) {
  if (json.is_array()) {
    Json list = Json::array();
    for (const Json& element : json) list.push_back(scaled(element, factor));
    return list;
  }
  if (!json.is_object()) return json;
  Json object = Json::object();
  for (const auto& [key, value] : json.items()) {
    const bool own = value.is_number() && is_information(key);
    object[key] = own ? Json(factor * value.get<double>()) : scaled(value, factor);
  }
  return object;
}

}  // namespace

Unit ExactOptions::unit() const {
  return bits ? Unit{"bits", std::numbers::log2e} : Unit{};
}

Json in_unit(Json document, const Unit& unit) {
  if (unit.per_nat != 1) document = scaled(document, unit.per_nat);
  document["unit"] = unit.name;
  return document;
}

void print_notes(const std::vector<std::string>& notes, std::ostream& out) {
  for (const std::string& note : notes) print(out, "\n  note: {}", note);
  if (!notes.empty()) print(out, "\n");
}

void print_truth(const Truth& truth, const Unit& unit, const Console& console) {
  const TabularWorld& world = *truth.world;
  print(console.out, "{}, T_max = {}{}: the exact optima, in {}\n\n", world.name, world.T_max,
        world.may_stop ? "" : " without early termination", unit.name);
  print_optima(truth, unit, console.out);
  print_policies(truth, unit, console.out);
  if (truth.wanted.H_max) {
    print(console.out, "\n  p(s_f) of the maximiser of H\n\n{}",
          heat_map(world, truth.H_max.control.p_f, console.palette));
  }
  print_notes(truth.notes, console.out);
}

}  // namespace vic
