// A file that grows: lines of a log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/system_call.h"

namespace vic {

class AppendFile {
 public:
  // Opens the file, or makes it, and cuts it to its first `length` bytes; a shorter one it fills up
  // with zeros. Throws an Error that names path and reason, as the functions below do.
  AppendFile(std::string path, std::size_t length);

  // Adds the bytes to what is gathered; a lot of them is flushed.
  void append(std::string_view bytes);

  // Hands what is gathered to the system, which keeps it when the process is killed.
  void flush();

  // Flushes, and waits until the bytes are on the disk.
  void sync();

  // The length of the file once all is flushed.
  std::size_t size() const { return size_; }

 private:
  std::string path_;
  Descriptor file_;
  std::string gathered_;
  std::size_t size_;
};

}  // namespace vic
