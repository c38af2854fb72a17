// Trained runs for Python: measured, sampled, queried, sent to goals.
#include <algorithm>
#include <memory>

#include "cli/export_policy.h"
#include "core.h"
#include "eval/reach.h"
#include "eval/record.h"
#include "eval/reference.h"
#include "eval/simulator_reach.h"
#include "method/baselines/skills.h"
#include "run/training.h"
#include "worlds.h"

namespace vic::python {
namespace {

struct PyRun {
  std::string folder;
  Run run;

  const Agent& agent() const { return run.learner->agent(); }
};

std::unique_ptr<PyRun> load(const std::string& folder, const py::function& warn) {
  return interruptible([&](Stop) {
    return std::make_unique<PyRun>(folder, load_trained_run(folder, [&](const std::string& text) {
                                     const py::gil_scoped_acquire acquire;
                                     warn(text);
                                   }));
  });
}

SettingPairs settings(const PyRun& self) {
  SettingPairs list;
  for (const Assignment& one : self.run.resolved) list.emplace_back(one.key, one.value);
  return list;
}

// the document of vic eval --json
std::string evaluate_run(const PyRun& self) {
  return interruptible([&](Stop stop) {
    EvalSettings eval = self.run.eval;
    eval.stop = stop;
    const Reference reference = find_reference(self.run.world, {}, {}, stop);
    return result_json(self.run, evaluate(*self.run.learner, eval), reference).dump(2);
  });
}

py::dict to_dict(const std::vector<NpzArray>& arrays) {
  py::dict out;
  for (const NpzArray& one : arrays) {
    const Shape shape(one.shape.begin(), one.shape.end());
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          if constexpr (std::same_as<T, std::string>) {
            out[one.name.c_str()] = values;
          } else {
            out[one.name.c_str()] = array(values, shape);
          }
        },
        one.values);
  }
  return out;
}

py::dict sample(const PyRun& self, int options, int seed) {
  return to_dict(interruptible([&](Stop stop) {
    return export_sample(self.run, options, seed, [&](int, int) { stop.check(); }).arrays();
  }));
}

py::dict policy_table(const PyRun& self) {
  return to_dict(interruptible([&](Stop stop) {
    std::ostringstream nothing;
    Console console{.out = nothing, .err = nothing};
    console.stop = stop;
    return export_policy(self.folder, {}, console).arrays();
  }));
}

// throws where the states and actions are no history of the run's world
void require_history(const PyRun& self, const std::vector<int>& states,
                     const std::vector<int>& actions) {
  const TabularWorld& world = self.run.table();
  if (states.empty() || states.size() != actions.size() + 1) {
    fail_usage("A history has one state more than actions; this one has {} and {}.", states.size(),
               actions.size());
  }
  for (std::size_t t = 0; t < states.size(); ++t) {
    if (states[t] < 0 || states[t] >= world.S) {
      fail_usage("There is no state {}; {} has those from 0 to {}.", states[t], world.name,
                 world.S - 1);
    }
    if (t == 0) continue;
    const int a = actions[t - 1], s = states[t - 1];
    if (a < 0 || a >= world.A) {
      fail_usage("There is no move {}; {} has those from 0 to {}.", a, world.name, world.A - 1);
    }
    const auto begin = world.next.begin() + world.begin(s, a);
    const auto end = world.next.begin() + world.end(s, a);
    if (!std::binary_search(begin, end, states[t])) {
      fail_usage("The move {} does not lead from {} to {}.", world.move_names[a],
                 world.state_names[s], world.state_names[states[t]]);
    }
  }
  if (actions.size() >= static_cast<std::size_t>(world.T_max)) {
    fail_usage("An option in {} has at most {} actions, the termination included.", world.name,
               world.T_max);
  }
  if (self.agent().settings.starts == Starts::one && states.front() != world.s_0) {
    fail_usage("The options of {} begin in {}; train with starts=\"all\" for others.", self.folder,
               world.state_names[world.s_0]);
  }
}

