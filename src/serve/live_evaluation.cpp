#include "serve/live_evaluation.h"

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include <chrono>

#include "eval/record.h"
#include "run/run_folder.h"

namespace vic {
namespace {

// the share of a processor that evaluations may take
constexpr double evaluation_share = 0.05;
// and the shortest time before it checks again
constexpr std::chrono::milliseconds evaluation_pause{500};

double thread_seconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// identifies a checkpoint, as each is a new file that was renamed; "" if there is none
std::string checkpoint_of(const std::string& folder) {
  struct stat status = {};
  if (::lstat((folder + "/checkpoint.safetensors").c_str(), &status) == -1) return "";
  return fmt::format("{} {} {}", status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

}  // namespace

LiveValues evaluate_checkpoint(const std::string& folder, Stop stop) {
  const Run run = load_trained_run(folder, no_warning);
  // exact if that takes a moment; only the numbers that a picture shows
  const EvalSettings small{.histories = 20000,
                           .options = 4000,
                           .bound_updates = 0,
                           .reach = 0,
                           .survey = 128,
                           .stop = stop};
  const Evaluation evaluation = evaluate(*run.learner, small);
  const Reference reference{.world = run.world, .exact = {}, .frontier = {}, .random = {}};
  const std::string path = folder + ", as it is evaluated";
  const auto read = [&](const Json& json) { return FileValue::parse(json.dump(), path); };
  LiveValues live{read_evaluation(read(evaluation_json(*run.learner, evaluation, reference))), {}};
  if (const auto films = films_json(*run.learner, evaluation))
    live.films = read_films(read(*films));
  return live;
}

LiveEvaluations::LiveEvaluations() : thread_([this] { work(); }) {}

LiveEvaluations::~LiveEvaluations() {
  {
    const std::lock_guard lock(mutex_);
    stop_.wanted = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LiveEvaluations::want(std::vector<std::string> folders) {
  {
    const std::lock_guard lock(mutex_);
    if (wanted_ == folders) return;
    wanted_ = std::move(folders);
  }
  changed_.notify_all();
}

std::shared_ptr<const LiveValues> LiveEvaluations::find(const std::string& folder) const {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(folder);
  return found == known_.end() ? nullptr : found->second.values;
}

long LiveEvaluations::made() const {
  const std::lock_guard lock(mutex_);
  return made_;
}

std::optional<std::string> LiveEvaluations::next() const {
  for (const std::string& folder : wanted_) {
    const std::string checkpoint = checkpoint_of(folder);
    const auto found = known_.find(folder);
    const bool seen = found != known_.end() && found->second.checkpoint == checkpoint;
    if (!checkpoint.empty() && !seen) return folder;
  }
  return {};
}

void LiveEvaluations::work() {
  // training takes precedence
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 19);
  const auto wanted = [&] { return stop_.wanted.load(); };
  std::unique_lock lock(mutex_);
  while (!wanted()) {
    const auto folder = next();
    std::chrono::duration<double> pause = evaluation_pause;
    if (folder) {
      lock.unlock();
      const double begin = thread_seconds();
      Known known{checkpoint_of(*folder), nullptr};
      try {
        known.values = std::make_shared<LiveValues>(evaluate_checkpoint(*folder, Stop(stop_)));
      } catch (const std::exception&) {
        // the list reports what is wrong with a run; this checkpoint is not tried again
      }
      pause = std::max(
          pause, std::chrono::duration<double>((thread_seconds() - begin) / evaluation_share));
      lock.lock();
      if (known.values != nullptr) ++made_;
      if (known.values == nullptr) known.values = known_[*folder].values;
      known_[*folder] = std::move(known);
    }
    changed_.wait_for(lock, pause, wanted);
  }
}

}  // namespace vic
