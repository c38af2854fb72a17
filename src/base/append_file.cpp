#include "base/append_file.h"

#include <fcntl.h>

namespace vic {
namespace {

constexpr std::size_t most_gathered = 1 << 14;

int open_file(const std::string& path) {
  constexpr int flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int file = retried([&] { return ::open(path.c_str(), flags, 0666); });
  if (file != -1) return file;
  if (errno != ELOOP) fail_write(path, errno);
  throw Error(fmt::format(
      "Cannot write {}: it is a symbolic link, which may lead anywhere; put a file in its place.",
      path));
}

}  // namespace

AppendFile::AppendFile(std::string path, std::size_t length)
    : path_(std::move(path)), file_(open_file(path_)), size_(length) {
  call(path_, [&] { return ::ftruncate(file_.number, static_cast<off_t>(length)); });
}

void AppendFile::append(std::string_view bytes) {
  gathered_ += bytes;
  size_ += bytes.size();
  if (gathered_.size() >= most_gathered) flush();
}

void AppendFile::flush() {
  // bytes that could not be written are not tried again: half of them may be there
  const std::string bytes = std::exchange(gathered_, {});
  write_all(file_.number, bytes, path_);
}

void AppendFile::sync() {
  flush();
  call(path_, [&] { return ::fdatasync(file_.number); });
}

}  // namespace vic
