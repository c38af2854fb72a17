// A folder that one process has to itself.
#pragma once

#include <optional>
#include <string>

#include "base/system_call.h"

namespace vic {

// Held until the end of the scope or of the process, however it ends; it leaves no file behind. On
// file systems of clusters that know no locks it holds nobody off.
class FolderLock {
 public:
  // The lock of a folder, or nothing where another has it. Throws an Error where the folder cannot
  // be opened.
  static std::optional<FolderLock> take(const std::string& folder);

  // Whether another has the lock of a folder now; false where the folder cannot be opened. Who
  // takes it at the same instant waits for the look to end.
  static bool is_held(const std::string& folder);

  // Whether the path that was locked still names the folder. One that was moved is locked where it
  // is now, and another may be in its place.
  bool in_place() const;

 private:
  FolderLock(std::string path, Descriptor folder)
      : path_(std::move(path)), folder_(std::move(folder)) {}

  std::string path_;
  Descriptor folder_;
};

}  // namespace vic
