// The oracle for Python: optima with their certificates, and the policies that attain them.
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>

#include "core.h"
#include "oracle/eigenoptions.h"
#include "oracle/start_map.h"
#include "oracle/truth.h"
#include "worlds.h"

namespace vic::python {
namespace {

// The truth, and the world that it refers to.
struct Exact {
  TablePtr world;
  Truth truth;
};

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

TablePtr table_of(const PyWorld& world) {
  world.table();
  return std::get<TablePtr>(world.world);
}

std::unique_ptr<Exact> exact(const PyWorld& of, const SettingPairs& settings, bool fast) {
  const TablePtr table = table_of(of);
  return interruptible([&](Stop stop) {
    const auto chosen = read_settings<ExactSettings>("exact", settings, stop);
    return std::make_unique<Exact>(table,
                                   find_truth(*table, chosen, {}, fast ? optima : Quantities{}));
  });
}

// the maximiser of H: (T_max, S, A + 1), NaN for states that cannot be occupied at that time
py::array policy(const Exact& self) {
  const TabularWorld& world = *self.world;
  const Optimum& optimum = self.truth.H_max;
  const std::size_t S = static_cast<std::size_t>(world.S), width = std::size_t(world.A) + 1;
  const std::size_t T = optimum.policy.size();
  constexpr std::size_t most_numbers = 100'000'000;
  if (T * S * width > most_numbers) {
    fail_usage(
        "The optimal policy of {} would be an array of {} x {} x {} numbers, more than {}; "
        "vic export --optimal writes its rows.",
        world.name, T, S, width, most_numbers);
  }
  std::vector<double> dense(T * S * width, unknown);
  for (std::size_t t = 0; t < T; ++t) {
    const Level& level = optimum.unrolled.levels[t];
    for (int i = 0; i < level.rows(); ++i) {
      const auto from = optimum.policy[t].begin() + static_cast<std::ptrdiff_t>(i * width);
      const std::size_t to = (t * S + static_cast<std::size_t>(level.state[i])) * width;
      std::copy_n(from, width, dense.begin() + static_cast<std::ptrdiff_t>(to));
    }
  }
  return array(std::move(dense), {static_cast<py::ssize_t>(T), world.S, world.A + 1});
}

// the maximiser of D, a row for each history: time, the row of the previous history, the action
// that led here, the state and the probabilities; None if it is not known, or if its rows are
// states
py::object history_policy(const Exact& self) {
  const std::optional<Optimum>& optimum = self.truth.D_max;
  const bool tree = optimum && optimum->unrolled.transitions() == optimum->unrolled.rows() - 1;
  if (!tree) return py::none();
  const TabularWorld& world = *self.world;
  std::vector<int> time, parent = {-1}, action = {-1}, state;
  std::vector<double> pi;
  for (std::size_t t = 0; t < optimum->unrolled.levels.size(); ++t) {
    const Level& level = optimum->unrolled.levels[t];
    const int first = static_cast<int>(state.size());
    time.insert(time.end(), level.state.size(), static_cast<int>(t));
    state.insert(state.end(), level.state.begin(), level.state.end());
    pi.insert(pi.end(), optimum->policy[t].begin(), optimum->policy[t].end());
    // in a tree the rows of the next level are the children, in order
    for (int i = 0; i < level.rows(); ++i) {
      if (level.forced(i)) continue;
      for (int a = 0; a < world.A; ++a) {
        const int outcomes = world.end(level.state[i], a) - world.begin(level.state[i], a);
        parent.insert(parent.end(), static_cast<std::size_t>(outcomes), first + i);
        action.insert(action.end(), static_cast<std::size_t>(outcomes), a);
      }
    }
  }
  const auto R = static_cast<py::ssize_t>(state.size());
  py::dict out;
  out["t"] = array(std::move(time));
  out["parent"] = array(std::move(parent));
  out["action"] = array(std::move(action));
  out["state"] = array(std::move(state));
  out["pi"] = array(std::move(pi), {R, world.A + 1});
  return out;
}

py::array p_final(const py::object& self) {
  const Exact& exact = self.cast<const Exact&>();
  return view(exact.truth.H_max.control.p_f, {exact.world->S}, self);
}

// columns of the non-absorbing starts, and the notes
py::tuple start_map(const PyWorld& of, const SettingPairs& settings, int threads) {
  const TablePtr table = table_of(of);
  const StartMap map = interruptible([&](Stop stop) {
    return map_starts(*table, read_settings<ExactSettings>("exact", settings, stop), threads);
  });
  std::vector<int> state, reachable;
  for (const StartOptima& start : map.starts) {
    state.push_back(start.s_0);
    reachable.push_back(start.states_reachable);
  }
  py::dict columns;
  columns["state"] = array(std::move(state));
  columns["states_reachable"] = array(std::move(reachable));
  const auto add = [&](const char* name, std::optional<double> StartOptima::*field) {
    std::vector<double> column;
    for (const StartOptima& start : map.starts) {
      column.push_back((start.*field).value_or(unknown));
    }
    columns[name] = array(std::move(column));
  };
  add("H_max", &StartOptima::H_max);
  add("H_max_gap", &StartOptima::H_max_gap);
  add("D_max", &StartOptima::D_max);
  add("D_max_gap", &StartOptima::D_max_gap);
  add("H_at_D_max", &StartOptima::H_at_D_max);
  add("C_open", &StartOptima::C_open);
  return py::make_tuple(columns, map.notes);
}

py::dict numbers(const Exact& self) {
  const Truth& truth = self.truth;
  py::dict out;
  out["states_reachable"] = truth.states_reachable;
  out["H_max"] = truth.H_max.value;
  out["H_max_gap"] = truth.H_max.gap;
  for (const char* name : {"D_max", "D_max_gap", "H_at_D_max", "C_open", "C_open_gap"}) {
    out[name] = py::none();
  }
  if (truth.D_max) {
    out["D_max"] = truth.D_max->value;
    out["D_max_gap"] = truth.D_max->gap;
    out["H_at_D_max"] = truth.D_max->control.H;
  }
  if (truth.C_open) {
    out["C_open"] = truth.C_open->value;
    out["C_open_gap"] = truth.C_open->gap;
  }
  out["reward_max"] = maybe(truth.reward_max);
  out["notes"] = truth.notes;
  return out;
}

// the moves of eigenoptions: (count, T_max - 1, S), A where they terminate
py::array eigenoption_moves(const PyWorld& of, int count) {
  const TabularWorld& world = of.table();
  std::vector<int> moves = interruptible([&](Stop) {
    std::vector<int> all;
    for (const std::vector<double>& purpose : eigenpurposes(world, count)) {
      const std::vector<int> table = pursue(world, purpose);
      all.insert(all.end(), table.begin(), table.end());
    }
    return all;
  });
  const auto options = static_cast<py::ssize_t>(moves.size()) / ((world.T_max - 1) * world.S);
  return array(std::move(moves), {options, world.T_max - 1, world.S});
}

}  // namespace

void add_exact(py::module_& module) {
  module.def("exact", exact);
  module.def("start_map", start_map);
  module.def("eigenoption_moves", eigenoption_moves);
  py::class_<Exact>(module, "Exact")
      .def_property_readonly("numbers", numbers)
      .def_property_readonly("policy", policy)
      .def_property_readonly("history_policy", history_policy)
      .def_property_readonly("p_final", p_final);
}

}  // namespace vic::python
