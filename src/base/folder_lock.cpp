#include "base/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <sstream>

#include "base/file.h"

namespace vic {

namespace {

constexpr std::size_t longest_holder = 200;

std::string lock_path(const std::string& folder) {
  return folder + "/.lock";
}

int open_lock(const std::string& path, int flags) {
  constexpr int always = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  return retried([&] { return ::open(path.c_str(), always | flags, 0666); });
}

// the file to be locked; one that cannot be written can still be locked, though not over NFS
Descriptor open_to_lock(const std::string& folder) {
  const std::string path = lock_path(folder);
  require_plain_file(path);
  int number = open_lock(path, O_RDWR | O_CREAT);
  if (number == -1 && (errno == EACCES || errno == EROFS)) number = open_lock(path, O_RDONLY);
  if (number == -1) {
    throw Error(fmt::format("Cannot lock the folder {}: {}.", folder, std::strerror(errno)));
  }
  return Descriptor(number);
}

// the file of a lock, for a query only; not open where there is none
Descriptor open_to_look(const std::string& folder) {
  struct stat status = {};
  const std::string path = lock_path(folder);
  const bool file = ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  return Descriptor(file ? open_lock(path, O_RDONLY) : -1);
}

enum class Attempt { locked, held, refused };

Attempt try_lock(const Descriptor& file, int kind) {
  const int result = retried([&] { return ::flock(file.number, kind | LOCK_NB); });
  if (result == 0) return Attempt::locked;
  return errno == EWOULDBLOCK ? Attempt::held : Attempt::refused;
}

bool is_same(const Descriptor& file, const std::string& path) {
  struct stat mine = {}, named = {};
  return ::fstat(file.number, &mine) == 0 && ::stat(path.c_str(), &named) == 0 &&
         mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

// for information only: the lock holds even where this cannot be written
void write_holder(const Descriptor& file, const std::string& holder) {
  if (::ftruncate(file.number, 0) == -1) return;
  const std::string line = holder.substr(0, longest_holder) + "\n";
  [[maybe_unused]] const auto n = ::pwrite(file.number, line.data(), line.size(), 0);
}

std::string read_holder(const Descriptor& file) {
  std::string text(longest_holder, '\0');
  const ssize_t n = retried([&] { return ::pread(file.number, text.data(), text.size(), 0); });
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name = {};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::optional<FolderLock> FolderLock::take(const std::string& folder, const std::string& holder) {
  const std::string path = lock_path(folder);
  constexpr int looks = 20;
  for (int look = 0; look <= looks; ++look) {
    if (look > 0) ::usleep(5000);
    Descriptor file = open_to_lock(folder);
    const Attempt attempt = try_lock(file, LOCK_EX);
    if (attempt == Attempt::held) {
      // a query shares the lock for some microseconds, many times a second from a live page
      if (try_lock(file, LOCK_SH) == Attempt::held) return std::nullopt;
    } else if (is_same(file, path)) {
      write_holder(file, holder);
      return FolderLock(path, std::move(file), attempt == Attempt::locked);
    }
  }
  return std::nullopt;
}

std::optional<std::string> FolderLock::holder(const std::string& folder) {
  const Descriptor file = open_to_look(folder);
  if (file.number == -1 || try_lock(file, LOCK_SH) != Attempt::held) return std::nullopt;
  return read_holder(file);
}

std::string FolderLock::last_holder(const std::string& folder) {
  const Descriptor file = open_to_look(folder);
  return file.number == -1 ? "" : read_holder(file);
}

bool FolderLock::in_place() const {
  return is_same(file_, path_);
}

std::string why_locks_stay_local(const std::string& folder, std::string_view mounts) {
  struct stat status = {};
  if (::stat(folder.c_str(), &status) == -1) return "";
  const std::string device = fmt::format("{}:{}", major(status.st_dev), minor(status.st_dev));
  std::istringstream lines{std::string(mounts)};
  for (std::string line; std::getline(lines, line);) {
    // "36 35 0:45 / /home rw,noatime - nfs4 server:/home rw,vers=4.2,local_lock=none"
    std::istringstream words(line);
    std::string id, parent, number, word, kind, source, options;
    words >> id >> parent >> number;
    while (words >> word && word != "-") continue;
    words >> kind >> source >> options;
    if (number != device) continue;
    const auto has = [&](std::string_view option) {
      return fmt::format(",{},", options).find(fmt::format(",{},", option)) != std::string::npos;
    };
    const bool local = kind.starts_with("nfs")
                           ? has("nolock") || has("local_lock=all") || has("local_lock=flock")
                           : kind == "lustre" && !has("flock");
    if (!local) return "";
    return fmt::format(
        "{} is on {} ({}), whose mount options keep locks from other hosts: two of them would "
        "train the same run. Choose another --out, or let it be mounted with {}.",
        folder, source, kind, kind == "lustre" ? "flock" : "local_lock=none");
  }
  return "";
}

}  // namespace vic
