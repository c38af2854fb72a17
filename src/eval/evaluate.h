// Where learning meets truth: H, D, N and p(s_f) of a trained policy, and how right its models are.
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
  Stop stop = {};  // ends the evaluation, which throws Interrupted

  template <class Visitor>
  void visit(Visitor&& field) {
    field("histories", histories, Range{1, 20000000},
          "evaluate exactly in worlds with at most this many histories");
    field("options", options, Range{100, 1e9}, "options to sample where that is too many");
    field("bound_updates", bound_updates, Range{0, 1e9},
          "updates of the models that bracket D and N there; 0: neither is measured");
    field("reach", reach, Range{0, 1e9},
          "options to send to each goal where that is not computed exactly; 0: none are sent");
    field("survey", survey, Range{10, 1e9},
          "options to survey in a simulated world; after training, unless set, a hundredth of its "
          "options, 32 to 1,024");
    field("seed", seed, Range{0, 2147483647}, "the randomness of the sample");
  }
};

// The reward of an option against the number it estimates, -log p(s_f), over the policy's options.
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
  double pi_q_blind = 0, rho_ratio_blind = 0;  // the same of models that do not see s_f
};

// How surely options end where they are sent: means over the reachable goals (eval/reach.h).
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

struct Evaluation {
  int parts = 0;  // that are done; the parts of an evaluation follow each other in one order
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
  int rooms = 0;                             // those of them that absorb
  std::optional<double> absorbed;            // share of options that end in a state that absorbs
  std::vector<int> route;                    // states on the most likely way, each step by itself
  std::vector<double> p_f;                   // (S)
  std::optional<Calibration> calibration;    // for algorithms with hindsight models
  std::optional<ReachSummary> reach;         // for algorithms that have a goal policy
  std::optional<PosteriorError> posterior;   // exact only
  std::optional<Survey> survey;              // of a simulated world: H is that of its cells
  std::optional<OwnReach> own_reach;         // of a simulated world, with a goal policy
  std::optional<UsableControl> usable;       // likewise
  bool reach_failed = false;                 // the simulator failed where it should be measured
  std::vector<std::vector<double>> watched;  // of a simulated world: the states (T + 1, n)
};

// Who follows an evaluation, which may take minutes.
struct EvalWatch {
  // with what is measured now and the share of it that is done
  std::function<void(std::string_view part, double done)> progress = {};
  // after each part, with all that is known by then
  std::function<void(const Evaluation& so_far)> keep = {};
};

// Goes through the parts of an evaluation, one after the other, and leaves out those that were done
// before it was interrupted.
class EvaluationParts {
 public:
  EvaluationParts(Evaluation& evaluation, const EvalSettings& settings, const EvalWatch& watch)
      : evaluation_(evaluation), settings_(settings), watch_(watch) {}

  // `work(step)` measures the next part, and calls the step between its steps.
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

// Exact where the world's histories can be enumerated, sampled elsewhere; states and rooms are
// those of a sample everywhere. Of a simulated world there is a survey, H, I_hat and own_reach, and
// nothing else. Goes on with what was kept of the same evaluation, if anything was, to the same
// numbers.
Evaluation evaluate(const Learner& learner, const EvalSettings& settings,
                    const EvalWatch& watch = {}, Evaluation so_far = {});

// H of a policy in training, with D and N where they are known: exactly on the tree of all
// histories, else by the final states of sampled options, and then all of H is D in worlds without
// chance. Nothing else of the result is set.
Evaluation measure_control(const Agent& agent, const std::optional<HistoryTree>& tree, int options,
                           const Step& step);

// From s_0 the most likely action of pi_p and its most likely outcome, until it terminates.
std::vector<int> most_likely_route(const Agent& agent);

}  // namespace vic
