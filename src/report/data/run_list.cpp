#include "report/data/run_list.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/folder_lock.h"
#include "base/text.h"
#include "report/data/run_files.h"
#include "report/data/run_folders.h"
#include "run/run_folder.h"

namespace vic {
namespace {

// about forty lines of timing.jsonl, and one line of any log
constexpr std::size_t tail_bytes = 4096, longest_line = 65536;

// detects changes of a file; all zero if there is none
struct Stamp {
  std::uint64_t device = 0, node = 0;
  std::int64_t size = 0, seconds = 0, nanoseconds = 0;

  bool operator==(const Stamp&) const = default;
};

// missing, or not a regular file, which is refused when it is read
Stamp stamp_of(const std::string& path) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec};
}

// the whole lines in the last bytes of a log, the newest last
std::vector<FileValue> last_lines(const std::string& path, std::size_t bytes) {
  std::string text = read_end(path, bytes);
  const std::size_t size = text.size();
  text.resize(text.rfind('\n') + 1);  // half a line may follow
  std::string_view rest = text;
  if (size == bytes) rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  std::vector<FileValue> lines;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    lines.push_back(FileValue::parse(rest.substr(0, end), path));
    rest.remove_prefix(end + 1);
  }
  return lines;
}

std::optional<FileValue> last_line(const std::string& path) {
  for (const std::size_t bytes : {tail_bytes, longest_line}) {
    if (auto lines = last_lines(path, bytes); !lines.empty()) return std::move(lines.back());
  }
  return std::nullopt;
}

}  // namespace

// A run folder as it was at the last refresh.
class RunList::Watched {
 public:
  explicit Watched(std::string folder) { head_.folder = std::move(folder); }

  RunStatus look();

 private:
  // A file of the folder, and the function that reads it once it has changed.
  struct Part {
    const char* name;
    void (Watched::*read)(const std::string& path);
    Stamp stamp = {};
    std::string problem = {};
  };

  void read_settings(const std::string&) {
    head_ = read_run_head(head_.folder);
    // another run may have replaced the one before: forget everything about that one
    update_ = timed_update_ = 0;
    for (auto* value : {&rate_, &H_, &I_hat_, &H_max_}) value->reset();
    warnings_.clear();
    evaluated_ = false;
    for (Part& part : parts_) part.stamp = &part == &parts_[0] ? part.stamp : Stamp{};
  }
  void read_truth(const std::string& path) {
    // in a simulated world it has random actions, and no optimum
    const FileValue truth = FileValue::parse(read_file(path), path);
    if (truth.has("H_max")) H_max_ = truth.number("H_max");
  }
  void read_timing(const std::string& path);
  void read_metrics(const std::string& path) {
    if (const auto line = last_line(path)) {
      update_ = line->whole("update");
      I_hat_ = line->maybe_number("I_hat");
    }
  }
  void read_survey(const std::string& path) {
    if (const auto line = last_line(path)) H_ = line->number("H");
  }
  void read_alarms(const std::string& path) {
    warnings_ = parse_alarms(read_file(path), path, /*finished=*/false);
  }
  void read_evaluation(const std::string& path);

  RunHead head_;
  long update_ = 0, timed_update_ = 0;
  std::optional<double> rate_;  // updates per second
  std::optional<double> H_, I_hat_, H_max_;
  std::vector<std::string> warnings_;
  bool evaluated_ = false;
  std::array<Part, 8> parts_ = {{{"/settings.toml", &Watched::read_settings},
                                 {"/truth.json", &Watched::read_truth},
                                 {"/timing.jsonl", &Watched::read_timing},
                                 {"/metrics.jsonl", &Watched::read_metrics},
                                 {"/behaviours.jsonl", &Watched::read_survey},
                                 {"/control.jsonl", &Watched::read_survey},
                                 {"/alarms.jsonl", &Watched::read_alarms},
                                 {"/evaluation.json", &Watched::read_evaluation}}};
};

void RunList::Watched::read_timing(const std::string& path) {
  rate_.reset();
  const std::vector<FileValue> lines = last_lines(path, tail_bytes);
  if (lines.empty()) return;
  const FileValue& last = lines.back();
  timed_update_ = last.whole("update");
  rate_ = last.number("updates_per_second");
  // over all lines of this start, in which seconds and updates increase
  std::size_t first = lines.size() - 1;
  const auto rises = [&](const char* key) {
    return lines[first - 1].number(key) < lines[first].number(key);
  };
  while (first > 0 && rises("seconds") && rises("update")) --first;
  const double seconds = last.number("seconds") - lines[first].number("seconds");
  if (seconds > 0) rate_ = (last.number("update") - lines[first].number("update")) / seconds;
}

