// The cheetah and its dynamics, against the facts it is made from and against mechanics.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "base/random.h"
#include "support/cheetah.h"
#include "support/one_episode.h"

namespace vic {
namespace {

constexpr double g = 9.81;
constexpr int rootx = 0, rootz = 1, rooty = 2, first_leg = 3;

// a part of the cheetah as the facts have it
struct Part {
  int parent;                 // -1: the torso
  double x, z;                // the joint, in the parent
  double cx, cz, turn, half;  // the capsule
  double low, high, damping, stiffness, gear;
};

// bthigh, bshin, bfoot, fthigh, fshin, ffoot
constexpr std::array<Part, 6> parts = {{
    {-1, -0.5, 0, 0.1, -0.13, -3.8, 0.145, -0.52, 1.05, 6, 240, 120},
    {0, 0.16, -0.25, -0.14, -0.07, -2.03, 0.15, -0.785, 0.785, 4.5, 180, 90},
    {1, -0.28, -0.14, 0.03, -0.097, -0.27, 0.094, -0.4, 0.785, 3, 120, 60},
    {-1, 0.5, 0, -0.07, -0.12, 0.52, 0.133, -1, 0.7, 4.5, 180, 120},
    {3, -0.14, -0.24, 0.065, -0.09, -0.6, 0.106, -1.2, 0.87, 3, 120, 60},
    {4, 0.13, -0.18, 0.045, -0.07, -0.6, 0.07, -0.5, 0.5, 1.5, 60, 30},
}};

TEST(HalfCheetah, IsTheModelOfTheFacts) {
  const MujocoModel world = cheetah_model();
  const std::vector<std::string> order = {"rootx", "rootz",  "rooty", "bthigh", "bshin",
                                          "bfoot", "fthigh", "fshin", "ffoot"};
  const mjModel& m = *world.model;
  ASSERT_EQ(m.njnt, static_cast<int>(order.size()));
  EXPECT_EQ(m.nq, 9);
  EXPECT_EQ(m.nv, 9);
  EXPECT_EQ(world.spec.n(), 18);
  EXPECT_EQ(world.spec.F(), 6);
  EXPECT_EQ(world.spec.L(), 5);
  EXPECT_EQ(world.spec.T, 100);
  EXPECT_EQ(world.settings.frame_skip, 5);
  EXPECT_EQ(world.spec.facts[1].second, "14 kg");
  EXPECT_EQ(m.opt.timestep, 0.01);
  EXPECT_EQ(world.spec.option_seconds(), 5);
  EXPECT_EQ(world.main.pitch, rooty);
  for (std::size_t j = 0; j < order.size(); ++j) {
    EXPECT_EQ(world.spec.state_names[j], order[j]);
    EXPECT_EQ(world.spec.state_names[9 + j], "v(" + order[j] + ")");
    EXPECT_EQ(m.jnt_type[j], j < 2 ? mjJNT_SLIDE : mjJNT_HINGE);
    EXPECT_EQ(m.jnt_limited[j], j >= first_leg);
    EXPECT_EQ(world.spec.start[j], 0);
    EXPECT_EQ(world.spec.start[9 + j], 0);
  }
  EXPECT_EQ(m.opt.gravity[2], -g);
  for (int i = 0; i < 6; ++i) {
    const Part& part = parts[i];
    const int j = first_leg + i;
    EXPECT_EQ(m.jnt_range[2 * j], part.low);
    EXPECT_EQ(m.jnt_range[2 * j + 1], part.high);
    EXPECT_EQ(m.dof_damping[j], part.damping);
    EXPECT_EQ(m.dof_armature[j], 0.1);
    EXPECT_EQ(m.jnt_stiffness[j], part.stiffness);
    EXPECT_EQ(world.spec.actuators[i].name, order[j]);
    EXPECT_EQ(m.actuator_gear[6 * i], part.gear);
    EXPECT_EQ(m.actuator_trnid[2 * i], j);
    for (int level = 0; level < 5; ++level) {
      EXPECT_EQ(world.spec.actuators[i].controls[level], -1 + 0.5 * level);
    }
  }
  for (int j = 0; j < first_leg; ++j) {
    EXPECT_EQ(m.dof_damping[j] + m.dof_armature[j] + m.jnt_stiffness[j], 0);
  }
  for (int i = 0; i < m.ngeom; ++i) {
    EXPECT_EQ(m.geom_friction[3 * i], 0.4);
    EXPECT_EQ(m.geom_condim[i], 3);
    EXPECT_EQ(m.geom_conaffinity[i], i == 0);
  }
}

// ---- the kinetic energy, from the facts alone

struct Place {
  double x, z, angle;
};

// a point given in the frame of a place that is turned about y
Place within(const Place& frame, double x, double z, double angle) {
  const double c = std::cos(frame.angle), s = std::sin(frame.angle);
  return {frame.x + c * x + s * z, frame.z - s * x + c * z, frame.angle + angle};
}

struct Rod {
  Place centre;
  double half;
};

std::vector<Rod> rods(const std::array<double, 9>& q) {
  const Place torso{q[rootx], 0.7 + q[rootz], q[rooty]};
  std::vector<Rod> list = {{within(torso, 0, 0, std::numbers::pi / 2), 0.5},
                           {within(torso, 0.6, 0.1, 0.87), 0.15}};
  std::array<Place, 6> frames{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    const Place& parent = part.parent < 0 ? torso : frames[part.parent];
    frames[i] = within(parent, part.x, part.z, q[first_leg + i]);
    list.push_back({within(frames[i], part.cx, part.cz, part.turn), part.half});
  }
  return list;
}

constexpr double radius = 0.046;

double volume(double half) {
  return std::numbers::pi * radius * radius * (2 * half + 4.0 / 3 * radius);
}

// a cylinder with a half ball at each end, about an axis across it, for 1 kg per cubic metre
double inertia(double half) {
  const double cylinder = 2 * std::numbers::pi * radius * radius * half;
  const double ball = 4.0 / 3 * std::numbers::pi * radius * radius * radius;
  return cylinder * (half * half / 3 + radius * radius / 4) +
         ball * (0.4 * radius * radius + half * half + 0.75 * half * radius);
}

double kinetic_energy(const std::array<double, 9>& q, const std::array<double, 9>& v) {
  // velocities of the rods by differences
  constexpr double step = 1e-5;
  std::array<double, 9> before = q, after = q;
  for (int i = 0; i < 9; ++i) {
    before[i] -= step * v[i];
    after[i] += step * v[i];
  }
  const auto from = rods(before), to = rods(after);
  double total = 0, energy = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto rate = [&](double a, double b) { return (b - a) / (2 * step); };
    const double vx = rate(from[i].centre.x, to[i].centre.x);
    const double vz = rate(from[i].centre.z, to[i].centre.z);
    const double w = rate(from[i].centre.angle, to[i].centre.angle);
    total += volume(from[i].half);
    energy +=
        0.5 * volume(from[i].half) * (vx * vx + vz * vz) + 0.5 * inertia(from[i].half) * w * w;
  }
  energy *= 14 / total;
  // the armature of the actuators
  for (int j = first_leg; j < 9; ++j) energy += 0.5 * 0.1 * v[j] * v[j];
  return energy;
}

TEST(HalfCheetah, KineticEnergyIsThatOfTheFacts) {
  const MujocoModel world = cheetah_model();
  const mjModel* m = world.model.get();
  const std::unique_ptr<mjData, void (*)(mjData*)> d(mj_makeData(m), mj_deleteData);
  std::array<double, 81> M{};
  for (std::uint32_t trial = 0; trial < 20; ++trial) {
    std::array<double, 9> q{}, v{};
    for (std::uint32_t i = 0; i < 9; ++i) {
      q[i] = 2 * uniform({.seed = 1, .row = trial, .step = i}) - 1;
      v[i] = normal({.seed = 2, .row = trial, .step = i});
    }
    std::copy(q.begin(), q.end(), d->qpos);
    mj_forward(m, d.get());
    mj_fullM(m, M.data(), d->qM);
    double simulated = 0;
    for (int i = 0; i < 9; ++i) {
      for (int j = 0; j < 9; ++j) simulated += 0.5 * v[i] * M[i * 9 + j] * v[j];
    }
    const double expected = kinetic_energy(q, v);
    EXPECT_GT(expected, 0.1);
    EXPECT_NEAR(simulated / expected, 1, 1e-8);
  }
}

TEST(HalfCheetah, PartsAreWhereTheFactsPutThem) {
  const MujocoModel world = cheetah_model();
  const MujocoWorld simulator(world);
  const auto viewer = simulator.make_viewer();
  std::array<double, 9> q{};
  for (std::uint32_t i = 0; i < 9; ++i) q[i] = 2 * uniform({.seed = 3, .step = i}) - 1;
  std::array<double, 18> state{};  // at rest
  std::ranges::copy(q, state.begin());
  viewer->put(state);
  const auto capsules = viewer->parts();
  const auto expected = rods(q);
  ASSERT_EQ(capsules.size(), expected.size());
  const std::vector<int> limbs = {0, 0, 1, 1, 1, 2, 2, 2};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Rod& rod = expected[i];
    // a capsule lies along its own z
    const Place end = within(rod.centre, 0, rod.half, 0);
    EXPECT_NEAR((capsules[i].x1 + capsules[i].x2) / 2, rod.centre.x, 1e-12);
    EXPECT_NEAR((capsules[i].z1 + capsules[i].z2) / 2, rod.centre.z, 1e-12);
    // which of its ends is the first does not matter
    const double dx = std::abs(capsules[i].x2 - rod.centre.x);
    EXPECT_NEAR(dx, std::abs(end.x - rod.centre.x), 1e-12);
    EXPECT_EQ(capsules[i].r, radius);
    EXPECT_EQ(capsules[i].limb, limbs[i]);
  }
  EXPECT_NEAR(viewer->posture().x, q[rootx], 1e-15);
  EXPECT_NEAR(viewer->posture().z, 0.7 + q[rootz], 1e-15);
  EXPECT_EQ(viewer->posture().pitch, q[rooty]);
}

