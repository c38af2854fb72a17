// Simulated worlds: the interface of simulators.
//
// A Simulator is immutable once built and may be shared by threads. Mutable state belongs to the
// caller: Episodes, which take actions, and a Viewer, which measures single states. Every option
// takes T actions, or fewer where it falls, and starts in the same state. A state is n numbers; an
// action sets each of F actuators to one of L levels.
//
// To add a simulator, derive a class with a specification and make_episodes(); the rest has
// defaults. docs/physics.md has an example.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "sim/coordinate.h"

namespace vic {

// An option that could not be simulated to its end. Names world, action, state and controls.
class SimulationError : public Error {
 public:
  using Error::Error;
};

struct Actuator {
  std::string name;
  std::vector<double> controls;  // (L) the control of each level
};

// The view of films: along y, from above, or from above at a slant.
enum class FilmView { side, top, slanted };

// The fixed properties of a simulated world.
struct SimulatorSpec {
  std::string name;
  std::vector<std::string> state_names;  // (n)
  std::vector<double> start;             // (n)
  std::vector<Actuator> actuators;       // (F)
  int T = 0;                             // actions of an option
  double seconds = 1;                    // of an action
  bool deterministic = true;             // whether the actions decide all that follows
  bool together = false;                 // a step of many episodes costs little more than of one

  std::vector<Coordinate> coordinates;  // (K) those of the cells

  // Options may end before their T actions, where a posture has fallen: the last coordinate is then
  // 1, and the others 0.
  bool falls = false;

  // How s_f is represented to the hindsight models: by these numbers of the state, or by its cell.
  std::optional<std::vector<int>> goal = {};

  // The numbers of the state that histories show, in order; empty: all of them.
  std::vector<int> observed = {};
  int observations = 0;  // numbers that a viewer adds to those of the state
  bool ground = false;   // there is ground at z = 0, and heights are meaningful
  FilmView view = FilmView::side;

  // Further facts for people: name and value ("mass", "14 kg").
  std::vector<std::pair<std::string, std::string>> facts = {};

  int n() const { return static_cast<int>(start.size()); }
  int F() const { return static_cast<int>(actuators.size()); }
  int L() const { return static_cast<int>(actuators[0].controls.size()); }
  int K() const { return static_cast<int>(coordinates.size()); }
  double option_seconds() const { return T * seconds; }

  // The coordinate that counts turns, -1 for none.
  int rotation() const;
};

// B episodes that take their steps together. Each is its snapshot, which decides all that follows:
// the number of actions taken, the state, and further numbers of the simulator.
class Episodes {
 public:
  // All at the start, stepped by at most `threads` threads. `more` numbers of a snapshot follow the
  // state, zeros at the start. The specification must outlive this.
  Episodes(const SimulatorSpec& spec, int B, int threads, int more = 0);
  virtual ~Episodes() = default;

  int B() const { return B_; }
  int actions_taken(int b) const { return static_cast<int>(snapshots_[at(b)]); }

  // Moves all back to where options begin. A simulator that is not deterministic draws for episode
  // b at .row = first + b of base/random.h's addresses, away from those of actions by the same seed
  // and update.
  void reset(std::uint64_t seed = 0, std::uint32_t update = 0, std::uint32_t first = 0);

  // Takes an action in each, (B, F) levels from 0 to L - 1. Throws a UsageError for levels that do
  // not exist and after the T-th action. Throws the first episode's SimulationError where some
  // cannot go on, once all have stepped; the failed ones are as they were before.
  void step(std::span<const int> levels);

  // The same with controls, (B, F), anywhere within the ranges of the actuators. Throws a
  // UsageError where the simulator steps all episodes together, which takes levels.
  void step_controls(std::span<const double> controls);

  // (n), valid until the next call that changes episodes.
  std::span<const double> state(int b) const {
    return std::span(snapshots_).subspan(at(b) + 1, static_cast<std::size_t>(spec_->n()));
  }

  // (1 + n + more), for reading and writing. Any episode continues from it with the same bits.
  std::span<double> snapshot(int b) { return std::span(snapshots_).subspan(at(b), size_); }

 protected:
  // The number of threads that step the episodes: `worker` below is one of them.
  int workers() const { return workers_; }

  // Moves a snapshot from the start to where its option begins, where that is random: called by
  // reset, but not by the constructor. Random numbers are drawn at `noise`, as below.
  virtual void begin(std::span<double> /*snapshot*/, const RandomAddress& /*noise*/) {}

  // Advances a snapshot by one action, the controls of the actuators, (F), except for its count of
  // actions. Called by all workers concurrently. Random numbers are drawn at `noise`, whose .draw
  // is free for the simulator. Throws a SimulationError where the episode cannot go on.
  virtual void advance(int worker, std::span<double> snapshot, std::span<const double> controls,
                       const RandomAddress& noise) = 0;

  // The same for all episodes; `noise` is that of the first. A simulator that steps them together
  // overrides these, and counts their actions.
  virtual void begin_all(RandomAddress noise);
  virtual void advance_all(std::span<const int> levels);  // (B, F), all of them valid

