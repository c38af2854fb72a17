// vic as a library: worlds of one's own, exact optima, training, measuring, options sent to goals.
//
// This header is the whole public surface, and needs the standard library alone. It follows
// semantic versioning: within 1.x nothing here is removed or changes its meaning. What is not here
// is private. All information is in nats. Wrong input and failures throw a std::runtime_error whose
// text is one sentence; nothing is printed, and nothing ends the process.
//
// Results are a function of world, settings and seed: the same bytes as the program gives.
// Functions may be called by several threads at once, except those that begin with add_.
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

// Settings as --set takes them: {{"train.updates", "500"}, {"world.noise", "0.2"}}. vic train
// --help lists train.* and run.*, vic exact --help those of exact.*.
using Settings = std::map<std::string, std::string>;

// ---- worlds that are tables

struct Transition {
  int from = 0;    // a state, 0 to S - 1
  int action = 0;  // 0 to A - 1; the termination is not among them, every world has it
  int to = 0;
  double p = 1;
};

struct TableWorld {
  std::string name = {};                  // letters, digits, "-", "_", "."
  int T_max = 0;                          // actions of an option at most, the termination included
  int start = 0;                          // the state in which every option starts
  std::vector<std::string> states = {};   // (S) names
  std::vector<std::string> actions = {};  // (A) names
  std::vector<Transition> transitions = {};  // of a state and action p sums to 1; none: it absorbs
  std::vector<double> reward = {};           // (S) external, paid on entering; empty: none
  std::vector<double> coordinates = {};      // (S, d) row by row; empty: none
};

// Registers the world under its name, which goes wherever a name of a world does. Its settings are
// world.T_max and world.start. Throws where the name is taken or the table contradicts itself.
void add_world(const TableWorld& world);

// ---- worlds that are simulated

struct Actuator {
  std::string name = {};
  std::vector<double> levels = {};  // (L) the controls to choose from; the same L for all actuators
};

// A number of the state whose cells are counted: s_f is the cell in which an option ends.
struct CellAxis {
  std::string name = {};
  std::string unit = {};
  int number = 0;    // which number of the state
  double width = 1;  // of a cell
  int limit = 100;   // cells beyond it, either way, count as the last
};

// A simulator of one's own: five functions. Constant once it is registered; called by several
// threads at once. An option has `length` actions, and an action sets every actuator to a level.
class SimulatedWorld {
 public:
  virtual ~SimulatedWorld() = default;

  virtual std::vector<double> start() const = 0;        // (n) the state every option starts in
  virtual std::vector<Actuator> actuators() const = 0;  // (F)
  virtual std::vector<CellAxis> cells() const = 0;      // (K)
  virtual int length() const = 0;                       // T

  // Moves `state`, (n), on by one action with `controls`, (F). What is random comes from
  // `uniform`, a number in [0, 1) per call; a world that never calls it is deterministic and says
  // so.
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
  std::optional<double> D_max = {};  // the largest control; empty where the tree is too large
  std::optional<double> H_at_D_max = {};  // the coverage of that policy
  std::optional<double> C_open = {};      // the capacity of action sequences chosen in advance
  std::vector<std::string> notes = {};    // why something is empty
};

// Of a world with a table: a registered name, or a file.
Optima exact(const std::string& world, const Settings& settings = {});

// ---- training, measuring, sending

struct Measures {
  bool exact = false;                    // summed over all histories; else sampled
  double H = 0;                          // coverage
  double ci95 = 0;                       // half of the 95 % interval of H; 0 where it is exact
  std::optional<double> D = {}, N = {};  // control and chance, H = D + N
  std::vector<double> p_final =
      {};  // (S) the probability of ending in each state; empty: simulated
};

// An option that was sent to a goal.
struct Attempt {
  std::vector<std::string> states = {};   // by name, the start first
  std::vector<std::string> actions = {};  // one fewer; the termination is not among them
  bool reached = false;
};

// A trained agent in its world. Moves, and is not copied.
class TrainedRun {
 public:
  TrainedRun(TrainedRun&&) noexcept;
  TrainedRun& operator=(TrainedRun&&) noexcept;
  ~TrainedRun();

  long updates() const;  // that it has done, the warm-up included
  Measures measure() const;

  // In a world with a table: the probability that an option sent to the state `goal` ends there,
  // and one such option. The algorithm must have a hindsight policy.
  double success(const std::string& goal) const;
  Attempt send(const std::string& goal, int seed = 1) const;

 private:
  friend TrainedRun load(const std::string& folder);
  struct State;
  explicit TrainedRun(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// An option, as the reward of an algorithm of one's own sees it. The world has a table.
struct OptionView {
  std::span<const int> states;   // (moves + 1) by number, the start first, s_f last
  std::span<const int> actions;  // (moves) by number; the termination is not among them
  double p_final = 0;            // how often options of the last batches ended in s_f
};

// Registers an algorithm that learns its policy by the policy gradient of this reward; it goes
// wherever the name of an algorithm does. The reward is called by the threads that train, and a
// function of the option alone. -log p_final is the algorithm `marginal`.
using Reward = std::function<double(const OptionView& option)>;
void add_algorithm(const std::string& name, const std::string& help, Reward reward);

// Called after every update. Returns whether to go on; false saves the run and ends the training.
using Progress = std::function<bool(long update, long updates, double I_hat)>;

// Trains in a new folder, which holds what vic train writes, and evaluates. Throws where the folder
// has a run. A run that was ended early is continued by resume.
TrainedRun train(const std::string& world, const std::string& folder, const Settings& settings = {},
                 const Progress& progress = {});
TrainedRun resume(const std::string& folder, const Progress& progress = {});

// A run of a folder, as far as it was trained.
TrainedRun load(const std::string& folder);

// ---- the program

// The whole of vic, with the worlds that were added: `return vic::v1::command_line(argc, argv);`.
// Prints, handles signals, and returns the exit code.
int command_line(int argc, const char* const* argv);

}  // namespace vic::v1
