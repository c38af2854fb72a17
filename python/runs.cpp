// Trained runs for Python: evaluated, sampled, queried, conditioned on goals.
#include "runs.h"

#include <memory>

#include "cli/export_policy.h"
#include "eval/reach.h"
#include "eval/record.h"
#include "eval/reference.h"
#include "eval/simulator_reach.h"
#include "method/baselines/skills.h"
#include "worlds.h"

namespace vic::python {
namespace {

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
    const Reference reference = find_reference(self.run, {}, {}, stop);
    return result_json(self.run, evaluate(*self.run.learner, eval), reference).dump(2);
  });
}

py::dict to_dict(std::vector<NpzArray> arrays) {
  py::dict out;
  for (NpzArray& one : arrays) {
    const Shape shape(one.shape.begin(), one.shape.end());
    std::visit(
        [&]<class T>(std::vector<T>& values) {
          if constexpr (std::same_as<T, std::string>) {
            out[one.name.c_str()] = values;
          } else {
            out[one.name.c_str()] = array(std::move(values), shape);
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

// the condition under which the policy ends in a state
int condition(const PyRun& self, const std::string& goal) {
  require_goal_policy(self.agent());
  const int state = find_place(self.run.table(), goal);
  return vic::condition_for(self.agent(), state);
}

int skills(const PyRun& self) {
  const bool has = self.agent().algorithm->policy_goal == GoalKind::skill;
  return has ? self.agent().settings.skills : 0;
}

// columns of goals in a table: all reachable ones, or one
py::dict reach_states(const PyRun& self, const std::string& goal, const SettingPairs& pairs) {
  Reach found = interruptible([&](Stop stop) {
    const ReachSettings chosen = read_settings<ReachSettings>("reach", pairs, stop);
    if (goal.empty()) return reach_all(self.agent(), chosen);
    return reach_goal(self.agent(), find_goal(self.run.table(), goal), chosen);
  });
  py::dict out;
  out["exact"] = found.exact;
  out["goal"] = array(std::move(found.goals));
  out["success"] = array(std::move(found.success));
  out["low"] = array(std::move(found.low));
  out["high"] = array(std::move(found.high));
  out["best"] = array(std::move(found.best));
  return out;
}

// a point in a simulated world
py::dict reach_place(const PyRun& self, const std::string& goal, const SettingPairs& pairs) {
  const Simulator* simulator = simulator_in(self.run.world);
  const PointReach found = interruptible([&](Stop stop) {
    const ReachSettings chosen = read_settings<ReachSettings>("reach", pairs, stop);
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
  Attempt made = attempt(self.agent(), state, read_settings<ReachSettings>("reach", pairs));
  py::dict out;
  out["states"] = array(std::move(made.states));
  out["actions"] = array(std::move(made.actions));
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
      .def("policy_table", policy_table)
      .def("condition", condition)
      .def("reach_states", reach_states)
      .def("reach_place", reach_place)
      .def("attempt", attempt_goal);
}

}  // namespace vic::python
