// evaluation.part.safetensors: the results so far of an evaluation after training. It exists during
// an evaluation, and after an interrupted one.
#pragma once

#include <chrono>
#include <string>

#include "eval/evaluate.h"
#include "run/run_folder.h"

namespace vic {

class KeptEvaluation {
 public:
  KeptEvaluation(const Run& run, const std::string& folder);

  // The part that was kept of the evaluation of these weights; an empty one if there is none, or if
  // the file is damaged or belongs to another run.
  Evaluation read() const;

  // Records the evaluation so far, and writes it at most once per second.
  void note(const Evaluation& so_far);

  // Writes what was recorded last.
  void write();

  // Removes the file, once the evaluation is complete and has its own.
  void remove() const;

 private:
  using Clock = std::chrono::steady_clock;

  const Run& run_;
  std::string path_;
  std::vector<double> numbers_;  // recorded and not yet written
  Clock::time_point written_ = Clock::now();
};

}  // namespace vic
