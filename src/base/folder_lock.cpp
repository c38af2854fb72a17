#include "base/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace vic {

std::optional<FolderLock> FolderLock::take(const std::string& folder) {
  const int number =
      retried([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (number == -1) {
    throw Error(fmt::format("Cannot open the folder {}: {}.", folder, std::strerror(errno)));
  }
  Descriptor open_folder(number);
  if (::flock(number, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK) return std::nullopt;
  return FolderLock(folder, std::move(open_folder));
}

bool FolderLock::in_place() const {
  struct stat mine = {}, named = {};
  return ::fstat(folder_.number, &mine) == 0 && ::stat(path_.c_str(), &named) == 0 &&
         mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

}  // namespace vic
