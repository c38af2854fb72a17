// THE METHOD. One update of implicit VIC, Algorithm 1, Algorithm 2, the marginal yardstick, the
// external reward alone, or a baseline with options of another kind:
//
//   rollout: draw options from pi_p
//   score:   log-probabilities of all that happened, under pi_p, pi_q, rho_p, rho_q
//   reward:  r = sum_t log pi_q - log pi_p + lambda sum_t log rho_q - log rho_p + alpha r_E
//   update:  pi_p by the policy gradient with r - b(s_0), the others by maximum likelihood
#pragma once

#include <optional>
#include <vector>

#include "base/worker.h"
#include "method/batch.h"
#include "method/decisions.h"
#include "method/frequencies.h"
#include "method/labels.h"
#include "method/physics_stage.h"
#include "method/rollout.h"
#include "method/settings.h"
#include "method/stage.h"
#include "model/predictor.h"

namespace vic {

// What an update has to say. Means are over the options of the batch.
struct Metrics {
  long update = 0;       // updates so far, the warm-up included
  double reward = 0;     // mean reward, external part and entropy bonus included
  double external = 0;   // mean external reward
  double baseline = 0;   // b(s_0), the mean over the starts
  double length = 0;     // mean number of actions
  double I_hat = 0;      // entropy of the running p(s_f), the paper's estimate
  double loss_pi_q = 0;  // mean -log pi_q of an option, or -log q; likewise below
  double loss_rho_p = 0;
  double loss_rho_q = 0;

  template <class Visitor>
  void visit(Visitor&& field) {
    field("update", update);
    field("reward", reward);
    field("external", external);
    field("baseline", baseline);
    field("length", length);
    field("I_hat", I_hat);
    field("loss_pi_q", loss_pi_q);
    field("loss_rho_p", loss_rho_p);
    field("loss_rho_q", loss_rho_q);
  }
};

// Everything that learning changes, besides the nets. X is the number of starts, mostly one.
struct LearnerState {
  long update = 0;
  std::vector<double> baseline;  // (X) b(s_0)
  RunningFrequencies p_f;        // over about a hundred batches: the paper's estimate
  RunningFrequencies recent;     // over fewer: what `marginal` rewards by
};

class Learner {
 public:
  // Throws a UsageError for settings that do not fit the world. The world must outlive this.
  Learner(const TabularWorld& world, const TrainSettings& settings);
  Learner(const PhysicsWorld& world, const TrainSettings& settings);
  Learner(const Learner&) = delete;  // its parts refer to each other
  Learner& operator=(const Learner&) = delete;

  // One update: of all but the policy while state().update < warm_up. Throws an Error that names
  // model and update as soon as a number is not finite.
  void update();

  // About the last update.
  Metrics metrics() const;

  // The world, where it has a table.
  const TabularWorld& world() const { return *world_; }
  const TrainSettings& settings() const { return settings_; }
  const Encoding& encoding() const { return stage_->states; }

  Stage& stage() { return *stage_; }

  // The body, where there is one; else null.
  PhysicsStage* physics() { return physics_; }
  LearnerState& state() { return state_; }

  // The models that the algorithm has, pi_p first.
  std::vector<Predictor*> predictors();
  Predictor& pi_p() { return pi_p_; }

  // The policy that can be told where to end, and what it is told for a goal; nothing where the
  // algorithm has none.
  std::optional<Actor> goal_actor(double temperature = 1);
  int told_for(int goal) { return labels_ ? labels_->guess(goal) : goal; }

  // Explicit options; null where the algorithm has none.
  Labels* labels() { return labels_ ? &*labels_ : nullptr; }

  // B beginnings in s_0, as pi_p expects them.
  void begin_in_s_0(std::vector<Beginning>& beginnings, int B, RolloutAddress address);

  // Draws B options from pi_p, which no update has to do with.
  void draw(Batch& batch, HistoryInputs<float>& inputs, int B, RolloutAddress address);

