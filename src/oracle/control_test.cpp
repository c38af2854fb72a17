// H, D and N against an enumeration of all options that does not use beliefs.
#include "oracle/control.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "info/entropy.h"
#include "support/random_world.h"
#include "world/registry.h"

namespace vic::control_test {
namespace {

constexpr double tolerance = 1e-10;

// an option with its probability, and the text of every prefix in it
struct Option {
  double p = 1;
  int s_f = 0;
  std::vector<std::string> prefixes;  // tau_0, tau_0 a_0, tau_1, tau_1 a_1, ...
};

void enumerate(const Unrolled& tree, const Policy& policy, int t, int row, Option option,
               std::vector<Option>& all) {
  const TabularWorld& world = *tree.world;
  const Level& level = tree.levels[t];
  const double* pi = &policy[t][row * (world.A + 1)];
  const int s = level.state[row];
  const std::string tau =
      (option.prefixes.empty() ? "" : option.prefixes.back()) + fmt::format("s{}", s);
  option.prefixes.push_back(tau);
  const auto with_action = [&](int a) {
    Option longer = option;
    longer.p *= pi[a];
    longer.prefixes.push_back(fmt::format("{}a{}", tau, a));
    return longer;
  };
  Option ended = with_action(world.A);
  ended.s_f = s;
  all.push_back(ended);
  if (level.forced(row)) return;
  int e = level.first[row];
  for (int a = 0; a < world.A; ++a) {
    for (int k = world.first[s * world.A + a]; k < world.first[s * world.A + a + 1]; ++k, ++e) {
      Option longer = with_action(a);
      longer.p *= world.p[k];
      enumerate(tree, policy, t + 1, level.child[e], longer, all);
    }
  }
}

// the definition: sums over options of logs of conditional probabilities, which are ratios of sums
Control by_enumeration(const Unrolled& tree, const Policy& policy) {
  std::vector<Option> all;
  enumerate(tree, policy, 0, 0, {}, all);
  std::map<std::string, double> prefix;                     // p(prefix)
  std::map<std::pair<std::string, int>, double> prefix_sf;  // p(prefix, s_f)
  Control control{.p_f = std::vector<double>(tree.world->S, 0)};
  for (const Option& option : all) {
    control.p_f[option.s_f] += option.p;
    for (const std::string& text : option.prefixes) {
      prefix[text] += option.p;
      prefix_sf[{text, option.s_f}] += option.p;
    }
  }
  control.H = entropy(control.p_f);
  for (const Option& option : all) {
    if (option.p == 0) continue;
    for (std::size_t i = 0; i + 1 < option.prefixes.size(); ++i) {
      const auto belief = [&](std::size_t at) {
        return prefix_sf[{option.prefixes[at], option.s_f}] / prefix[option.prefixes[at]];
      };
      const double gained = option.p * std::log(belief(i + 1) / belief(i));
      (i % 2 == 0 ? control.D : control.N) += gained;
    }
  }
  return control;
}

void expect_equal(const Control& a, const Control& b) {
  EXPECT_NEAR(a.H, b.H, tolerance);
  EXPECT_NEAR(a.D, b.D, tolerance);
  EXPECT_NEAR(a.N, b.N, tolerance);
}

TEST(Control, EqualsTheEnumerationOnSmallWorlds) {
  for (const char* name : {"line", "line-noisy", "tree", "tree-noisy"}) {
    Overrides none;
    const TabularWorld world = load_world(name, none);
    const Unrolled tree = *unroll_histories(world, 100000);
    for (const Policy& policy : {uniform_policy(tree), random_policy(tree, 3)}) {
      const Control control = measure(tree, policy);
      expect_equal(control, by_enumeration(tree, policy));
      EXPECT_GT(control.D, 0.1) << "a test of zeros shows nothing";
      EXPECT_EQ(control.N > 0.1, !world.deterministic());
    }
  }
}

RC_GTEST_PROP(Control, EqualsTheEnumerationOnRandomWorlds, ()) {
  const TabularWorld world = random_world(*rc::gen::arbitrary<std::uint64_t>());
  const Unrolled tree = *unroll_histories(world, 100000);
  const Policy policy = random_policy(tree, *rc::gen::arbitrary<std::uint64_t>());
  const Control control = measure(tree, policy), truth = by_enumeration(tree, policy);
  RC_ASSERT(std::abs(control.H - truth.H) < tolerance);
  RC_ASSERT(std::abs(control.D - truth.D) < tolerance);
  RC_ASSERT(std::abs(control.N - truth.N) < tolerance);
}

// a policy that depends on the state only is the same policy on the tree
RC_GTEST_PROP(Control, IsTheSameOnStatesAndOnHistories, ()) {
  const TabularWorld world = random_world(*rc::gen::arbitrary<std::uint64_t>());
  const Unrolled states = unroll_states(world), tree = *unroll_histories(world, 100000);
  const Policy policy = random_policy(states, *rc::gen::arbitrary<std::uint64_t>());
  Policy on_tree = uniform_policy(tree);
  for (std::size_t t = 0; t < tree.levels.size(); ++t) {
    for (int i = 0; i < tree.levels[t].rows(); ++i) {
      const auto& state = states.levels[t].state;
      const auto row =
          std::find(state.begin(), state.end(), tree.levels[t].state[i]) - state.begin();
      std::copy_n(&policy[t][row * (world.A + 1)], world.A + 1, &on_tree[t][i * (world.A + 1)]);
    }
  }
  const Control a = measure(states, policy), b = measure(tree, on_tree);
  RC_ASSERT(std::abs(a.H - b.H) < tolerance);
  RC_ASSERT(std::abs(a.D - b.D) < tolerance);
  RC_ASSERT(std::abs(a.N - b.N) < tolerance);
}

// blocks of final states are an implementation detail: a world with more than one block
TEST(Control, SplitsTheEntropyOfLargeWorldsToo) {
  for (const char* name : {"four-rooms", "rooms-35"}) {
    Overrides none;
    const TabularWorld world = load_world(name, none);
    const Unrolled states = unroll_states(world);
    const Control control = measure(states, random_policy(states, 5));
    EXPECT_NEAR(control.H, control.D + control.N, tolerance) << name;
    EXPECT_EQ(control.N > 0.1, !world.deterministic()) << name;
  }
}

}  // namespace
}  // namespace vic::control_test
