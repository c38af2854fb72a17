#include "base/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vic {

namespace {

int open_folder(const std::string& folder) {
  return retried([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
}

bool would_block(int folder, int kind) {
  return ::flock(folder, kind | LOCK_NB) == -1 && errno == EWOULDBLOCK;
}

}  // namespace

std::optional<FolderLock> FolderLock::take(const std::string& folder) {
  const int number = open_folder(folder);
  if (number == -1) {
    throw Error(fmt::format("Cannot open the folder {}: {}.", folder, std::strerror(errno)));
  }
  Descriptor open_folder(number);
  // is_held has it for some microseconds, many times a second where a page shows it
  constexpr int looks = 20;
  for (int look = 0; would_block(number, LOCK_EX); ++look) {
    if (look == looks) return std::nullopt;
    ::usleep(5000);
  }
  return FolderLock(folder, std::move(open_folder));
}

bool FolderLock::is_held(const std::string& folder) {
  const int number = open_folder(folder);
  if (number == -1) return false;
  const Descriptor looked_at(number);
  return would_block(number, LOCK_SH);
}

bool FolderLock::in_place() const {
  struct stat mine = {}, named = {};
  return ::fstat(folder_.number, &mine) == 0 && ::stat(path_.c_str(), &named) == 0 &&
         mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

}  // namespace vic
