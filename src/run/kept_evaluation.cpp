#include "run/kept_evaluation.h"

#include <filesystem>

#include "base/file.h"
#include "eval/evaluation_numbers.h"
#include "run/result_mark.h"

namespace vic {
namespace {

constexpr const char* tensor_name = "evaluation";

std::map<std::string, std::string> mark_of(const Run& run) {
  const Json mark = result_mark(run);
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : mark.items()) metadata[key] = value.dump();
  return metadata;
}

// whether the arrays are as long as the run makes them
bool fits(const Evaluation& kept, const Agent& agent) {
  if (agent.simulator() == nullptr) {
    return kept.parts <= 1 || kept.p_f.size() == static_cast<std::size_t>(agent.final_states());
  }
  const SimulatorSpec& spec = agent.simulator()->spec();
  const auto length = static_cast<std::size_t>(spec.T + 1) * static_cast<std::size_t>(spec.n());
  return !kept.watched.empty() &&
         std::all_of(kept.watched.begin(), kept.watched.end(),
                     [&](const std::vector<double>& states) { return states.size() == length; });
}

}  // namespace

KeptEvaluation::KeptEvaluation(const Run& run, const std::string& folder)
    : run_(run), path_(folder + "/evaluation.part.safetensors") {}

Evaluation KeptEvaluation::read() const {
  if (!path_exists(path_)) return {};
  try {
    const TensorFile file = unseal_tensors(read_file(path_, largest_run_file), path_);
    if (file.metadata != mark_of(run_)) return {};
    Evaluation kept = evaluation_of(values<double>(file.at(tensor_name)));
    if (fits(kept, run_.learner->agent())) return kept;
  } catch (const Error&) {
    // ignored: it is measured again, to the same numbers
  }
  return {};
}

void KeptEvaluation::note(const Evaluation& so_far) {
  using namespace std::chrono_literals;
  numbers_ = numbers_of(so_far);
  if (Clock::now() - written_ >= 1s) write();
}

void KeptEvaluation::write() {
  if (numbers_.empty()) return;
  const std::vector<double> numbers = std::exchange(numbers_, {});
  const auto size = static_cast<std::int64_t>(numbers.size());
  const TensorFile file{mark_of(run_), {{tensor_name, make_tensor(numbers, {size})}}};
  write_file(path_, seal_tensors(file), Links::replace);
  written_ = Clock::now();
}

void KeptEvaluation::remove() const {
  std::error_code missing;
  std::filesystem::remove(path_, missing);
}

}  // namespace vic
