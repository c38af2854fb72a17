// vic as a library: your own worlds, exact optima, training, evaluation, options conditioned on
// goals.
//
// This header is the whole public interface, and needs only the standard library. It follows
// semantic versioning: within 1.x nothing here is removed or changes its meaning. Everything else
// is private. All information is in nats. Wrong input and failures throw a std::runtime_error whose
// text is one sentence; nothing is printed, and nothing ends the process.
//
// Results are a function of world, settings and seed, and have the same bytes as those of the
// program. Functions may be called by several threads at once, except those that begin with add_.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vic::v1 {

// The version of the library, "1.0.0".
std::string version();

// Settings as for --set: {{"train.updates", "500"}, {"world.noise", "0.2"}}. vic train --help lists
// train.* and run.*, vic exact --help lists exact.*.
using Settings = std::map<std::string, std::string>;

// ---- worlds that are tables

struct Transition {
  int from = 0;    // a state, 0 to S - 1
  int action = 0;  // 0 to A - 1, without the termination, which every world has
  int to = 0;
  double p = 1;
};

struct TableWorld {
  std::string name = {};                  // letters, digits, "-", "_", "."
  int T_max = 0;                          // actions of an option at most, the termination included
  int start = 0;                          // the state in which every option starts
  std::vector<std::string> states = {};   // (S) names
  std::vector<std::string> actions = {};  // (A) names
  std::vector<Transition> transitions = {};  // p of a state and action sums to 1; none: absorbing
  std::vector<double> reward = {};           // (S) external, paid on entering; empty: none
  std::vector<double> coordinates = {};      // (S, d) row by row; empty: none
};

// Registers the world under its name, which is valid wherever the name of a world is. Its settings
// are world.T_max and world.start. Throws if the name is taken or the table contradicts itself.
void add_world(const TableWorld& world);

// ---- worlds that are simulated

struct Actuator {
  std::string name = {};
  std::vector<double> levels = {};  // (L) the controls to choose from; the same L for all actuators
};

// A number of the state that is counted in cells: s_f is the cell in which an option ends.
struct CellAxis {
  std::string name = {};
  std::string unit = {};
  int number = 0;    // index of the number in the state
  double width = 1;  // of a cell
  int limit = 100;   // cells beyond it, either way, count as the last
};

// A custom simulator, in five functions. Constant once it is registered; called by several threads
// at once. An option has `length` actions, and an action sets every actuator to a level.
class SimulatedWorld {
 public:
  virtual ~SimulatedWorld() = default;

  virtual std::vector<double> start() const = 0;        // (n) the state every option starts in
  virtual std::vector<Actuator> actuators() const = 0;  // (F)
  virtual std::vector<CellAxis> cells() const = 0;      // (K)
  virtual int length() const = 0;                       // T

  // Advances `state`, (n), by one action with `controls`, (F). Randomness comes from `uniform`, a
  // number in [0, 1) per call, which throws a std::runtime_error if `deterministic` is true.
  virtual void step(std::span<double> state, std::span<const double> controls,
                    const std::function<double()>& uniform) const = 0;
  virtual bool deterministic() const { return true; }
};

void add_world(const std::string& name, const std::string& summary,
               std::shared_ptr<const SimulatedWorld> world);

// ---- what is possible

struct Optima {
  int states_reachable = 0;          // states in which an option can end
  double H_max = 0;                  // the largest coverage H(s_f) of any policy
  double H_max_gap = 0;              // its certificate: no policy has more than H_max + H_max_gap
  std::optional<double> D_max = {};  // the largest control; empty if the tree is too large
  std::optional<double> H_at_D_max = {};  // the coverage of that policy
  std::optional<double> C_open = {};      // the capacity of action sequences chosen in advance
  std::vector<std::string> notes = {};    // why something is empty
};

// The optima of a tabular world: a registered name, or a file.
Optima exact(const std::string& world, const Settings& settings = {});

// ---- training, evaluation, goals

struct Measures {
  bool exact = false;                    // summed over all histories, or else sampled
  double H = 0;                          // coverage
  double ci95 = 0;                       // half of the 95 % interval of H; 0 if it is exact
  std::optional<double> D = {}, N = {};  // control and chance, H = D + N
  std::vector<double> p_final =
      {};  // (S) the probability of ending in each state; empty: simulated
};

// An option that was conditioned on a goal.
struct Attempt {
  std::vector<std::string> states = {};   // by name, the start first
  std::vector<std::string> actions = {};  // one fewer, without the termination
  bool reached = false;
};

// A trained agent in its world. Movable, not copyable.
class TrainedRun {
 public:
  TrainedRun(TrainedRun&&) noexcept;
  TrainedRun& operator=(TrainedRun&&) noexcept;
  ~TrainedRun();

  long updates() const;  // number done so far, the warm-up included
  Measures measure() const;

  // In a tabular world: the probability that an option conditioned on the state `goal` ends there,
  // and one such option. The algorithm must have a hindsight policy.
  double success(const std::string& goal) const;
  Attempt send(const std::string& goal, int seed = 1) const;

 private:
  friend TrainedRun load(const std::string& folder);
  struct State;
  explicit TrainedRun(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// An option as seen by a custom reward. The world is a table.
struct OptionView {
  std::span<const int> states;   // (moves + 1) by number, the start first, s_f last
  std::span<const int> actions;  // (moves) by number, without the termination
  double p_final = 0;            // share of the options of recent batches that ended in s_f
};

// Registers an algorithm that learns its policy by the policy gradient of this reward; its name is
// valid wherever the name of an algorithm is. The reward is called by the threads that train, and
// must be a function of the option alone. -log p_final is the algorithm `marginal`.
using Reward = std::function<double(const OptionView& option)>;
void add_algorithm(const std::string& name, const std::string& help, Reward reward);

// Called after every update. Returns whether to continue; false saves the run and ends the
// training.
using Progress = std::function<bool(long update, long updates, double I_hat)>;

// Trains in a new folder, with the files that vic train writes, and evaluates. Throws if the folder
// has a run. A run that was ended early is continued by resume.
TrainedRun train(const std::string& world, const std::string& folder, const Settings& settings = {},
                 const Progress& progress = {});
TrainedRun resume(const std::string& folder, const Progress& progress = {});

// The run in a folder, as far as it was trained.
TrainedRun load(const std::string& folder);

// ---- the program

// The whole of vic, with the worlds that were added: `return vic::v1::command_line(argc, argv);`.
// Prints, handles signals, and returns the exit code.
int command_line(int argc, const char* const* argv);

}  // namespace vic::v1
