#include "serve/processes.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>

namespace vic {
namespace {

// no more than the page shows
constexpr std::size_t most_words = 2000;

std::string last_words(const Descriptor& file) {
  struct stat status = {};
  if (::fstat(file.number, &status) == -1) return "";
  const auto length = static_cast<std::size_t>(status.st_size);
  std::string text(std::min(length, most_words), '\0');
  const auto begin = static_cast<off_t>(length - text.size());
  const ssize_t n = retried([&] { return ::pread(file.number, text.data(), text.size(), begin); });
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

}  // namespace

std::optional<pid_t> lock_holder(const std::string& folder) {
  struct stat status = {};
  if (::stat(folder.c_str(), &status) == -1) return {};
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
  // the handle is of the process that has the number now: is that still the one with the lock?
  if (lock_holder(folder) != process) return false;
  if (::syscall(SYS_pidfd_send_signal, handle.number, SIGTERM, nullptr, 0) == 0) return true;
  if (errno == ESRCH) return false;
  throw Error(fmt::format("Process {} cannot be stopped: {}.", *process, std::strerror(errno)));
}

void Children::start(const std::string& program, const std::vector<std::string>& arguments,
                     const std::string& name) {
  Descriptor words(::memfd_create("vic", MFD_CLOEXEC));
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, words.number, STDERR_FILENO);
  // signals as at the start of a program, whatever this one does with them
  sigset_t all, none;
  ::sigfillset(&all);
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> list = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
  list.push_back(nullptr);
  pid_t process = 0;
  const int fault =
      ::posix_spawn(&process, program.c_str(), &files, &attributes, list.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (fault != 0) throw Error(fmt::format("Cannot start {}: {}.", program, std::strerror(fault)));
  children_.push_back({process, name, std::move(words)});
}

std::vector<Children::Ended> Children::ended() {
  std::vector<Ended> list;
  std::erase_if(children_, [&](const Child& child) {
    int status = 0;
    if (::waitpid(child.process, &status, WNOHANG) != child.process) return false;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    list.push_back({child.name, code, last_words(child.words)});
    return true;
  });
  return list;
}

}  // namespace vic
