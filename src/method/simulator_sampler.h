// Options in a simulated world. There is no table: the states of a batch and the actions taken in
// them are numbered like its rows, and no two options share a history.
#pragma once

#include <memory>
#include <vector>

#include "method/sampler.h"
#include "method/settings.h"
#include "sim/simulator.h"

namespace vic {

// The scales of the numbers of a state: their mean and standard deviation over options of random
// actions, and the root mean square of their change per action. Part of the checkpoint.
struct Scales {
  std::vector<double> mean;       // (n)
  std::vector<double> deviation;  // (n)
  std::vector<double> step;       // (n)
};

Scales measure_scales(const Simulator& world, std::uint64_t seed);

// How the states, actions and goals of a simulated world enter the nets.
Encoding encode_simulator(const Simulator& world, ActionKind actions = ActionKind::levels);

// The state (n) in a row of a simulated batch.
inline std::span<const double> observed_state(const Batch& batch, int n, int row) {
  return std::span(batch.codes->observed)
      .subspan(static_cast<std::size_t>(row) * n, static_cast<std::size_t>(n));
}

// The controls (F) of a continuous action.
std::vector<double> controls_of(const SimulatorSpec& spec, const Codes& codes, int action);

class SimulatorSampler : public Sampler {
 public:
  // The world must outlive the sampler.
  SimulatorSampler(const Simulator& world, const Encoding& encoding, Scales scales, int threads);

  // Sets the goals that options may be conditioned on from now on, as states s_f, (G, n), with G at
  // most most_goals(B). Beginning::goal is an index below G.
  void set_goals(std::span<const double> s_f);

  // The number of goals that a batch of B options has room for: rows in which no option can end.
  int most_goals(int B) const { return spec_->falls ? B : B * spec_->T; }

  // Makes the state of every row a goal of the batch, not only the states in which options end.
  void number_all_goals() { all_goals_ = true; }

  // Sets the actions that options take from now on, (B, T, F) levels or pushes, in place of those
  // sampled from the policy; empty: sampled again.
  void set_script(std::vector<double> actions) { script_ = std::move(actions); }

  int add_goals(std::span<const double> codes) override;

  // Sets where options begin from now on: (B) snapshots of episodes, whose count of actions begins
  // anew; empty: at the start.
  void set_starts(std::vector<std::vector<double>> snapshots) { starts_ = std::move(snapshots); }

  // The snapshot of option b of the last batch at its end.
  std::span<const double> snapshot(int b) const { return episodes_->snapshot(b); }

  const Simulator& world() const { return *world_; }

  // The displacement from the start to a state.
  Displacement displacement_to(std::span<const double> s) {
    return displacement_of(*world_, *viewer_, s);
  }

 protected:
  int most_levels() const override { return spec_->T + 1; }
  void begin(Batch& batch, std::span<const Beginning> beginnings, RolloutAddress address) override;
  bool step(Batch& batch, int t, const Deciding& by, RolloutAddress address) override;

 private:
  // An option that has not ended: its index, its last row, and the decision made there.
  struct Going {
    int option = 0, row = 0, decision = -1;
  };

  void add_level(Batch& batch, int t);
  void add_code(int t, std::span<const double> s, int row_before);
  void write_goal(double* code, std::span<const double> s_f);
  double scaled(std::span<const double> s, int j) const {
    return (s[j] - scales_.mean[j]) / scales_.deviation[j];
  }
  int goal_cell(std::span<const double> s_f);
  void decide(Batch& batch, int t, const Deciding& by, RolloutAddress address);
  void draw_levels(const Batch& batch, int t, const Deciding& by, RolloutAddress address);
  void draw_pushes(const Batch& batch, int t, const Deciding& by, RolloutAddress address);
  double scripted(int b, int t, int i) const {
    return script_[(static_cast<std::size_t>(b) * spec_->T + t) * spec_->F() + i];
  }

  const Simulator* world_;
  const SimulatorSpec* spec_;
  int threads_;
  Scales scales_;
  std::unique_ptr<Viewer> viewer_;
  std::unique_ptr<Episodes> episodes_;
  std::shared_ptr<Codes> codes_;             // of the batch that is being sampled
  std::vector<double> goals_;                // (G, goals.D) the codes of the goals of set_goals
  std::vector<int> goal_cells_;              // (G)
  std::vector<int> roots_;                   // (B)
  std::vector<std::vector<double>> starts_;  // (B) snapshots, or empty
  std::vector<Going> going_;                 // options that have not ended
  std::vector<int> levels_;                  // (B, F)
  std::vector<double> controls_;             // (B, F) of continuous actions
  std::vector<double> script_;               // (B, T, F) or empty
  bool all_goals_ = false;                   // whether every row's state is a goal
  std::vector<double> p_;                    // (L) workspace
  std::vector<double> seen_;                 // (K) or (observations) workspace
};

}  // namespace vic
