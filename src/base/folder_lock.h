// A folder that one process has to itself, also among the hosts that share a file system.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/system_call.h"

namespace vic {

// The name of this host.
std::string host_name();

// Held until the end of the scope or of the process, however it ends. What is locked is the file
// .lock in the folder, which stays: Linux passes locks of files, not of folders, on to the server
// of a shared file system, and a file that was removed could be locked by two. docs/cluster.md says
// on which file systems the lock holds.
class FolderLock {
 public:
  // The lock of a folder, or nothing where another has it. The file says who took it last. Throws
  // an Error where the folder cannot be opened, a UsageError where .lock is no file.
  static std::optional<FolderLock> take(const std::string& folder,
                                        const std::string& holder = host_name());

  // The holder of a folder's lock; nothing where it is free or the folder cannot be opened. Taking
  // it at the same instant waits for this look to end.
  static std::optional<std::string> holder(const std::string& folder);
  static bool is_held(const std::string& folder) { return holder(folder).has_value(); }

  // The holder, or the last one; "" where it was never taken.
  static std::string last_holder(const std::string& folder);

  // Whether the path that was locked still names the folder. One that was moved is locked where it
  // is now, and another may be in its place.
  bool in_place() const;

  // Whether it holds others off: file systems that know no locks refuse to lock.
  bool holds() const { return holds_; }

 private:
  FolderLock(std::string path, Descriptor file, bool holds)
      : path_(std::move(path)), file_(std::move(file)), holds_(holds) {}

  std::string path_;  // of the file
  Descriptor file_;
  bool holds_;
};

// Why locks in this folder do not hold on other hosts, in a sentence; "" where they do as far
// as the mount says. `mounts` is the text of /proc/self/mountinfo.
std::string why_locks_stay_local(const std::string& folder, std::string_view mounts);

}  // namespace vic
