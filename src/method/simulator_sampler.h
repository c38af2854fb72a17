// Options in a simulated world. There is no table: the states of a batch, and the actions that are
// taken in them, are numbered like its rows, and no two options share a history.
#pragma once

#include <memory>
#include <vector>

#include "method/sampler.h"
#include "method/settings.h"
#include "sim/simulator.h"

namespace vic {

// What the numbers of a state are measured in: their mean and deviation over options of random
// actions, and the deviation of what one action changes. Part of the checkpoint.
struct Scales {
  std::vector<double> mean;       // (n)
  std::vector<double> deviation;  // (n)
  std::vector<double> step;       // (n)
};

Scales measure_scales(const Simulator& world, std::uint64_t seed);

// How the states, actions and goals of a simulated world enter the nets.
Encoding encode_simulator(const Simulator& world, ActionKind actions = ActionKind::levels);

// The numbers (n) of the state of a row of a simulated batch.
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

  // The goals that options may be conditioned on from now on, as states s_f, (G, n):
  // Beginning::goal is a number below G. No more of them than most_goals.
  void set_goals(std::span<const double> s_f);

  // How many goals a batch of B options has room for: rows in which none ends.
  int most_goals(int B) const { return spec_->falls ? B : B * spec_->T; }

  // Lets every state be a goal that looks back from its row, not only where options end.
  void number_all_goals() { all_goals_ = true; }

  // The actions that options take from now on, (B, T, F) levels or pushes, whatever the policy
  // says; empty: those that it draws.
  void set_script(std::vector<double> actions) { script_ = std::move(actions); }

  int add_goals(std::span<const double> codes) override;

  // Where options begin from now on: a snapshot of an episode for each, (B), whose actions are
  // counted anew; empty: at the start.
  void set_starts(std::vector<std::vector<double>> snapshots) { starts_ = std::move(snapshots); }

  // The episode of option b of the last batch, where it ended.
  std::span<const double> snapshot(int b) const { return episodes_->snapshot(b); }

  const Simulator& world() const { return *world_; }

  // From the start to a state.
  Displacement displacement_to(std::span<const double> s) {
    return displacement_of(*world_, *viewer_, s);
  }

 protected:
  int most_levels() const override { return spec_->T + 1; }
  void begin(Batch& batch, std::span<const Beginning> beginnings, RolloutAddress address) override;
  bool step(Batch& batch, int t, const Deciding& by, RolloutAddress address) override;

 private:
  // An option that goes on: its number, its last row, and what was decided there.
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
  std::shared_ptr<Codes> codes_;  // of the batch that is being sampled
  std::vector<double> goals_;     // (G, goals.D) the codes of the goals that may be conditioned on
  std::vector<int> goal_cells_;   // (G)
  std::vector<int> roots_;        // (B)
  std::vector<std::vector<double>> starts_;  // (B) snapshots, or empty
  std::vector<Going> going_;                 // options that have not ended
  std::vector<int> levels_;                  // (B, F)
  std::vector<double> controls_;             // (B, F) of continuous actions
  std::vector<double> script_;               // (B, T, F) or empty
  bool all_goals_ = false;                   // of all rows, not only of the last
  std::vector<double> p_;                    // (L) work space
  std::vector<double> seen_;                 // (K) or (observations) work space
};

}  // namespace vic
