// Episodes: the same bits again, after a restore, and on any number of threads.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <thread>

#include "base/random.h"
#include "support/cheetah.h"
#include "support/one_episode.h"

namespace vic {
namespace {

// random levels of episode b at step t, (F)
std::vector<int> random_levels(const MujocoModel& world, std::uint32_t b, std::uint32_t t) {
  std::vector<int> levels;
  for (int i = 0; i < world.spec.F(); ++i) {
    levels.push_back(static_cast<int>(
        world.spec.L() *
        uniform({.seed = 7, .row = b, .step = t, .draw = static_cast<std::uint32_t>(i)})));
  }
  return levels;
}

// all states of one random option, (T + 1, n)
std::vector<double> random_option(OneEpisode& episode, const MujocoModel& world, std::uint32_t b) {
  std::vector<double> states(static_cast<std::size_t>(world.spec.n()) * (world.spec.T + 1));
  episode.reset();
  for (int t = 0; t <= world.spec.T; ++t) {
    episode.state(std::span(states).subspan(t * world.spec.n(), world.spec.n()));
    if (t < world.spec.T) episode.step(random_levels(world, b, t));
  }
  return states;
}

TEST(MujocoEpisode, StartsTheSameAndStaysTheSame) {
  const MujocoModel world = cheetah_model();
  OneEpisode one(world), other(world);
  const auto states = random_option(one, world, 0);
  EXPECT_EQ(std::vector(states.begin(), states.begin() + world.spec.n()), world.spec.start);
  EXPECT_TRUE(one.done());
  // after another option, and in another episode
  random_option(one, world, 1);
  EXPECT_EQ(random_option(one, world, 0), states);
  EXPECT_EQ(random_option(other, world, 0), states);
  EXPECT_NE(random_option(other, world, 1), states);
}

TEST(MujocoEpisodes, BeginWithNoiseWhereItIsSet) {
  Overrides overrides({{"world.reset_noise", "0.1", "test"}});
  const auto world = load_mujoco_world("half-cheetah", overrides);
  const SimulatorSpec& spec = world->spec();
  EXPECT_FALSE(spec.deterministic);
  constexpr int B = 400;
  const auto episodes = world->make_episodes(B, 1), other = world->make_episodes(B, 2);
  episodes->reset(3, 4);
  other->reset(3, 4);
  double largest = 0, square = 0;
  for (int b = 0; b < B; ++b) {
    const auto state = episodes->state(b), again = other->state(b);
    EXPECT_TRUE(std::equal(state.begin(), state.end(), again.begin())) << "the same seed";
    for (int i = 0; i < 9; ++i) largest = std::max(largest, std::abs(state[i] - spec.start[i]));
    for (int i = 9; i < 18; ++i) square += state[i] * state[i] / (9 * B);
  }
  EXPECT_LE(largest, 0.1);
  EXPECT_GT(largest, 0.099);
  EXPECT_NEAR(std::sqrt(square), 0.1, 0.005);
  other->reset(3, 5);
  EXPECT_NE(other->state(0)[0], episodes->state(0)[0]);
  EXPECT_NE(episodes->state(1)[0], episodes->state(0)[0]);
}

TEST(MujocoEpisode, IsMuJoCoAndNothingElse) {
  const MujocoModel world = cheetah_model();
  OneEpisode episode(world);
  const auto states = random_option(episode, world, 3);
  const mjModel* m = world.model.get();
  mjData* d = mj_makeData(m);
  for (int t = 0; t < world.spec.T; ++t) {
    const auto levels = random_levels(world, 3, t);
    for (int i = 0; i < world.spec.F(); ++i) d->ctrl[i] = -1 + 0.5 * levels[i];
    for (int k = 0; k < 5; ++k) mj_step(m, d);
    for (int j = 0; j < 9; ++j) {
      ASSERT_EQ(d->qpos[j], states[(t + 1) * world.spec.n() + j]) << t;
      ASSERT_EQ(d->qvel[j], states[(t + 1) * world.spec.n() + 9 + j]) << t;
    }
  }
  EXPECT_NEAR(d->time, world.spec.T * world.settings.frame_skip * world.model->opt.timestep, 1e-9);
  mj_deleteData(d);
}

TEST(MujocoEpisode, GoesOnFromASnapshotWithTheSameBits) {
  const MujocoModel world = cheetah_model();
  OneEpisode episode(world), other(world);
  const auto states = random_option(episode, world, 5);
  episode.reset();
  std::vector<double> snapshot(snapshot_size(world)), state(world.spec.n());
  int in_contact = 0;
  for (int t = 0; t < world.spec.T; ++t) {
    episode.save(snapshot);
    // another episode, which was elsewhere, takes the step
    other.restore(snapshot);
    EXPECT_EQ(other.actions_taken(), t);
    other.step(random_levels(world, 5, t));
    other.state(state);
    ASSERT_EQ(state, std::vector(states.begin() + (t + 1) * world.spec.n(),
                                 states.begin() + (t + 2) * world.spec.n()));
    episode.step(random_levels(world, 5, t));
    // an acceleration that is not gravity's is that of the ground
    in_contact += snapshot[warm_start_at(world) + 1] > -5;
  }
  EXPECT_GT(in_contact, 20);
  // the warm start matters: without it some bit differs somewhere
  int differs = 0;
  for (int t = 0; t < 50; ++t) {
    episode.reset();
    for (int k = 0; k <= t; ++k) episode.step(random_levels(world, 5, k));
    episode.save(snapshot);
    std::fill(snapshot.begin() + warm_start_at(world), snapshot.end(), 0);
    other.restore(snapshot);
    other.step(random_levels(world, 5, t + 1));
    other.state(state);
    differs += state != std::vector(states.begin() + (t + 2) * world.spec.n(),
                                    states.begin() + (t + 3) * world.spec.n());
  }
  EXPECT_GT(differs, 0);
}

TEST(MujocoEpisode, RefusesActionsThatDoNotExist) {
  const MujocoModel world = cheetah_model();
  OneEpisode episode(world);
  EXPECT_THROW(episode.step(std::vector<int>{0, 0, 0, 0, 0, 5}), UsageError);
  EXPECT_THROW(episode.step(std::vector<int>{0, 0, 0, 0, 0, -1}), UsageError);
  EXPECT_THROW(episode.step(std::vector<int>{0}), UsageError);
  random_option(episode, world, 0);
  EXPECT_THROW(episode.step(random_levels(world, 0, 0)), UsageError);
}

TEST(MujocoEpisodes, HaveTheSameBytesOnAnyNumberOfThreads) {
  const MujocoModel world = cheetah_model();
  const MujocoWorld simulator(world);
  constexpr int B = 13;
  std::vector<std::vector<double>> alone;
  OneEpisode episode(world);
  for (int b = 0; b < B; ++b) alone.push_back(random_option(episode, world, b));
  for (int threads : {1, 2, 3, 64}) {
    const auto episodes = simulator.make_episodes(B, threads);
    for (int round = 0; round < 2; ++round) {
      episodes->reset();
      for (int t = 0; t < world.spec.T; ++t) {
        std::vector<int> levels;
        for (int b = 0; b < B; ++b) {
          const auto part = random_levels(world, b, t);
          levels.insert(levels.end(), part.begin(), part.end());
        }
        episodes->step(levels);
        for (int b = 0; b < B; ++b) {
          const auto state = episodes->state(b);
          ASSERT_TRUE(
              std::equal(state.begin(), state.end(), alone[b].begin() + (t + 1) * world.spec.n()))
              << threads << " threads, episode " << b << ", step " << t;
        }
      }
      EXPECT_EQ(episodes->actions_taken(0), world.spec.T);
    }
  }
}

// ---- failures

// a ball with next to no inertia and a giant actuator
const std::string bomb =
    "<mujoco><option timestep='0.1'/><worldbody><body><joint name='a' type='slide' axis='1 0 0'/>"
    "<geom size='0.1' mass='1e-3'/></body></worldbody><actuator><motor name='giant' joint='a' "
    "gear='1e12' ctrllimited='true' ctrlrange='-1 1'/></actuator></mujoco>";

TEST(MujocoEpisode, SaysWhatExplodedWhereAndWhen) {
  const MujocoModel world = make_mujoco_model("bomb", bomb, {.levels = 3, .T = 9});
  OneEpisode episode(world);
  episode.step(std::vector<int>{1});
  try {
    episode.step(std::vector<int>{2});
    FAIL() << "it did not explode";
  } catch (const SimulationError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "bomb cannot be simulated: in action 2 of 9 MuJoCo warns of BADQACC: an acceleration "
        "that is infinite or no number, at v(a), with the actuators at giant 1, in the state a "
        "0, v(a) 0. A smaller timestep or weaker actuators in the model may help.");
  }
  // and is intact: where it was, and back at the start
  EXPECT_EQ(episode.actions_taken(), 1);
  episode.step(std::vector<int>{1});
  EXPECT_EQ(episode.actions_taken(), 2);
  episode.reset();
  episode.step(std::vector<int>{1});
  EXPECT_EQ(episode.actions_taken(), 1);
}

TEST(MujocoEpisodes, NameTheFirstThatExplodesAndKeepTheOthers) {
  const MujocoWorld world(make_mujoco_model("bomb", bomb, {.levels = 3, .T = 9}));
  for (int threads : {1, 3}) {
    const auto episodes = world.make_episodes(10, threads);
    std::vector<int> levels(10, 1);
    levels[4] = 0;
    levels[8] = 2;
    try {
      episodes->step(levels);
      FAIL() << "none exploded";
    } catch (const SimulationError& error) {
      EXPECT_NE(std::string(error.what()).find("giant -1"), std::string::npos) << error.what();
    }
    for (int b = 0; b < 10; ++b) EXPECT_EQ(episodes->actions_taken(b), b == 4 || b == 8 ? 0 : 1);
  }
}

TEST(MujocoEpisode, NamesOtherWarningsToo) {
  // room for one contact only, and a box with four
  const MujocoModel world = make_mujoco_model(
      "crowd",
      "<mujoco><size nconmax='1'/><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.1'>"
      "<joint type='slide' axis='0 0 1' name='z'/><geom type='box' size='0.1 0.1 0.1'/></body>"
      "</worldbody><actuator><motor joint='z' ctrllimited='true' ctrlrange='-1 1'/></actuator>"
      "</mujoco>",
      {});
  OneEpisode episode(world);
  try {
    for (int t = 0; t < 10; ++t) episode.step(std::vector<int>{2});
    FAIL() << "no warning";
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("CONTACTFULL"), std::string::npos) << error.what();
  }
}

TEST(MujocoErrors, AreThrownThroughItsOwnFunctionsOnEveryThread) {
  // a stack that is too small is an error from deep inside of mj_step; the compiler of models,
  // which simulates a step too, must not meet it first
  const MujocoModel world = make_mujoco_model(
      "small",
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .05'>"
      "<joint type='slide' axis='0 0 1' name='z'/><geom size='0.1'/></body></worldbody>"
      "<actuator><motor joint='z' ctrllimited='true' ctrlrange='-1 1'/></actuator></mujoco>",
      {});
  const_cast<mjModel*>(world.model.get())->nstack = 10;
  const auto message = [&] {
    try {
      OneEpisode episode(world);
      episode.step(std::vector<int>{2});
    } catch (const SimulationError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  std::vector<std::string> messages(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& text : messages) threads.emplace_back([&] { text = message(); });
  }
  for (const std::string& text : messages) {
    EXPECT_NE(text.find("\"Stack overflow\""), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace vic
