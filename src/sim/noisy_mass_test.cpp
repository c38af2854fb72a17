#include "sim/noisy_mass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "info/capacity.h"
#include "sim/enumeration.h"

namespace vic {
namespace {

// the shares of cells in which options with these actions end, by simulation
std::map<StateCell, double> played(const NoisyMass& world, const std::vector<int>& levels, int N) {
  const auto episodes = world.make_episodes(N, 1);
  const auto viewer = world.make_viewer();
  episodes->reset(/*seed=*/7, /*update=*/0);
  for (int level : levels) episodes->step(std::vector<int>(N, level));
  std::map<StateCell, double> shares;
  for (int b = 0; b < N; ++b) {
    const auto end = displacement_of(world, *viewer, episodes->state(b));
    shares[cell_of(world.spec(), end)] += 1.0 / N;
  }
  return shares;
}

// a dense channel from all sequences to all cells
Channel channel_of(const NoisyMass& world) {
  const auto N = static_cast<int>(sequence_count(world.spec()));
  std::vector<std::vector<CellShare>> ends;
  std::map<StateCell, int> number;
  for (int i = 0; i < N; ++i) {
    ends.push_back(world.final_cells(sequence_levels(world.spec(), i)));
    for (const CellShare& share : ends.back()) number.try_emplace(share.cell, number.size());
  }
  Channel channel{.inputs = N, .outputs = static_cast<int>(number.size()), .w = {}};
  channel.w.assign(static_cast<std::size_t>(N) * number.size(), 0);
  for (int i = 0; i < N; ++i) {
    for (const auto& [cell, p] : ends[i]) channel.w[i * number.size() + number[cell]] = p;
  }
  return channel;
}

double capacity_of(const NoisyMassSettings& settings) {
  return channel_capacity(channel_of(NoisyMass("mass", settings)), 1e-6, 1e9).lower;
}

TEST(NoisyMass, EndsWhereItsDistributionSays) {
  const NoisyMass world("mass", {});
  constexpr int N = 20000;
  for (const std::vector<int>& levels : {std::vector{2, 2, 2, 2, 2}, {0, 1, 2, 2, 0}}) {
    const auto shares = played(world, levels, N);
    double sum = 0, distance = 0;
    for (const auto& [cell, p] : world.final_cells(levels)) {
      sum += p;
      const auto found = shares.find(cell);
      const double seen = found == shares.end() ? 0 : found->second;
      distance += std::abs(p - seen);
      EXPECT_NEAR(seen, p, 5 * std::sqrt(p / N) + 1e-3);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_LT(distance, 0.1);
  }
}

// one action is one Gaussian channel with two outputs: log(1 + g^T S^-1 g) / 2, and by two levels,
// where the noise is large and the cells are small, nearly all of it
TEST(NoisyMass, OneActionIsShannonsChannel) {
  NoisyMassSettings settings{
      .T = 1, .levels = 2, .friction = 0, .noise = 0.8, .drift = 0.3, .bin = 0.15};
  constexpr double h = 0.25;
  const double n = settings.noise * settings.noise, d = settings.drift * settings.drift;
  // S = n (h, 1) (h, 1)^T + d (1, 0) (1, 0)^T and g = h (h, 1)
  const double xx = n * h * h + d, xv = n * h, vv = n, det = xx * vv - xv * xv;
  const double snr = h * h * (h * h * vv - 2 * h * xv + xx) / det;
  const double shannon = std::log1p(snr) / 2;
  const NoisyMass world("mass", settings);
  EXPECT_NEAR(*world.power_capacity(), shannon, 1e-12);
  const double found = capacity_of(settings);
  EXPECT_LE(found, shannon);
  EXPECT_GT(found, 0.97 * shannon);
}

// a choice among finitely many levels, observed by cells, has less; finer cells have more, and the
// ends of three levels are two
TEST(NoisyMass, WaterFillingBoundsTheSequences) {
  NoisyMassSettings settings{.T = 4, .levels = 2};
  const double most = *NoisyMass("mass", settings).power_capacity();
  const double two = capacity_of(settings);
  settings.levels = 3;
  const double three = capacity_of(settings);
  settings.bin = 0.1;
  const double finer = capacity_of(settings);
  EXPECT_GT(two, 0.3);
  EXPECT_GE(three, two - 1e-6);
  EXPECT_GT(finer, three);
  EXPECT_LT(finer, most);
}

}  // namespace
}  // namespace vic