void RunList::Watched::read_evaluation(const std::string& path) {
  const FileValue evaluation = FileValue::parse(read_file(path), path);
  const Json mark = {{"updates", head_.warm_up + head_.updates}};
  if (const std::string wrong = wrong_evaluation(head_, evaluation.json(), mark); !wrong.empty()) {
    throw UsageError(wrong);
  }
  head_.world = evaluation.text("world");
  H_ = evaluation.number("H");
  I_hat_ = evaluation.maybe_number("I_hat");
  warnings_.clear();
  if (evaluation.has("warnings")) warnings_ = evaluation.texts("warnings");
  H_max_ = evaluation.has("H_max") ? evaluation.maybe_number("H_max") : std::nullopt;
  evaluated_ = true;
}

RunStatus RunList::Watched::look() {
  std::string problem;
  for (Part& part : parts_) {
    const std::string path = head_.folder + part.name;
    const Stamp now = stamp_of(path);
    if (now != part.stamp) {
      part.stamp = now;
      part.problem.clear();
      if (part.read == &Watched::read_evaluation && std::exchange(evaluated_, false)) {
        // the next refresh reads again what the evaluation had replaced
        H_.reset();
        warnings_.clear();
        for (Part& log : parts_) log.stamp = &log == &part ? now : Stamp{};
      }
      try {
        require_plain_file(path);
        if (now != Stamp{}) (this->*part.read)(path);
      } catch (const Error& error) {
        part.problem = error.what();
      }
    }
    if (problem.empty()) problem = part.problem;
  }
  RunStatus status{.folder = head_.folder,
                   .world = head_.world,
                   .algorithm = head_.algorithm,
                   .seed = head_.seed,
                   .update = std::max(update_, timed_update_),
                   .warm_up = head_.warm_up,
                   .updates = head_.warm_up + head_.updates,
                   .phase = {},
                   .seconds_left = {},
                   .H = H_,
                   .I_hat = I_hat_,
                   .H_max = H_max_,
                   .warnings = warnings_,
                   .problem = problem,
                   .holder = {}};
  if (!problem.empty()) {
    status.state = RunState::damaged;
  } else if (evaluated_) {
    status.state = RunState::finished;
    status.update = status.updates;
  } else if ((status.holder = FolderLock::holder(head_.folder))) {
    status.state = RunState::training;
    status.phase = status.update < status.warm_up   ? RunPhase::warm_up
                   : status.update < status.updates ? RunPhase::learning
                                                    : RunPhase::evaluation;
    if (rate_ && *rate_ > 0 && status.phase != RunPhase::evaluation) {
      status.seconds_left = static_cast<double>(status.updates - status.update) / *rate_;
    }
  }
  return status;
}

RunList::RunList(std::vector<std::string> paths) : paths_(std::move(paths)) {}

RunList::~RunList() = default;

std::vector<RunStatus> RunList::refresh() {
  unreadable_.clear();
  std::map<std::string, std::unique_ptr<Watched>> present;
  std::vector<RunStatus> list;
  for (const std::string& path : paths_) {
    const auto note = [&](const std::string& sentence) { unreadable_.push_back(sentence); };
    for (const std::string& folder : run_folders_below(path, note)) {
      auto& run = present[folder];
      if (run != nullptr) continue;  // found by two paths
      run = std::move(runs_[folder]);
      if (run == nullptr) run = std::make_unique<Watched>(folder);
      list.push_back(run->look());
    }
  }
  runs_ = std::move(present);
  return list;
}

Json status_json(const RunStatus& status) {
  // a name that JSON cannot have is shown as well as possible
  Json json = {
      {"folder", is_utf8(status.folder) ? status.folder : shown(status.folder, std::string::npos)},
      {"world", status.world},
      {"algorithm", status.algorithm},
      {"seed", status.seed},
      {"update", status.update},
      {"updates", status.updates},
      {"state", name_of(status.state)},
      {"seconds_left", maybe(status.seconds_left)},
      {"H", maybe(status.H)},
      {"I_hat", maybe(status.I_hat)},
      {"H_max", maybe(status.H_max)},
      {"warm_up", status.warm_up},
      {"phase", status.phase ? Json(name_of(*status.phase)) : Json()},
      {"warnings", Json::array()},
      {"holder", status.holder ? Json(shown(*status.holder, std::string::npos)) : Json()}};
  for (const std::string& sentence : status.warnings) {
    json["warnings"].push_back(shown(sentence, std::string::npos));
  }
  if (!status.problem.empty()) json["problem"] = shown(status.problem, std::string::npos);
  return json;
}

}  // namespace vic
