#include "world/episode.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/named_world.h"

namespace vic {
namespace {

TEST(Episode, CountsActionsAndForcesTheLastOne) {
  const TabularWorld line = world_named("line");
  Episode episode(line);
  for (int moves = 0; moves < 4; ++moves) {
    EXPECT_FALSE(episode.forced());
    episode.step(/*right*/ 1, 0.5);
  }
  EXPECT_EQ(line.state_names[episode.state()], "4");
  EXPECT_TRUE(episode.forced());
  EXPECT_THROW(episode.step(0, 0.5), UsageError);
  episode.step(line.A, 0);
  EXPECT_TRUE(episode.done());
  EXPECT_EQ(episode.actions_taken(), line.T_max);
  EXPECT_THROW(episode.step(line.A, 0), UsageError);
}

TEST(Episode, ChoosesOutcomesByTheGivenNumber) {
  const TabularWorld line = world_named("line-noisy");
  // outcomes are sorted by state: moving right goes left with 0.3, right with 0.7
  for (const auto& [u, end] :
       {std::pair{0.0, "-1"}, {0.299, "-1"}, {0.301, "1"}, {0.999999, "1"}}) {
    Episode episode(line);
    episode.step(/*right*/ 1, u);
    EXPECT_EQ(line.state_names[episode.state()], end) << u;
  }
}

TEST(Episode, EndsInRoomsAndCollectsTheirReward) {
  const TabularWorld rooms = world_named("rooms-35");
  Episode episode(rooms);
  // right, right and up into the room at (2,5): outcomes are sorted by state, so that an upward
  // success comes first and a rightward one last
  episode.step(2, 0.99);
  episode.step(2, 0.99);
  episode.step(0, 0.0);
  EXPECT_EQ(rooms.state_names[episode.state()], "2,5");
  EXPECT_TRUE(episode.forced());
  EXPECT_NEAR(episode.external_reward(), 1 - 3 * 0.1, 1e-12);
  EXPECT_THROW(episode.step(7, 0), UsageError);
}

}  // namespace
}  // namespace vic
