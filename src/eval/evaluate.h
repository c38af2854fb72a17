// Evaluation against the truth: H, D, N and p(s_f) of a trained policy, and the errors of its
// models.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "base/stop.h"
#include "eval/policy_table.h"
#include "eval/simulator_reach.h"
#include "method/learner.h"
#include "oracle/control.h"
#include "oracle/unrolled.h"
#include "sim/survey.h"

namespace vic {

struct EvalSettings {
  int histories = 300000;
  int options = 100000;
  int bound_updates = 500;
  int reach = 100;
  int survey = 1024;
  int seed = 1;
  Stop stop = {};  // ends the evaluation, which then throws Interrupted

  template <class Visitor>
  void visit(Visitor&& field) {
    field("histories", histories, Range{1, 20000000},
          "evaluate exactly in worlds with at most this many histories");
    field("options", options, Range{100, 1e9}, "options to sample in larger worlds");
    field("bound_updates", bound_updates, Range{0, 1e9},
          "updates of the models that bracket D and N there; 0: neither is measured");
    field("reach", reach, Range{0, 1e9},
          "options per goal if reach is not computed exactly; 0: reach is not measured");
    field("survey", survey, Range{10, 1e9},
          "options to survey in a simulated world; after training, unless set, a hundredth of its "
          "options, 32 to 1,024");
    field("seed", seed, Range{0, 2147483647}, "the randomness of the sample");
  }
};

// The reward of an option as an estimate of -log p(s_f), over the policy's options.
struct Calibration {
  double bias = 0;         // mean of reward + log p(s_f)
  double deviation = 0;    // standard deviation of the same
  double correlation = 0;  // of reward and -log p(s_f)
};

// KL(exact || learned) of a hindsight model, averaged over the steps that the policy takes.
struct PosteriorError {
  double pi_q = 0;
  std::optional<double> rho_q;                 // softmax models only
  std::optional<double> rho_ratio;             // mean |log rho_q / rho_p - its exact value|
  std::optional<double> b;                     // of b(s_f | tau, a), over the decisions
  double pi_q_blind = 0, rho_ratio_blind = 0;  // the same for models that do not see s_f
};

// How often options end in the goal that they are conditioned on: means over the reachable goals
// (eval/reach.h).
struct ReachSummary {
  bool exact = false;
  double mean = 0;         // as learned
  double worst = 0;        // of the goal that falls shortest of the best
  double greedy_mean = 0;  // with the likeliest actions
  double best_mean = 0;    // of the best policy for each goal
};

// Control that the agent's own models can steer: a lower bound of D.
struct UsableControl {
  double D = 0;     // mean of sum_t log pi_q - log pi_p over options that the models have not seen
  double ci95 = 0;  // half of its 95 % interval
};

// What the skills of a simulated world without chance do, each with its likeliest actions: always
// the same. H is I(skill; s_f) of skills drawn uniformly, at most the logarithm of their number.
struct SkillEnds {
  double H = 0;                                    // of their cells
  int cells = 0;                                   // in which some skill ends
  double forward_flips = 0, backflips = 0;         // shares of the skills
  int most_forward_flips = 0, most_backflips = 0;  // of one
};

struct Evaluation {
  int parts = 0;  // the number of parts done; they always run in the same order
  bool exact = false;
  double H = 0;
  std::optional<double> I;                   // of what is chosen in advance (eval/policy_table.h)
  std::optional<double> D, N;                // exact, or the middle of their intervals
  std::optional<Interval> D_in, N_in;        // hold D and N in 95 of 100 evaluations or more
  double ci95 = 0;                           // half of the 95 % interval of H; 0 if exact
  double I_hat = 0;                          // the paper's estimate, from the running p(s_f)
  double external = 0;                       // mean external reward
  double external_ci95 = 0;                  // half of its 95 % interval; 0 if exact
  int states = 0;                            // final states of the sampled options
  int rooms = 0;                             // those of them that are absorbing
  std::optional<double> absorbed;            // share of options that end in an absorbing state
  std::vector<int> route;                    // states passed by taking the likeliest step each time
  std::vector<double> p_f;                   // (S)
  std::optional<Calibration> calibration;    // for algorithms with hindsight models
  std::optional<ReachSummary> reach;         // for algorithms that have a goal policy
  std::optional<PosteriorError> posterior;   // exact only
  std::optional<Survey> survey;              // of a simulated world: H is that of its cells
  std::optional<OwnReach> own_reach;         // of a simulated world, with a goal policy
  std::optional<UsableControl> usable;       // likewise
  std::optional<SkillEnds> skills;           // of a simulated world, where the policy has skills
  bool repeats = true;                       // whether a deterministic simulator is one
  bool reach_failed = false;                 // the simulator failed in reach or skills
  std::vector<std::vector<double>> watched;  // of a simulated world: the states (T + 1, n)
};

// Callbacks of an evaluation, which may take minutes.
struct EvalWatch {
  // called with the part that is being measured and the share of it that is done
  std::function<void(std::string_view part, double done)> progress = {};
  // called after each part with all that has been measured so far
  std::function<void(const Evaluation& so_far)> keep = {};
};

// Runs the parts of an evaluation in order, and skips those that were done before an interruption.
class EvaluationParts {
 public:
  EvaluationParts(Evaluation& evaluation, const EvalSettings& settings, const EvalWatch& watch)
      : evaluation_(evaluation), settings_(settings), watch_(watch) {}

  // `work(step)` measures the next part, and calls `step` as it goes along.
  template <class Work>
  void next(const char* name, Work&& work) {
    if (next_++ < evaluation_.parts) return;
    const Step step = [&](int done, int all) {
      settings_.stop.check();
      if (watch_.progress) watch_.progress(name, static_cast<double>(done) / all);
    };
    step(0, 1);
    work(step);
    evaluation_.parts = next_;
    if (watch_.keep) watch_.keep(evaluation_);
  }

 private:
  Evaluation& evaluation_;
  const EvalSettings& settings_;
  const EvalWatch& watch_;
  int next_ = 0;
};

// Exact if the world's histories can be enumerated, sampled otherwise; states and rooms always come
// from a sample. A simulated world has a survey, H, I_hat, calibration, usable, skills and
// own_reach, and D and N where they are known. Continues from what was kept of an interrupted
// evaluation, if anything was, and arrives at the same numbers.
Evaluation evaluate(const Learner& learner, const EvalSettings& settings,
                    const EvalWatch& watch = {}, Evaluation so_far = {});

// H of a policy in training, with D and N where they are known: exact on the tree of all histories;
// otherwise from the final states of sampled options, with D = H in worlds without chance. Nothing
// else of the result is set.
Evaluation measure_control(const Agent& agent, const std::optional<HistoryTree>& tree, int options,
                           const Step& step);

// The states from s_0 onward if pi_p takes its likeliest action, and the world its likeliest
// outcome, at every step until termination.
std::vector<int> most_likely_route(const Agent& agent);

}  // namespace vic
