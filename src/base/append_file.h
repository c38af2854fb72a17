// A file that grows: lines of a log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/system_call.h"

namespace vic {

class AppendFile {
 public:
  // Opens or creates the file and truncates it to `length` bytes; a shorter one is filled up with
  // zeros. Throws an Error that names path and reason, as the functions below do.
  AppendFile(std::string path, std::size_t length);

  // Adds the bytes to a buffer, which is flushed when it is large.
  void append(std::string_view bytes);

  // Passes the buffer to the operating system, which keeps it if the process is killed.
  void flush();

  // Flushes, and waits until the bytes are on the disk.
  void sync();

  // The length of the file once everything is flushed.
  std::size_t size() const { return size_; }

 private:
  std::string path_;
  Descriptor file_;
  std::string gathered_;
  std::size_t size_;
};

}  // namespace vic