// (A + 1) after one history; conditioned on a skill or a goal where that is not -1
py::array policy(const PyRun& self, const std::vector<int>& states, const std::vector<int>& actions,
                 int condition, double temperature) {
  require_history(self, states, actions);
  const TabularWorld& world = self.run.table();
  std::vector<double> p(static_cast<std::size_t>(world.A) + 1, 0);
  if (world.absorbing[states.back()] || static_cast<int>(states.size()) >= world.T_max) {
    p.back() = 1;
    return array(std::move(p));
  }
  const Agent& agent = self.agent();
  const bool conditioned = agent.algorithm->policy_goal == GoalKind::none && condition >= 0;
  const Actor actor = conditioned ? require_goal_policy(agent, temperature) : policy_of(agent);
  Histories chain;
  chain.begin(states.front());
  for (std::size_t t = 0; t < actions.size(); ++t) {
    chain.add(static_cast<int>(t), actions[t], states[t + 1]);
    chain.close_level();
  }
  HistoryInputs<float> inputs;
  inputs.append(chain, 0, agent.encoding, *agent.codes);
  const QueryContext context{chain, inputs.view(), tree_of(chain, chain.levels()), *agent.codes};
  ActorWorkspace work;
  actor.encode(work, context);
  Queries queries;
  queries.row.push_back(chain.rows() - 1);
  if (condition >= 0) queries.goal.push_back(condition);
  const MatrixView<const float> row = actor.probabilities(work, queries, context, chain.rows() - 1);
  for (std::size_t a = 0; a < p.size(); ++a) p[a] = double(row(0, static_cast<int>(a)));
  temper(p, temperature);
  return array(std::move(p));
}

// what the policy is conditioned on to end in a state
int condition(const PyRun& self, const std::string& goal) {
  require_goal_policy(self.agent());
  const int state = find_place(self.run.table(), goal);
  return self.agent().algorithm->objective->condition_for(self.agent(), state);
}

int skills(const PyRun& self) {
  const bool has = self.agent().algorithm->policy_goal == GoalKind::skill;
  return has ? self.agent().settings.skills : 0;
}

ReachSettings reach_settings(const SettingPairs& pairs, Stop stop = {}) {
  Overrides overrides(assignments(pairs));
  ReachSettings out;
  overrides.apply("reach", out);
  overrides.finish();
  out.stop = stop;
  return out;
}

// columns of goals in a table: all that are reachable, or one
py::dict reach_states(const PyRun& self, const std::string& goal, const SettingPairs& pairs) {
  const Reach found = interruptible([&](Stop stop) {
    const ReachSettings chosen = reach_settings(pairs, stop);
    if (goal.empty()) return reach_all(self.agent(), chosen);
    return reach_goal(self.agent(), find_goal(self.run.table(), goal), chosen);
  });
  py::dict out;
  out["exact"] = found.exact;
  out["goal"] = array(found.goals);
  out["success"] = array(found.success);
  out["low"] = array(found.low);
  out["high"] = array(found.high);
  out["best"] = array(found.best);
  return out;
}

// a point in a simulated world
py::dict reach_place(const PyRun& self, const std::string& goal, const SettingPairs& pairs) {
  const Simulator* simulator = simulator_in(self.run.world);
  const PointReach found = interruptible([&](Stop stop) {
    const ReachSettings chosen = reach_settings(pairs, stop);
    require_goal_policy(self.agent());
    const PointGoal point = parse_point_goal(simulator->spec(), goal);
    return reach_point(self.agent(), sample_unconditioned(self.agent(), chosen), point, chosen);
  });
  py::dict out;
  out["success"] = found.success.share;
  out["low"] = found.success.in.low;
  out["high"] = found.success.in.high;
  out["chance"] = found.chance;
  return out;
}

py::dict attempt_goal(const PyRun& self, const std::string& goal, const SettingPairs& pairs) {
  const int state = find_goal(self.run.table(), goal);
  const Attempt made = attempt(self.agent(), state, reach_settings(pairs));
  py::dict out;
  out["states"] = array(made.states);
  out["actions"] = array(made.actions);
  out["reached"] = made.reached;
  return out;
}

}  // namespace

void add_runs(py::module_& module) {
  module.def("load", load);
  py::class_<PyRun>(module, "Run")
      .def_property_readonly("settings", settings)
      .def_property_readonly(
          "world",
          [](const PyRun& self) {
            return PyWorld{self.run.settings.world, {}, self.run.world_text, self.run.world};
          })
      .def_property_readonly("update",
                             [](const PyRun& self) { return self.run.learner->state().update; })
      .def_property_readonly(
          "updates", [](const PyRun& self) { return self.run.learner->settings().all_updates(); })
      .def_property_readonly("skills", skills)
      .def("evaluate", evaluate_run)
      .def("sample", sample)
      .def("policy", policy)
      .def("policy_table", policy_table)
      .def("condition", condition)
      .def("reach_states", reach_states)
      .def("reach_place", reach_place)
      .def("attempt", attempt_goal);
}

}  // namespace vic::python
