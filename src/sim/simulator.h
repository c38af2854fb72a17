// Worlds that are simulated: what a simulator promises.
//
// A Simulator is immutable once built and may be shared by threads. What changes belongs to the
// caller: Episodes, which take actions, and a Viewer, which looks at single states. Every option
// takes T actions, no more and no less, and starts in the same state. A state is n numbers; an
// action sets each of F actuators to one of L levels.
//
// A simulator of one's own is a class with a specification and make_episodes(); the rest has
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
#include "sim/coordinate.h"

namespace vic {

struct Behaviour;

// An option that could not be simulated to its end. The sentence names the world, the action, and
// the state and controls that led to it.
class SimulationError : public Error {
 public:
  using Error::Error;
};

struct Actuator {
  std::string name;
  std::vector<double> controls;  // (L) what a level sets it to
};

// What there is to know of a simulated world before anything is simulated.
struct SimulatorSpec {
  std::string name;
  std::vector<std::string> state_names;  // (n)
  std::vector<double> start;             // (n)
  std::vector<Actuator> actuators;       // (F)
  int T = 0;                             // actions of an option
  double seconds = 1;                    // of an action
  bool deterministic = true;             // whether the actions decide what follows

  std::vector<Coordinate> coordinates;  // (K) what cells are made of

  // What represents s_f to the hindsight models: these numbers of the state, or else its cell.
  std::optional<std::vector<int>> goal = {};

  int observations = 0;  // numbers that a viewer adds to those of the state
  bool ground = false;   // there is ground at z = 0, and heights mean something

  // Further facts for people: what it is called, what it is ("mass", "14 kg").
  std::vector<std::pair<std::string, std::string>> facts = {};

  int n() const { return static_cast<int>(start.size()); }
  int F() const { return static_cast<int>(actuators.size()); }
  int L() const { return static_cast<int>(actuators[0].controls.size()); }
  int K() const { return static_cast<int>(coordinates.size()); }
  double option_seconds() const { return T * seconds; }

  // The coordinate that counts turns, -1 for none.
  int rotation() const;
};

// Where the chance of a batch of episodes lives: that of episode b is at .row = b of
// base/random.h's addresses, apart from those at which actions are drawn.
struct EpisodeSeed {
  EpisodeSeed() = default;
  EpisodeSeed(std::uint64_t actions_seed, std::uint32_t update_)
      : seed(actions_seed + (std::uint64_t{1} << 48)), update(update_) {}

  std::uint64_t seed = 0;
  std::uint32_t update = 0;
};

// B episodes that take their steps together.
class Episodes {
 public:
  explicit Episodes(int B) : B_(B) {}
  virtual ~Episodes() = default;

  int B() const { return B_; }

  // All back to the start. A simulator that is not deterministic draws by `seed`.
  virtual void reset(const EpisodeSeed& seed) = 0;
  void reset() { reset(EpisodeSeed{}); }

  // An action for each, (B, F) levels from 0 to L - 1. Throws a UsageError for levels that do not
  // exist and after the T-th action, a SimulationError where an episode cannot go on: that of the
  // first, once all have stepped; those that failed are as they were before.
  virtual void step(std::span<const int> levels) = 0;

  // (n) until the next call that changes episodes.
  virtual std::span<const double> state(int b) const = 0;

  // Snapshots, where there are any: the numbers of an episode that decide all that follows. Any
  // episode of the simulator goes on from one with the same bits.
  virtual int snapshot_size() const { return 0; }  // 0: there are none
  virtual void save(int b, std::span<double> snapshot) const;
  virtual void restore(int b, std::span<const double> snapshot);

 private:
  int B_;
};

// A part as seen from the side: all points within r of the line between two points.
struct Capsule {
  double x1 = 0, z1 = 0, x2 = 0, z2 = 0, r = 0;  // metres
  int limb = 0;  // 0 for the trunk, then 1, 2, … for each part that hangs on it; -1: fixed
};

// Where films draw the whole of it, and how far it has turned forward, without wrapping.
struct Posture {
  double x = 0, z = 0;  // metres
  double pitch = 0;     // radians
};

// Turns from one posture to another; positive is forward.
double turns_between(const Posture& from, const Posture& to);

// Looks at single states. Each caller has its own.
class Viewer {
 public:
  virtual ~Viewer() = default;

  virtual void put(std::span<const double> state) = 0;  // (n)

  // About the state that it was put into last, at first the start.
  virtual void displacement(std::span<double> out) = 0;  // (K) coordinates from the start
  virtual void observe(std::span<double> /*out*/) {}     // (observations)
  virtual Posture posture() = 0;
  virtual std::vector<Capsule> parts() = 0;  // as many, and of the same sizes, in every state
};

class Simulator {
 public:
  // Throws an Error for a specification that contradicts itself.
  explicit Simulator(SimulatorSpec spec);
  virtual ~Simulator() = default;
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  const SimulatorSpec& spec() const { return spec_; }

  // B episodes at the start, stepped by as many threads at most; the same bytes for any number of
  // them. The simulator must outlive what it makes.
  virtual std::unique_ptr<Episodes> make_episodes(int B, int threads) const = 0;

  // By default the coordinates are numbers of the state, and films show a disc that moves along
  // the first two of them.
  virtual std::unique_ptr<Viewer> make_viewer() const;

  // Names what was measured of an option: sets name, kind, kind_name and caption. By default the
  // coordinate in which it went farthest, counted in cells.
  virtual void describe(Behaviour& behaviour) const;

  // The text of the file that the simulator was made from, for a run to keep; empty where it was
  // made from none. Throws a UsageError where one file is not enough.
  virtual std::string model_text() const { return ""; }

 private:
  SimulatorSpec spec_;
};

// The coordinates of a state from the start, (K).
Displacement displacement_of(const Simulator& simulator, Viewer& viewer,
                             std::span<const double> state);

}  // namespace vic
