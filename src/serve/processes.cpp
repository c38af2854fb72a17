#include "serve/processes.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <fstream>

#include "base/spawn.h"

namespace vic {
namespace {

// no more than the page shows
constexpr std::size_t most_words = 2000;

}  // namespace

std::optional<pid_t> lock_holder(const std::string& folder) {
  struct stat status = {};
  if (::stat((folder + "/.lock").c_str(), &status) == -1) return {};
  // "1: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF"
  const std::string place =
      fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    char kind[16] = "", file[64] = "";
    int process = 0;
    if (std::sscanf(line.c_str(), "%*d: %15s %*s %*s %d %63s", kind, &process, file) != 3) continue;
    if (std::string_view(kind) == "FLOCK" && file == place && process > 0) return process;
  }
  return {};
}

bool stop_training(const std::string& folder) {
  const auto process = lock_holder(folder);
  if (!process) return false;
  const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, *process, 0)));
  if (handle.number == -1) return false;
  // the handle belongs to the process that has this number now: is it still the lock's holder?
  if (lock_holder(folder) != process) return false;
  if (::syscall(SYS_pidfd_send_signal, handle.number, SIGTERM, nullptr, 0) == 0) return true;
  if (errno == ESRCH) return false;
  throw Error(fmt::format("Process {} cannot be stopped: {}.", *process, std::strerror(errno)));
}

void Children::start(const std::string& program, const std::vector<std::string>& arguments,
                     const std::string& name) {
  Descriptor words = memory_file();
  std::vector<std::string> list = {program};
  list.insert(list.end(), arguments.begin(), arguments.end());
  const pid_t process = spawn(list, -1, words.number, Session::own);
  if (process == -1) {
    throw Error(fmt::format("Cannot start {}: {}.", program, std::strerror(errno)));
  }
  children_.push_back({process, name, std::move(words)});
}

std::vector<Children::Ended> Children::ended() {
  std::vector<Ended> list;
  std::erase_if(children_, [&](const Child& child) {
    int status = 0;
    if (::waitpid(child.process, &status, WNOHANG) != child.process) return false;
    list.push_back({child.name, exit_code_of(status), last_bytes(child.words, most_words)});
    return true;
  });
  return list;
}

}  // namespace vic
