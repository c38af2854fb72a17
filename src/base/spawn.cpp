#include "base/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>

namespace vic {

Descriptor memory_file() {
  return Descriptor(::memfd_create("vic", MFD_CLOEXEC));
}

std::string last_bytes(const Descriptor& file, std::size_t most) {
  struct stat status = {};
  if (::fstat(file.number, &status) == -1) return "";
  const auto length = static_cast<std::size_t>(status.st_size);
  std::string text(std::min(length, most), '\0');
  const auto begin = static_cast<off_t>(length - text.size());
  const ssize_t n = retried([&] { return ::pread(file.number, text.data(), text.size(), begin); });
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

pid_t spawn(const std::vector<std::string>& words, int out, int err, Session session) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  const auto direct = [&](int from, int to) {
    if (from == -1) {
      ::posix_spawn_file_actions_addopen(&files, to, "/dev/null", O_RDWR, 0);
    } else {
      ::posix_spawn_file_actions_adddup2(&files, from, to);
    }
  };
  direct(-1, STDIN_FILENO);
  direct(out, STDOUT_FILENO);
  direct(err, STDERR_FILENO);
  sigset_t all, none;
  ::sigfillset(&all);
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  const int own = session == Session::own ? POSIX_SPAWN_SETSID : 0;
  ::posix_spawnattr_setflags(
      &attributes, static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | own));
  std::vector<char*> list;
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  pid_t process = 0;
  const int fault = ::posix_spawnp(&process, list[0], &files, &attributes, list.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  errno = fault;
  return fault == 0 ? process : -1;
}

int exit_code_of(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

std::optional<Output> run_and_read(const std::vector<std::string>& words) {
  constexpr std::size_t most = std::size_t{64} << 20;
  const Descriptor out = memory_file(), err = memory_file();
  const pid_t process = spawn(words, out.number, err.number, Session::same);
  if (process == -1 && errno == ENOENT) return std::nullopt;
  if (process == -1) {
    throw Error(fmt::format("Cannot start {}: {}.", words[0], std::strerror(errno)));
  }
  int status = 0;
  retried([&] { return ::waitpid(process, &status, 0); });
  return Output{exit_code_of(status), last_bytes(out, most), last_bytes(err, most)};
}

}  // namespace vic