  // The reward of an option that ended in each row of a batch, under the present models; rows in
  // which none ended hold anything. The models are asked about `batch`, which pi_p need not have
  // drawn.
  const std::vector<double>& rewards(const Batch& batch, const HistoryInputs<float>& inputs);

  // The same without external reward and entropy bonus.
  const std::vector<double>& intrinsic_rewards(const Batch& batch,
                                               const HistoryInputs<float>& inputs);

  // The weights of the external reward and of the entropy bonus in the next update.
  double alpha() const;
  double entropy_bonus() const;

 private:
  Learner(std::unique_ptr<Stage> stage, const TrainSettings& settings);
  void make_hindsight();
  int start_of(int row) const { return root_start_[batch_.histories.root[row]]; }
  void draw_options();
  void draw_and_read(RolloutAddress address);
  void begin_options(RolloutAddress address);
  void count_rewards();
  void begin_baselines();
  void follow_rewards();
  void score(const Batch& batch, const Asked& asked);
  void reward_control(const Batch& batch, const Asked& asked);
  void reward_the_rest(const Batch& batch);
  void ask_decisions_in_hindsight(const Batch& batch);
  void ask_transitions(const Batch& batch);
  void ask_transitions_in_hindsight(const Batch& batch);
  void learn(const Asked& asked);
  void require_finite(const std::vector<float>& numbers, const Predictor& from) const;
  AdamSettings adam(double rate) const;
  double policy_updates() const { return static_cast<double>(state_.update - settings_.warm_up); }

  std::unique_ptr<Stage> stage_;
  const TabularWorld* world_ = nullptr;
  PhysicsStage* physics_ = nullptr;
  TrainSettings settings_;
  Algorithm algorithm_;
  std::vector<int> starts_ = {0};  // (X)
  std::vector<int> start_of_;      // (S) the place in starts_; -1 for none
  LearnerState state_;

  // a model, what it is asked, and what it answers
  struct Part {
    Predictor predictor;
    Queries queries = {};
    Outcomes outcomes = {};
    std::vector<float> weight = {};  // (M) the share of the options that an outcome belongs to
    std::vector<float> log_p = {};   // (M)
    // (Q) where hindsight corrects foresight: the question that was asked without it
    std::vector<int> foresight = {};
  };
  double loss(const std::optional<Part>& part) const;
  Base foresight(const Part& part);
  void ask(Part& part, const Asked& asked);

  Encoding labels_code_;  // what pi_p is told: the number of an explicit option, or nothing
  Predictor pi_p_;
  Decisions decisions_;          // of pi_p
  std::vector<float> log_pi_p_;  // (D)
  std::optional<Part> pi_q_;     // outcomes: the decisions in hindsight
  std::optional<Part> rho_p_;    // outcomes: the rows but the roots
  std::optional<Part> rho_q_;    // outcomes: the pairs of those rows

  std::optional<Labels> labels_;

  std::vector<Beginning> beginnings_;
  Batch batch_;
  HistoryInputs<float> inputs_;
  std::optional<Worker> reader_;  // reads histories for pi_q while they grow
  Hindsight hindsight_;
  Noise<float> noise_;

  std::vector<double> pair_reward_;   // (P) work space
  std::vector<double> row_reward_;    // (R) reward of ending in the row
  std::vector<double> log_path_;      // (R) log pi_p of the decisions on the way to the row
  std::vector<double> gain_;          // (R) row_reward_ minus b(s_0)
  std::vector<double> start_reward_;  // (X) mean reward of the batch's options from each start
  std::vector<int> start_options_;    // (X) how many they are
  std::vector<int> root_start_;       // (roots) which start they begin in
  std::vector<int> index_;            // work space
  std::vector<int> asked_after_;      // (D) what rho_p was asked about a decision
  double mean_reward_ = 0, mean_external_ = 0, mean_length_ = 0;
};

}  // namespace vic
