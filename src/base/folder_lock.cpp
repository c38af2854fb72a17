#include "base/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>

namespace vic {

std::optional<FolderLock> FolderLock::take(const std::string& folder) {
  const int number = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (number == -1) {
    throw Error(fmt::format("Cannot open the folder {}: {}.", folder, std::strerror(errno)));
  }
  Descriptor open_folder(number);
  if (::flock(number, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK) return std::nullopt;
  return FolderLock(std::move(open_folder));
}

}  // namespace vic
