// evaluation.part.safetensors: what an evaluation after training has measured so far. It is there
// while one lasts, and after one that was interrupted.
#pragma once

#include <chrono>
#include <string>

#include "eval/evaluate.h"
#include "run/run_folder.h"

namespace vic {

class KeptEvaluation {
 public:
  KeptEvaluation(const Run& run, const std::string& folder);

  // What was kept of the evaluation of these weights; the beginning of one where nothing was, or
  // what is there is damaged or of another run.
  Evaluation read() const;

  // Notes how far the evaluation is; writes it down where that took a while.
  void note(const Evaluation& so_far);

  // Writes down what was noted last.
  void write();

  // The evaluation is whole, and has a file of its own.
  void remove() const;

 private:
  using Clock = std::chrono::steady_clock;

  const Run& run_;
  std::string path_;
  std::vector<double> numbers_;  // that were noted and not written
  Clock::time_point written_ = Clock::now();
};

}  // namespace vic
