// The belief form against the truth: b against the beliefs of its policy by enumeration, and its
// reward against the control of the policy.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "method/beliefs.h"
#include "oracle/beliefs.h"
#include "oracle/control.h"
#include "support/whole.h"

namespace vic {
namespace {

TrainSettings belief_settings(StateCode code) {
  TrainSettings settings = defaults_of(find_algorithm("belief"));
  settings.encoding = code;
  settings.hidden = 16;
  settings.batch = 128;
  return settings;
}

// The errors of b and of the hindsight policy that follows from it, over the options of the agent's
// own policy; and the means of D and of the reward.
struct Comparison {
  double b = 0;     // sum_t KL(p(s_f | tau, a) || b)
  double pi_q = 0;  // sum_t KL(p(a | tau, s_f) || pi_q)
  double D = 0, reward = 0;

  Comparison(const Agent& agent, const Whole& whole) {
    const Policy policy = exact_policy(agent, whole);
    const Flow visited = flow(whole.unrolled, policy);
    D = measure(whole.unrolled, policy).D;
    reward = expected_payoff(whole.unrolled, policy, visited, payoffs(agent, whole));
    Beliefs exact(whole.unrolled);
    exact.update(policy);
    const Batch batch = batch_of_all(whole, agent);
    Scores scores;
    intrinsic_rewards(scores, agent, batch);
    const BatchBeliefs learned(scores, agent, batch);
    const int A = whole.world.A;
    for (int t = 0; t < whole.world.T_max; ++t) {
      const Level& level = whole.unrolled.levels[t];
      for (int i = 0; i < level.rows(); ++i) {
        if (level.forced(i)) continue;
        const int row = whole.tree.first[t] + i;
        const double* pi = &policy[t][i * (A + 1)];
        for (int f : exact.support(t, level.state[i])) {
          const int s_f = exact.final_state(f);
          const double before = exact.before(t, i)[f], ours = learned.log_before(row, s_f);
          const double passing = visited.visits[t][i];
          for (int a = 0; a < A; ++a) {
            const double after = exact.after(t, i, a)[f], log_b = learned.log_after(row, a, s_f);
            if (after <= 0) continue;
            b += passing * pi[a] * after * (std::log(after) - log_b);
            pi_q += passing * pi[a] * after * (std::log(after / before) - (log_b - ours));
          }
          if (s_f == level.state[i]) pi_q += passing * pi[A] * (-std::log(before) + ours);
        }
      }
    }
  }
};

// for every net, however untrained
TEST(BeliefTruth, TheRewardOfControlIsDMinusTheErrorOfItsHindsightPolicy) {
  for (const char* world : {"line-noisy", "tree-noisy"}) {
    const Whole whole(world);
    for (StateCode code : {StateCode::onehot, StateCode::relative}) {
      Agent agent = make_agent(&whole.world, belief_settings(code));
      for (AgentModel& model : agent.models) {
        for (float& x : model.model.net().parameters().values) x *= 6;
      }
      const Comparison found(agent, whole);
      EXPECT_NEAR(found.reward, found.D - found.pi_q, 1e-5) << world;
      EXPECT_GT(found.pi_q, 0.05) << "these nets know nothing";
      EXPECT_LT(found.reward, found.D);
    }
  }
}

// for a policy that does not learn
TEST(BeliefTruth, BConvergesToTheBeliefsOfItsPolicyByEnumeration) {
  for (const char* world : {"line-noisy", "tree-noisy"}) {
    const Whole whole(world);
    TrainSettings settings = belief_settings(StateCode::relative);
    settings.warm_up = 800;
    settings.updates = 1;
    Learner learner(make_agent(&whole.world, settings));
    const Comparison before(learner.agent(), whole);
    for (int u = 0; u < settings.warm_up; ++u) learner.update();
    const Comparison after(learner.agent(), whole);
    EXPECT_EQ(after.D, before.D) << "the policy is the same";
    EXPECT_GT(before.b, 0.3) << world;
    EXPECT_LT(after.b, 0.03) << world;
    EXPECT_GE(after.b, -1e-6);
    EXPECT_LT(after.pi_q, 0.02) << world;
    EXPECT_LE(after.reward, after.D + 1e-6);
  }
}

// a policy that drops an action too early stays at 96 to 98.8 % of D_max here
TEST(BeliefTruth, KeepsEveryActionUntilControlIsLearned) {
  const Whole ring(VIC_SOURCE_DIR "/experiments/worlds/ring-8.toml");
  TrainSettings settings = defaults_of(find_algorithm("belief"));
  settings.updates = 3000;
  Learner learner(make_agent(&ring.world, settings));
  for (long u = 0; u < settings.all_updates(); ++u) learner.update();
  constexpr double D_max = 2.007930;  // vic exact
  const double D = measure(ring.unrolled, exact_policy(learner.agent(), ring)).D;
  EXPECT_GT(D, 0.995 * D_max);
  EXPECT_LT(D, D_max + 1e-5);
}

}  // namespace
}  // namespace vic
