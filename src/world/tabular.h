// Tabular worlds: finitely many states and actions, every transition probability known.
//
// A world is immutable once built; an Episode holds the state of an agent in it.
// Besides its A moves every world has the termination action, number A, which ends the option in
// the present state. An option takes at most T_max actions, the termination included; in an
// absorbing state, and at the T_max-th action, termination is the only action left. In a world
// whose options may not stop it is available nowhere else.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vic {

// A state's place in a picture made of characters.
struct Cell {
  int row = 0;
  int column = 0;
};

// A world's picture on a terminal: lines of text, and the cell of each state. Empty: no picture.
struct Picture {
  std::vector<std::string> lines;
  std::vector<Cell> cells;  // (S)

  bool empty() const { return lines.empty(); }
};

struct TabularWorld {
  std::string name;
  int S = 0;                // states
  int A = 0;                // moves; the termination action is number A
  int T_max = 0;            // actions in an option at most, the termination included
  bool may_stop = true;     // whether an option may terminate where it need not
  int s_0 = 0;              // where every option starts
  std::vector<int> starts;  // the states a user may choose s_0 from by name, s_0 among them

  std::vector<std::string> state_names;  // (S)
  std::vector<std::string> move_names;   // (A)

  // Outcomes of move a in state s are the entries [first[s * A + a], first[s * A + a + 1]) of next
  // and p: distinct successors in rising order, with positive probabilities; none in absorbing s.
  std::vector<int> first;  // (S * A + 1)
  std::vector<int> next;   // (E)
  std::vector<double> p;   // (E)

  std::vector<char> absorbing;       // (S) only termination is left
  bool has_reward = false;           // whether the world pays an external reward at all
  double step_reward = 0;            // paid for every move
  std::vector<double> enter_reward;  // (S) paid when a move changes the state to this one
  int d = 0;                         // dimension of the coordinates, 0 for a world without
  std::vector<double> coordinates;   // (S, d)
  Picture picture;

  // The entries of next and p that belong to state s, all moves together.
  int begin(int s) const { return first[s * A]; }
  int end(int s) const { return begin(s + 1); }
  // Those of one move.
  int begin(int s, int a) const { return first[s * A + a]; }
  int end(int s, int a) const { return first[s * A + a + 1]; }

  // The external reward of a move from s that ends in s_next.
  double reward(int s, int s_next) const {
    return step_reward + (s_next == s ? 0 : enter_reward[s_next]);
  }

  // The entry of next and p that `u` in [0, 1) chooses among the outcomes of move a in state s.
  int draw(int s, int a, double u) const;

  // Whether termination is the only action left in state s after t moves.
  bool forced(int t, int s) const { return t + 1 >= T_max || absorbing[s]; }

  // Whether every move has one outcome only.
  bool deterministic() const;

  // The states in which an option can end, in rising order.
  std::vector<int> final_states() const;

  // Whether each state can be entered in at most `moves` moves, from s_0 or from any of `from`.
  std::vector<char> reachable_in(int moves) const { return reachable_in(moves, {s_0}); }  // (S)
  std::vector<char> reachable_in(int moves, std::vector<int> from) const;                 // (S)

  // The state with this name, with or without its spaces and enclosing parentheses, so that
  // "(4, 4)" finds "4,4"; empty where there is none.
  std::optional<int> state_named(std::string_view text) const;

  // The same; throws a UsageError that shows what names look like where there is none.
  int find_state(std::string_view text) const;
};

// The same world with its options starting in the state of this name.
TabularWorld started_at(TabularWorld world, std::string_view state);
TabularWorld started_at(TabularWorld world, int s_0);

// An outcome of move a in state s, as given to the builder: any order, repeated successors allowed.
struct Outcome {
  int next = 0;
  double p = 0;
};

// Collects the parts of a world; build() checks every invariant of a world.
class WorldBuilder {
 public:
  WorldBuilder(std::string name, std::vector<std::string> move_names, int T_max);

  // Adds a state and returns its number. Coordinates must have the same length for all states.
  int add_state(std::string name, std::vector<double> coordinates);

  void set_outcomes(int s, int move, std::span<const Outcome> outcomes);
  void set_absorbing(int s) { world_.absorbing[s] = true; }
  void set_step_reward(double reward);
  void set_enter_reward(int s, double reward);
  void set_picture(Picture picture) { world_.picture = std::move(picture); }
  void add_start(int s) { world_.starts.push_back(s); }

  // The finished world, starting in `s_0`. Throws a UsageError where a move's probabilities do not
  // sum to 1, or a number is not finite or out of range.
  TabularWorld build(int s_0);

 private:
  // the outcomes of a state and move are [begin, end) of outcomes_: one block of memory, because
  // separate blocks would take more than their contents
  struct Part {
    std::size_t begin = 0, end = 0;
  };

  TabularWorld world_;
  std::vector<Part> parts_;        // (S * A)
  std::vector<Outcome> outcomes_;  // in the order they were set
};

// Sizes above these are refused with an error before memory runs out.
inline constexpr long largest_state_count = 1L << 21;
inline constexpr long largest_transition_count = 1L << 25;

// Throws a UsageError where a world of this many states, moves and outcomes per move is too large.
void check_size(std::string_view what, double states, double moves, double outcomes);

}  // namespace vic
