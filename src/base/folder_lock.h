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

 private:
  explicit FolderLock(Descriptor folder) : folder_(std::move(folder)) {}

  Descriptor folder_;
};

}  // namespace vic
