// Exclusive access to a folder for one process, also among hosts that share a file system.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/system_call.h"

namespace vic {

// The name of this host.
std::string host_name();

// Held until the end of the scope or of the process, however it ends. The lock is on the file .lock
// in the folder, which is never removed: Linux passes locks of files, not of folders, on to the
// server of a shared file system, and a removed file could be locked by two. docs/cluster.md lists
// the file systems on which the lock holds.
class FolderLock {
 public:
  // The lock of a folder; empty where another process has it. The file names the last holder.
  // Throws an Error where the folder cannot be opened, a UsageError where .lock is not a file.
  static std::optional<FolderLock> take(const std::string& folder,
                                        const std::string& holder = host_name());

  // The holder of a folder's lock; empty where it is free or the folder cannot be opened. A take()
  // at the same instant waits for this query to end.
  static std::optional<std::string> holder(const std::string& folder);
  static bool is_held(const std::string& folder) { return holder(folder).has_value(); }

  // The holder, or the last one; "" where it was never taken.
  static std::string last_holder(const std::string& folder);

  // Whether the locked path still names the folder. A folder that was moved stays locked in its new
  // place, and another may be in the old one.
  bool in_place() const;

  // Whether it excludes others: a file system without locks refuses to lock.
  bool holds() const { return holds_; }

 private:
  FolderLock(std::string path, Descriptor file, bool holds)
      : path_(std::move(path)), file_(std::move(file)), holds_(holds) {}

  std::string path_;  // of the file
  Descriptor file_;
  bool holds_;
};

// Why locks in this folder do not hold on other hosts, in a sentence; "" where, by the options of
// the mount, they do. `mounts` is the text of /proc/self/mountinfo.
std::string why_locks_stay_local(const std::string& folder, std::string_view mounts);

}  // namespace vic
