#include "base/ranks.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "base/ranks_module.h"

namespace vic {
namespace {

// the number of processes that mpirun, or srun with PMIx, has started; 1 where neither did
int processes_of_job() {
  const auto number = [](const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? 0 : std::atoi(text);
  };
  if (const int size = number("OMPI_COMM_WORLD_SIZE"); size > 0) return size;
  const bool by_pmix = std::getenv("PMIX_RANK") != nullptr;
  return by_pmix ? std::max(1, number("SLURM_STEP_NUM_TASKS")) : 1;
}

// beside the program: as installed, or as built
std::string module_file() {
  std::error_code status;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", status);
  const auto above = program.parent_path().parent_path();
  for (const char* folder : {"lib/vic", "ranks"}) {
    const auto file = above / folder / "vic_mpi.so";
    if (std::filesystem::exists(file, status)) return file.string();
  }
  return "";
}

class MpiRanks : public Ranks {
 public:
  MpiRanks(void* module, Stop stop) : stop_(stop) {
    find(begin_, module, "vic_ranks_begin");
    find(gather_, module, "vic_ranks_gather");
    find(exchange_, module, "vic_ranks_exchange");
    find(finish_, module, "vic_ranks_finish");
    begin_(&rank_, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::vector<Bytes> gather(Bytes own, std::span<const int> bytes) override {
    if (!bytes.empty()) return gather_known(own, bytes);
    // most lists are short: they are sent together with their length
    Block block{.bytes = static_cast<std::int32_t>(own.size()), .wants_to_stop = wants_to_stop_};
    std::memcpy(block.content, own.data(), std::min(own.size(), sizeof block.content));
    std::vector<Bytes> all;
    std::vector<int> sizes;
    bool fits = true;
    stopped_ = false;
    for (const Bytes& one : gather_known(to_bytes(std::span<const Block>(&block, 1)),
                                         std::vector<int>(size_, sizeof block))) {
      std::memcpy(&block, one.data(), sizeof block);
      const auto length = static_cast<std::size_t>(block.bytes);
      sizes.push_back(block.bytes);
      fits = fits && length <= sizeof block.content;
      stopped_ = stopped_ || block.wants_to_stop != 0;
      if (fits) all.emplace_back(block.content, block.content + length);
    }
    return fits ? all : gather_known(own, sizes);
  }

  std::vector<Bytes> exchange(std::vector<Bytes> parts, std::span<const int> bytes) override {
    Bytes sent;
    std::vector<int> sizes;
    for (const Bytes& part : parts) {
      sent.insert(sent.end(), part.begin(), part.end());
      sizes.push_back(static_cast<int>(part.size()));
    }
    Bytes came(total(bytes));
    waiting_ = {};
    require_answer(exchange_(sent.data(), sizes.data(), came.data(), bytes.data(), poll, this));
    return cut(came, bytes);
  }

  bool stopped(bool wanted) override {
    wants_to_stop_ = wanted ? 1 : 0;
    return stopped_;
  }

  void finish() override {
    // others may still be in what this rank has given up, and would take one message for another
    if (gave_up_) return;
    waiting_ = {};
    finish_(poll, this);
  }

 private:
  struct Block {
    std::int32_t bytes = 0, wants_to_stop = 0;
    std::byte content[2040] = {};
  };

  template <class Function>
  static void find(Function*& function, void* module, const char* name) {
    function = reinterpret_cast<Function*>(::dlsym(module, name));
    require(function != nullptr, "vic_mpi.so has no {}; it is of another build.", name);
  }

  static std::size_t total(std::span<const int> bytes) {
    std::size_t sum = 0;
    for (int size : bytes) sum += static_cast<std::size_t>(size);
    return sum;
  }

  static std::vector<Bytes> cut(const Bytes& all, std::span<const int> bytes) {
    std::vector<Bytes> parts;
    auto from = all.begin();
    for (int size : bytes) {
      parts.emplace_back(from, from + size);
      from += size;
    }
    return parts;
  }

  std::vector<Bytes> gather_known(const Bytes& own, std::span<const int> bytes) {
    Bytes all(total(bytes));
    waiting_ = {};
    require_answer(
        gather_(own.data(), static_cast<int>(own.size()), all.data(), bytes.data(), poll, this));
    return cut(all, bytes);
  }

  // once a stop is wanted, waits no longer than an update should take, and less than mpirun, which
  // ends a job one second after one of its ranks has died
  static bool poll(void* context) {
    auto& self = *static_cast<MpiRanks*>(context);
    if (!self.stop_.wanted()) return true;
    const auto now = Clock::now();
    if (!self.waiting_) self.waiting_ = now;
    return now - *self.waiting_ < std::chrono::milliseconds(700);
  }

  void require_answer(bool answered) {
    if (answered) return;
    gave_up_ = true;
    throw Interrupted(
        "Stopped while waiting for other ranks, one of which has ended or takes longer; the last "
        "checkpoint is sound, and vic train --resume goes on from it on any number of ranks.");
  }

  using Clock = std::chrono::steady_clock;

  decltype(vic_ranks_begin)* begin_ = nullptr;
  decltype(vic_ranks_gather)* gather_ = nullptr;
  decltype(vic_ranks_exchange)* exchange_ = nullptr;
  decltype(vic_ranks_finish)* finish_ = nullptr;
  Stop stop_;
  int rank_ = 0, size_ = 1;
  std::int32_t wants_to_stop_ = 0;
  bool stopped_ = false;                      // a rank wanted to stop, at the last gather
  bool gave_up_ = false;                      // waiting for others
  std::optional<Clock::time_point> waiting_;  // the time since which a stop is wanted
};

Ranks& load_ranks(int processes, Stop stop) {
  const std::string file = module_file();
  // global: MPI loads further libraries, which need symbols of the first
  void* module = file.empty() ? nullptr : ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (module == nullptr) {
    fail_usage(
        "mpirun has started {} processes, and this build of vic cannot talk to others{}. Install "
        "libopenmpi-dev and build again, or start vic without mpirun.",
        processes, file.empty() ? "" : fmt::format(" ({})", ::dlerror()));
  }
  // for as long as the process runs
  static MpiRanks ranks(module, stop);
  return ranks;
}

}  // namespace

Ranks& ranks_of_job(Stop stop) {
  const int processes = processes_of_job();
  return processes == 1 ? alone() : load_ranks(processes, stop);
}

}  // namespace vic