// ---- motion

const std::vector<int> still(6, 2);  // all actuators at 0

std::vector<double> snapshot_at(const MujocoModel& world, double z) {
  std::vector<double> snapshot(snapshot_size(world), 0);
  snapshot[state_at + rootz] = z;
  return snapshot;
}

TEST(HalfCheetah, FallsFreelyByTheIntegratorsOwnFormula) {
  const MujocoModel world = cheetah_model();
  OneEpisode episode(world);
  constexpr double from = 50;
  episode.restore(snapshot_at(world, from));
  std::vector<double> state(18);
  for (int action = 1; action <= 40; ++action) {
    episode.step(still);
    episode.state(state);
    // velocities first, then positions with the new velocities: k (k + 1) / 2 steps of g h^2
    const int k = action * world.settings.frame_skip;
    const double h = world.model->opt.timestep;
    EXPECT_NEAR(state[rootz], from - g * h * h * k * (k + 1) / 2, 1e-11);
    EXPECT_NEAR(state[9 + rootz], -g * h * k, 1e-11);
    for (int j : {rootx, rooty, 3, 4, 5, 6, 7, 8}) EXPECT_NEAR(state[j], 0, 1e-12);
  }
}

// how far a joint that is kicked and pushed, in the air, goes beyond its limit
double overshoot(const MujocoModel& world, int i, int direction) {
  OneEpisode episode(world);
  auto snapshot = snapshot_at(world, 200);
  snapshot[state_at + 9 + first_leg + i] = 40 * direction;
  episode.restore(snapshot);
  std::vector<int> push = still;
  push[i] += 2 * direction;
  std::vector<double> state(18);
  double beyond = 0;
  while (!episode.done()) {
    episode.step(push);
    episode.state(state);
    const double angle = state[first_leg + i];
    beyond = std::max(beyond, direction > 0 ? angle - parts[i].high : parts[i].low - angle);
  }
  return beyond;
}

