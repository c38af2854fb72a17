#include "method/shard.h"

#include <algorithm>

#include "base/error.h"
#include "base/ranks.h"
#include "method/normalise.h"

namespace vic {
namespace {

// options per shard: fewer make the matrix products slower, more leave threads and ranks idle
constexpr int shard_options = 16;

// the mean gain of a shard's options from each start, (X)
std::vector<double> mean_by_start(const Shard& shard, int X) {
  const Histories& tree = shard.batch.histories;
  const auto start = [&](int r) { return shard.root_start[tree.root[r]]; };
  std::vector<double> mean(X, 0);
  std::vector<double> options(X, 0);  // from each start
  for (int r = 0; r < tree.rows(); ++r) options[start(r)] += shard.batch.ended[r];
  for (int r = 0; r < tree.rows(); ++r) {
    const double share = shard.batch.ended[r] / options[start(r)];
    if (share > 0) mean[start(r)] += share * shard.gain[r];
  }
  return mean;
}

}  // namespace

int shard_count(WorldRef world, const TrainSettings& settings) {
  const auto* simulator = std::get_if<const Simulator*>(&world);
  if (simulator == nullptr) return settings.shards;
  if ((*simulator)->spec().together) return 1;
  return (settings.batch + shard_options - 1) / shard_options;
}

int shard_count(const Agent& agent) {
  return shard_count(agent.world, agent.settings);
}

void require_enough_shards(const Agent& agent, const Ranks& ranks) {
  const int count = shard_count(agent);
  const TrainSettings& settings = agent.settings;
  if (ranks.size() > 1 && agent.simulator() == nullptr) {
    fail_usage(
        "{} has a table of states, whose options share their histories: an update computes each "
        "once, in milliseconds, and would be slower on {} ranks. Train it without mpirun; "
        "train.threads = 2 helps, and other hosts can train other seeds.",
        agent.table().name, ranks.size());
  }
  if (ranks.size() > count) {
    fail_usage(
        "{} ranks are more than the {} shards of an update (16 options of train.batch = {} each); "
        "use fewer ranks or a larger batch.",
        ranks.size(), count, settings.batch);
  }
  if (settings.minibatches > 1 && agent.simulator() == nullptr) {
    fail_usage(
        "train.minibatches = {} is not allowed: {} has a table of states, whose options share "
        "their histories; take 1.",
        settings.minibatches, agent.table().name);
  }
  if (settings.minibatches > count) {
    fail_usage(
        "train.minibatches = {} is not allowed; at most {} fit here, one for 16 options of "
        "train.batch = {}.",
        settings.minibatches, count, settings.batch);
  }
}

std::vector<Shard> make_shards(const Agent& agent, ItemRange own, int threads) {
  const int batch = agent.settings.batch;
  std::vector<Shard> shards;
  for (int s = own.begin; s < own.end; ++s) {
    Shard& shard = shards.emplace_back();
    shard.number = s;
    shard.options = part_of(batch, shard_count(agent), s);
    shard.share = static_cast<double>(shard.options.size()) / batch;
    shard.sampler = make_training_sampler(agent, threads);
    shard.learns.assign(agent.models.size(), 0);
    for (const AgentModel& model : agent.models) {
      shard.gradient.emplace_back(model.model.net().parameters().values.size(), 0.0F);
    }
  }
  return shards;
}

// The mean of -log pi_p over a policy's own options is the entropy of its decisions, so the policy
// gradient of the total raises both.
Rewards total_rewards(const Scores& scores, const Batch& batch, double alpha,
                      double entropy_bonus) {
  const Histories& tree = batch.histories;
  Rewards out{.row = scores.reward};
  std::vector<double> log_path(tree.rows(), 0);  // log pi_p of the decisions on the way to the row
  for (int t = 0, r = 0; t < tree.levels(); ++t) {
    for (; r < tree.first[t + 1]; ++r) {
      if (t > 0) {
        log_path[r] =
            log_path[tree.parent[r]] + static_cast<double>(scores.log_pi_p[batch.into[r]]);
      }
      const double share = batch.ended[r] / batch.options;
      if (share == 0) continue;
      const double stop =
          batch.stop[r] < 0 ? 0 : static_cast<double>(scores.log_pi_p[batch.stop[r]]);
      const double bonus = -entropy_bonus * (log_path[r] + stop);
      out.intrinsic += share * out.row[r];
      out.bonus += share * bonus;
      out.row[r] += alpha * batch.external[r] + bonus;
      out.mean += share * out.row[r];
      out.external += share * batch.external[r];
      out.length += share * (t + 1);
    }
  }
  return out;
}

std::vector<End> gather_ends(std::span<const Shard> shards, Ranks& ranks) {
  std::vector<End> own;
  for (const Shard& shard : shards) {
    const std::vector<End> ends = ends_of(shard.batch, shard.root_start);
    own.insert(own.end(), ends.begin(), ends.end());
  }
  return gather(ranks, std::move(own));
}

void share_goals(std::span<Shard> shards, const Agent& agent, const RunningFrequencies& recent,
                 std::span<const End> ends, Ranks& ranks) {
  if (agent.settings.normalise == Normalise::none || shard_count(agent) == 1) return;
  // all shards of a table share its codes
  if (agent.simulator() == nullptr) {
    for (Shard& shard : shards) shard.goals = goals_of(ends, recent, agent.settings.goals);
    return;
  }
  const auto D = static_cast<std::size_t>(agent.encoding.goals.D);
  std::vector<double> own;
  for (const Shard& shard : shards) {
    for (const End& end : ends_of(shard.batch)) {
      const auto code = shard.batch.codes->goal_numbers.begin() + end.goal * agent.encoding.goals.D;
      own.insert(own.end(), code, code + agent.encoding.goals.D);
    }
  }
  const std::vector<double> all = gather(ranks, std::move(own));
  std::vector<End> numbered(ends.begin(), ends.end());
  for (std::size_t i = 0; i < numbered.size(); ++i) numbered[i].goal = static_cast<int>(i);
  std::vector<SampledGoal> goals = goals_of(numbered, recent, agent.settings.goals);
  std::vector<double> codes;
  for (SampledGoal& goal : goals) {
    const std::span<const double> code = std::span(all).subspan(std::size_t(goal.code) * D, D);
    codes.insert(codes.end(), code.begin(), code.end());
  }
  for (Shard& shard : shards) {
    const int first = shard.sampler->add_goals(codes);
    for (std::size_t k = 0; k < goals.size(); ++k) goals[k].code = first + static_cast<int>(k);
    shard.goals = goals;
  }
}

// Several shards occur only with one start, so a shard's share weighs all of its means.
Means gather_means(std::span<const Shard> shards, const Agent& agent, int X, Ranks& ranks) {
  std::vector<double> own;  // (shards, numbers)
  for (const Shard& shard : shards) {
    const Rewards& rewards = shard.rewards;
    for (double x :
         {rewards.mean, rewards.external, rewards.length, rewards.intrinsic, rewards.bonus}) {
      own.push_back(x);
    }
    const CriticMoments critic = critic_moments(shard.scores, shard.batch);
    own.insert(own.end(), critic.begin(), critic.end());
    const std::vector<double> gain = mean_by_start(shard, X);
    own.insert(own.end(), gain.begin(), gain.end());
    for (std::size_t i = 1; i < agent.models.size(); ++i) {
      // a model that learns by the policy gradient has no loss
      const bool learns_likelihood = agent.models[i].spec.role != Role::skill_prior;
      own.push_back(learns_likelihood ? shard.scores.models[i - 1].loss() : 0);
    }
  }
  const int count = shard_count(agent);
  const std::vector<double> all = gather(ranks, std::move(own));
  std::vector<double> mean(all.size() / count, 0);
  for (int s = 0; s < count; ++s) {
    const double share =
        static_cast<double>(part_of(agent.settings.batch, count, s).size()) / agent.settings.batch;
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += share * all[s * mean.size() + i];
  }
  Means means;
  const auto critic = mean.begin() + 5, gain = critic + std::ssize(means.critic), loss = gain + X;
  means = {.reward = mean[0],
           .external = mean[1],
           .length = mean[2],
           .intrinsic = mean[3],
           .bonus = mean[4],
           .critic = {},
           .gain = {gain, loss},
           .loss = {loss, mean.end()}};
  std::copy(critic, gain, means.critic.begin());
  return means;
}

}  // namespace vic