 private:
  std::size_t at(int b) const { return static_cast<std::size_t>(b) * size_; }
  void put_at_start();
  void step_one(int worker, int b, std::span<const double> controls);

  const SimulatorSpec* spec_;
  int B_, workers_;
  std::size_t size_;
  RandomAddress noise_;            // the address of the first episode, except for the step
  std::vector<double> snapshots_;  // (B, size)
};

// A part: all points within r of the line segment between two points.
struct Capsule {
  double x1 = 0, z1 = 0, x2 = 0, z2 = 0, r = 0;  // metres
  int limb = 0;           // 0 for the trunk, then 1, 2, … for each limb attached to it; -1: fixed
  double y1 = 0, y2 = 0;  // 0 where nothing moves along y
};

// The position for films, and the angle turned forward, without wrapping.
struct Posture {
  double x = 0, z = 0;  // metres
  double pitch = 0;     // radians
  double y = 0;         // metres
  double up = 1;        // the height of the tip of an arrow of length 1 that points up at the start
  bool fallen = false;  // the option ends here: no action has an effect
};

// Turns from one posture to another; positive is forward.
double turns_between(const Posture& from, const Posture& to);

// The number in whole thousandths, as in files of films; at most 1e12, where a simulation explodes.
long thousandths(double number);

// Measures single states. Each caller needs its own.
class Viewer {
 public:
  virtual ~Viewer() = default;

  virtual void put(std::span<const double> state) = 0;  // (n)

  // About the last state that was put, at first the start.
  virtual void displacement(std::span<double> out) = 0;  // (K) coordinates from the start
  virtual void observe(std::span<double> /*out*/) {}     // (observations)
  virtual Posture posture() = 0;
  virtual std::vector<Capsule> parts() = 0;  // the same number and sizes in every state
};

// What an option did: how far it went, how high, how often it turned over (docs/physics.md).
struct Behaviour {
  Displacement displacement = {};  // (K) from the start to the end
  double height = 0;               // metres: the largest z of the posture on the way
  int flips = 0;                   // full turns, signed: at least k - 0.1 turns are k
  StateCell cell = {};             // (K)
  Posture end = {};                // the last posture, x and y from the first

  // set by Simulator::describe
  std::string name = {};       // "2 backflips", "runs forward", "stays", …
  int kind = 0;                // behaviours of a kind share a colour
  std::string kind_name = {};  // "2 or more backflips"
  std::string caption = {};    // "−3.20 m forward, −2.03 turns, up to 1.34 m high"
};

// A cell in which options may end, with its probability.
struct CellShare {
  StateCell cell = {};  // (K) by the bins of evaluations
  double p = 0;
};

class Simulator {
 public:
  // Throws an Error for a specification that contradicts itself.
  explicit Simulator(SimulatorSpec spec);
  virtual ~Simulator() = default;
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  const SimulatorSpec& spec() const { return spec_; }

  // B episodes at the start, stepped by at most `threads` threads; the same bytes for any number of
  // threads. The simulator must outlive them.
  virtual std::unique_ptr<Episodes> make_episodes(int B, int threads) const = 0;

  // By default coordinates are numbers of the state, and films show a disc in the first two.
  virtual std::unique_ptr<Viewer> make_viewer() const;

  // Names a measured behaviour: sets name, kind, kind_name and caption. By default, the coordinate
  // in which it went farthest, counted in cells.
  virtual void describe(Behaviour& behaviour) const;

  // The text of the file that the simulator was made from, for a run to keep; empty where there was
  // none. Throws a UsageError where one file is not enough.
  virtual std::string model_text() const { return ""; }

  // Where an option that takes these actions, (T, F) levels, ends: distinct cells. By default a
  // deterministic world is simulated, and any other throws a UsageError.
  virtual std::vector<CellShare> final_cells(std::span<const int> levels) const;

  // The capacity, in nats, of the channel from controls that are chosen in advance, with at most
  // the power of the actuators' largest ones, to the coordinates at the end; empty where it has no
  // closed form.
  virtual std::optional<double> power_capacity() const { return std::nullopt; }

 private:
  SimulatorSpec spec_;
};

// A simulator whose next state is a function of the state, the controls and the noise alone.
class StepSimulator : public Simulator {
 public:
  using Simulator::Simulator;

  // Advances `state`, (n), by one action, as Episodes::advance does with a snapshot.
  virtual void step(std::span<double> state, std::span<const double> controls,
                    const RandomAddress& noise) const = 0;

  std::unique_ptr<Episodes> make_episodes(int B, int threads) const override;
};

// The coordinates of a state relative to the start, (K).
Displacement displacement_of(const Simulator& simulator, Viewer& viewer,
                             std::span<const double> state);

// The behaviour of an option with these states, (steps, n), the start first, seen by the viewer.
Behaviour behaviour_of(const Simulator& simulator, Viewer& viewer, std::span<const double> states);

}  // namespace vic