TEST(HalfCheetah, JointLimitsHold) {
  const MujocoModel world = cheetah_model({{"world.frame_skip", "1", "--set"}});
  const MujocoModel loose = cheetah_model({{"world.frame_skip", "1", "--set"}});
  const_cast<mjModel*>(loose.model.get())->opt.disableflags |= mjDSBL_LIMIT;
  double held = 0, free = 0;
  for (int i = 0; i < 6; ++i) {
    for (int direction : {-1, 1}) {
      const double beyond = overshoot(world, i, direction);
      // limits are springs: a kick of 40 radians a second is held within a quarter
      EXPECT_LT(beyond, 0.25) << world.spec.actuators[i].name;
      held += beyond;
      free += overshoot(loose, i, direction);
    }
  }
  // and the limits hold it, not the springs of the joints
  EXPECT_LT(held, 0.3 * free);
}

TEST(HalfCheetah, FeetBearItsWeightAtRest) {
  const MujocoModel world = cheetah_model();
  OneEpisode episode(world);
  for (int action = 0; action < 100; ++action) episode.step(still);
  std::vector<double> state(18);
  episode.state(state);
  const mjModel* m = world.model.get();
  const std::unique_ptr<mjData, void (*)(mjData*)> d(mj_makeData(m), mj_deleteData);
  std::copy_n(state.begin(), 9, d->qpos);
  std::copy_n(state.begin() + 9, 9, d->qvel);
  mj_forward(m, d.get());
  double upward = 0;
  ASSERT_GE(d->ncon, 2);
  for (int i = 0; i < d->ncon; ++i) {
    std::array<double, 6> force{};
    mj_contactForce(m, d.get(), i, force.data());
    const mjContact& contact = d->contact[i];
    // rows of the frame are the normal and two tangents
    for (int axis = 0; axis < 3; ++axis) upward += force[axis] * contact.frame[3 * axis + 2];
    const std::string geom = mj_id2name(m, mjOBJ_GEOM, std::max(contact.geom1, contact.geom2));
    EXPECT_TRUE(geom == "bfoot" || geom == "ffoot") << geom;
  }
  for (int j = 0; j < 9; ++j) EXPECT_NEAR(state[9 + j], 0, 1e-3) << world.spec.state_names[j];
  EXPECT_NEAR(upward / (14 * g), 1, 1e-3);
}

}  // namespace
}  // namespace vic
