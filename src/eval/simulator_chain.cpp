#include "eval/simulator_chain.h"

#include <algorithm>
#include <cmath>

#include "eval/simulator_eval.h"

namespace vic {
namespace {

// whether all parts moved by the same vector
bool moved_together(const std::vector<Capsule>& from, const std::vector<Capsule>& to) {
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Capsule &a = from[i], &b = to[i], &a0 = from[0], &b0 = to[0];
    const double x = b0.x1 - a0.x1, y = b0.y1 - a0.y1, z = b0.z1 - a0.z1;
    if (!near(b.x1 - a.x1, x) || !near(b.x2 - a.x2, x) || !near(b.y1 - a.y1, y) ||
        !near(b.y2 - a.y2, y) || !near(b.z1 - a.z1, z) || !near(b.z2 - a.z2, z)) {
      return false;
    }
  }
  return true;
}

// one chain in progress
struct Chain {
  Displacement at;               // (K) from where it began
  std::vector<double> snapshot;  // where its last option ended
  int options = 0;
  bool going = true, arrived = false, fallen = false;
};

class Chains {
 public:
  Chains(const Agent& agent, const Unconditioned& unconditioned, const PointGoal& goal,
         const ReachSettings& settings)
      : agent_(agent),
        unconditioned_(unconditioned),
        goal_(goal),
        settings_(settings),
        spec_(agent.simulator()->spec()),
        actor_(require_goal_policy(agent, settings.temperature)),
        sampler_(make_simulator_sampler(agent)),
        viewer_(agent.simulator()->make_viewer()),
        translations_(translations_of(*agent.simulator())) {
    chains_.resize(options_repeat(spec_, settings) ? 1 : settings.simulated_options);
    for (Chain& chain : chains_) chain.at.assign(static_cast<std::size_t>(spec_.K()), 0);
  }

  ChainReach run() {
    ChainReach reach;
    reach.anew = !translations_.empty();
    for (int k = 0; k < settings_.chain && take_options(k); ++k) {
      if (chains_[0].options > k) reach.stops.push_back(chains_[0].at);
    }
    const auto N = static_cast<double>(chains_.size());
    double arrived = 0;
    for (const Chain& chain : chains_) {
      reach.fallen += chain.fallen / N;
      if (!chain.arrived) continue;
      ++arrived;
      reach.first += (chain.options == 1) / N;
      reach.options += chain.options;
    }
    if (arrived > 0) reach.options /= arrived;
    const double p = arrived / N;
    reach.success = {p, options_repeat(spec_, settings_) ? Interval{p, p} : wilson_interval(p, N)};
    return reach;
  }

 private:
  // one more option for every unfinished chain; false if there is none
  bool take_options(int k) {
    settings_.stop.check();
    std::vector<Chain*> going;
    std::vector<double> s_f;
    std::vector<std::vector<double>> starts;
    std::vector<Beginning> beginnings;
    for (Chain& chain : chains_) {
      if (!chain.going) continue;
      beginnings.push_back({.goal = static_cast<int>(going.size())});
      going.push_back(&chain);
      const std::vector<double>& option = unconditioned_.options[closest(chain)];
      s_f.insert(s_f.end(), option.end() - spec_.n(), option.end());
      if (k > 0) starts.push_back(chain.snapshot);
    }
    if (going.empty()) return false;
    sampler_->set_goals(s_f);
    sampler_->set_starts(std::move(starts));
    sampler_->start(batch_, beginnings);
    for (std::size_t b = 0; b < beginnings.size(); ++b) {
      int& goal = beginnings[b].goal;
      // option i without a goal is that of skill i
      goal = unconditioned_.of_skills ? static_cast<int>(closest(*going[b]))
                                      : agent_.algorithm->objective->condition_for(
                                            agent_, batch_, static_cast<int>(b), goal);
    }
    sampler_->sample(batch_, actor_, work_, beginnings,
                     {stream_seed(Stream::journey, settings_.seed), static_cast<std::uint32_t>(k)});
    for (std::size_t b = 0; b < going.size(); ++b) arrive(*going[b], static_cast<int>(b));
    return true;
  }

  // the unconditioned option that ends closest to the displacement that remains
  std::size_t closest(const Chain& chain) const {
    PointGoal left = goal_;
    for (const auto& [k, number] : translations_) {
      if (left[k]) *left[k] -= chain.at[k];
    }
    std::size_t best = 0;
    double nearest = HUGE_VAL;
    for (std::size_t i = 0; i < unconditioned_.ends.size(); ++i) {
      const Displacement& end = unconditioned_.ends[i];
      if (spec_.falls && end.back() != 0) continue;
      const double far = miss(spec_, left, end);
      if (far < nearest) best = i, nearest = far;
    }
    return best;
  }

  // updates a chain by option b of the last batch
  void arrive(Chain& chain, int b) {
    const std::span<const double> episode = sampler_->snapshot(b);
    chain.snapshot.assign(episode.begin(), episode.end());
    // the state follows the count of actions
    const std::span<double> state =
        std::span(chain.snapshot).subspan(1, static_cast<std::size_t>(spec_.n()));
    ++chain.options;
    viewer_->put(state);
    chain.fallen = viewer_->posture().fallen;
    const Displacement end = displacement_of(*agent_.simulator(), *viewer_, state);
    Displacement at = end;
    for (const auto& [k, number] : translations_) {
      at[k] += chain.at[k];
      state[static_cast<std::size_t>(number)] -= end[k];
    }
    if (!chain.fallen) chain.at = at;
    chain.arrived = !chain.fallen && is_close(spec_, goal_, at);
    chain.going = !chain.fallen && !chain.arrived;
  }

  const Agent& agent_;
  const Unconditioned& unconditioned_;
  const PointGoal& goal_;
  const ReachSettings& settings_;
  const SimulatorSpec& spec_;
  Actor actor_;
  std::unique_ptr<SimulatorSampler> sampler_;
  std::unique_ptr<Viewer> viewer_;
  std::vector<Translation> translations_;
  std::vector<Chain> chains_;
  Batch batch_;
  ActorWorkspace work_;
};

}  // namespace

std::vector<Translation> translations_of(const Simulator& world) {
  const SimulatorSpec& spec = world.spec();
  const auto viewer = world.make_viewer();
  viewer->put(spec.start);
  const std::vector<Capsule> parts = viewer->parts();
  if (std::ranges::any_of(parts, [](const Capsule& part) { return part.limb < 0; })) return {};
  std::vector<Translation> list;
  for (int j = 0; j < spec.n(); ++j) {
    std::vector<double> state = spec.start;
    state[j] += 1;
    const Displacement moved = displacement_of(world, *viewer, state);
    if (!moved_together(parts, viewer->parts())) continue;
    for (int k = 0; k < spec.K(); ++k) {
      bool alone = spec.coordinates[k].unit == "m" && std::abs(moved[k] - 1) < 1e-9;
      for (int other = 0; other < spec.K(); ++other) {
        alone = alone && (other == k || std::abs(moved[other]) < 1e-9);
      }
      if (alone) list.push_back({k, j});
    }
  }
  return list;
}

ChainReach chain_to(const Agent& agent, const Unconditioned& unconditioned, const PointGoal& goal,
                    const ReachSettings& settings) {
  return Chains(agent, unconditioned, goal, settings).run();
}

}  // namespace vic
