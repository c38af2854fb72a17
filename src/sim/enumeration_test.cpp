#include "sim/enumeration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sim/world.h"

namespace vic {
namespace {

const std::string pendulum_file = VIC_SOURCE_DIR "/examples/pendulum.xml";

SimulatorPtr pendulum(const char* actions) {
  Overrides overrides({{"world.levels", "3", "test"},
                       {"world.frame_skip", "25", "test"},
                       {"world.T", actions, "test"}});
  return load_simulator(pendulum_file, overrides);
}

// the number of sequences that end in each cell, each played from the start
std::map<StateCell, long> count_cells(const Simulator& world) {
  std::map<StateCell, long> cells;
  for (long i = 0; i < static_cast<long>(sequence_count(world.spec())); ++i) {
    ++cells[world.final_cells(sequence_levels(world.spec(), i))[0].cell];
  }
  return cells;
}

TEST(Enumeration, IsAllSequences) {
  const SimulatorPtr world = pendulum("5");
  EXPECT_EQ(sequence_count(world->spec()), 243);
  EXPECT_EQ(history_count(world->spec()), 1 + 3 + 9 + 27 + 81 + 243);
  EXPECT_EQ(sequence_levels(world->spec(), 5), (std::vector{0, 0, 0, 1, 2}));
}

// the table has the same ends as sequences that are played one by one, as often
TEST(Enumeration, MakesATableOfThePendulum) {
  const SimulatorPtr world = pendulum("6");
  const auto cells = count_cells(*world);
  const TabularWorld table = table_of(*world, 1000);
  EXPECT_EQ(table.T_max, 7);
  EXPECT_FALSE(table.may_stop);
  EXPECT_TRUE(table.deterministic());
  ASSERT_EQ(table.final_states().size(), cells.size());
  EXPECT_GT(cells.size(), 4U);
  // the number of paths to each state
  std::vector<long> ways(table.S, 0);
  ways[table.s_0] = 1;
  for (int s = 0; s < table.S; ++s) {
    if (table.absorbing[s]) continue;
    for (int e = table.begin(s); e < table.end(s); ++e) ways[table.next[e]] += ways[s];
  }
  for (const auto& [cell, count] : cells) {
    const int s = table.find_state("place=" + std::to_string(cell[0]) +
                                   ",full_turns=" + std::to_string(cell[1]));
    EXPECT_EQ(ways[s], count);
  }
}

TEST(Enumeration, RefusesWhatIsTooMuch) {
  Overrides none;
  const SimulatorPtr cheetah = load_simulator("half-cheetah", none);
  try {
    table_of(*cheetah, 1e5);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("world.levels"), std::string::npos) << error.what();
  }
  Overrides noisy({{"world.reset_noise", "0.1", "test"},
                   {"world.levels", "2", "test"},
                   {"world.T", "2", "test"}});
  const SimulatorPtr random = load_simulator(pendulum_file, noisy);
  EXPECT_THROW(table_of(*random, 1e5), UsageError);
}

}  // namespace
}  // namespace vic
