// Options executed elsewhere: an agent in Python draws an action, moves, and reports the next
// state.
#include <algorithm>

#include "eval/reach.h"
#include "runs.h"

namespace vic::python {
namespace {

// One option in progress: the policy after the history so far. A move costs one step of the nets.
class Execution {
 public:
  // From a state, conditioned on a goal or a skill unless that is -1.
  Execution(const PyRun& run, int start, int condition, double temperature)
      : world_(run.run.table()),
        agent_(run.agent()),
        actor_(actor_of(agent_, condition)),
        temperature_(temperature) {
    require_state(start);
    if (agent_.settings.starts == Starts::one && start != world_.s_0) {
      fail_usage("The options of {} begin in {}; train with starts=\"all\" for others.", run.folder,
                 world_.state_names[world_.s_0]);
    }
    batch_.options = 1;
    batch_.codes = agent_.codes;
    batch_.goal.push_back(condition);
    batch_.histories.begin(start);
    query();
  }

  // (A + 1) the probabilities of the next action.
  py::array p() const { return array(std::vector<double>(p_)); }

  // The next action that u in [0, 1) picks; A terminates.
  int draw(double u) const { return pick_index(p_, u); }

  // Records that an action was taken and led to a state.
  void move(int action, int state) {
    const int row = batch_.histories.rows() - 1;
    require_state(state);
    require_transition(batch_.histories.state[row], action, state);
    if (row + 1 >= world_.T_max) {
      fail_usage("An option in {} has at most {} actions, the termination included.", world_.name,
                 world_.T_max);
    }
    batch_.histories.add(row, action, state);
    batch_.histories.close_level();
    query();
  }

 private:
  // the goal policy if a goal is given, else pi_p, which may have skills
  static Actor actor_of(const Agent& agent, int condition) {
    const bool sent = agent.algorithm->policy_goal == GoalKind::none && condition >= 0;
    return sent ? require_goal_policy(agent) : policy_of(agent);
  }

  void require_state(int state) const {
    if (state >= 0 && state < world_.S) return;
    fail_usage("There is no state {}; {} has those from 0 to {}.", state, world_.name,
               world_.S - 1);
  }

  void require_transition(int s, int a, int to) const {
    if (a < 0 || a >= world_.A) {
      fail_usage("There is no move {}; {} has those from 0 to {}.", a, world_.name, world_.A - 1);
    }
    const auto begin = world_.next.begin() + world_.begin(s, a);
    const auto end = world_.next.begin() + world_.end(s, a);
    if (!std::binary_search(begin, end, to)) {
      fail_usage("The move {} does not lead from {} to {}.", world_.move_names[a],
                 world_.state_names[s], world_.state_names[to]);
    }
  }

  // queries the policy for the last row, as a sampler does level by level
  void query() {
    const Histories& chain = batch_.histories;
    const int row = chain.rows() - 1;
    batch_.inputs.append(chain, row, agent_.encoding, *agent_.codes);
    batch_.forced.push_back(row + 1 >= world_.T_max || world_.absorbing[chain.state[row]]);
    p_.assign(static_cast<std::size_t>(world_.A) + 1, 0);
    if (batch_.forced[row]) {
      p_.back() = 1;
      return;
    }
    Queries queries;
    std::vector<int> query_of;
    batch_.append_queries(queries, query_of, row, row + 1);
    batch_.decided_levels = row + 1;
    const float* pi = actor_.action_probabilities(work_, batch_, row, queries).row(0);
    std::copy_n(pi, p_.size(), p_.begin());
    temper(p_, temperature_);
  }

  const TabularWorld& world_;
  const Agent& agent_;
  Actor actor_;
  double temperature_;
  Batch batch_;  // one option: a chain of rows
  ActorWorkspace work_;
  std::vector<double> p_;  // (A + 1)
};

}  // namespace

void add_executions(py::module_& module) {
  py::class_<Execution>(module, "Execution")
      .def(py::init<const PyRun&, int, int, double>(), py::keep_alive<1, 2>())
      .def_property_readonly("p", &Execution::p)
      .def("draw", &Execution::draw)
      .def("move", &Execution::move);
}

}  // namespace vic::python
