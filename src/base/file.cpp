#include "base/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/system_call.h"

namespace vic {
namespace {

// removes the file at the end of the scope, unless it was given its final name
struct Temporary {
  int folder;
  const std::string& name;
  bool renamed = false;
  ~Temporary() {
    if (!renamed) ::unlinkat(folder, name.c_str(), 0);
  }
};

// the target of `path`, links followed: renaming onto a link or a device would replace it
std::filesystem::path target_of(const std::string& path) {
  using std::filesystem::file_type;
  std::error_code error;
  const file_type type = std::filesystem::status(path, error).type();
  // a path that cannot be examined is left to `open`, which gives the reason
  if (type == file_type::not_found || type == file_type::none) return path;
  if (type == file_type::directory) fail_write(path, EISDIR);
  if (type != file_type::regular) {
    throw Error(fmt::format("Cannot write {}: it is a device, not a file.", path));
  }
  std::filesystem::path target = std::filesystem::canonical(path, error);
  if (error) fail_write(path, error.value());
  return target;
}

// waits until no other writer holds the temporary file; returns whether `file` still has that name
bool own(int file, int folder, const std::string& name, const std::string& path) {
  // some file systems of clusters have no locks: there the last of two writers wins
  retried([&] { return ::flock(file, LOCK_EX); });
  struct stat mine = {}, named = {};
  call(path, [&] { return ::fstat(file, &mine); });
  return ::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

// puts the bytes on the disk as the file `temporary`, then gives it the name `name`
void replace(int folder, const std::string& temporary, const std::string& name,
             std::string_view bytes, const std::string& path) {
  while (true) {
    const Descriptor file(call(path, [&] {
      constexpr int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
      return ::openat(folder, temporary.c_str(), flags, 0666);
    }));
    // another writer has renamed or removed the opened file: open the next
    if (!own(file.number, folder, temporary, path)) continue;

    Temporary guard{folder, temporary};
    call(path, [&] { return ::ftruncate(file.number, 0); });
    write_all(file.number, bytes, path);
    call(path, [&] { return ::fsync(file.number); });
    call(path, [&] { return ::renameat(folder, temporary.c_str(), folder, name.c_str()); });
    guard.renamed = true;
    return;
  }
}

// the folder of a file, opened
Descriptor folder_of(const std::filesystem::path& file, const std::string& path) {
  const std::string parent = file.has_parent_path() ? file.parent_path().string() : ".";
  return Descriptor(
      call(path, [&] { return ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
}

// names reach the disk with their folder; EINVAL means that the file system does not support it
void sync_names(const Descriptor& folder, const std::string& path) {
  call(path, [&] {
    const int result = ::fsync(folder.number);
    return result == -1 && errno == EINVAL ? 0 : result;
  });
}

// an open file and its length
struct OpenFile {
  Descriptor file;
  std::size_t length;
};
OpenFile open_to_read(const std::string& path, int more_flags) {
  // opening some devices has side effects, and a pipe without a writer would block
  const auto require_file = [&](const struct stat& status) {
    if (S_ISDIR(status.st_mode)) fail_usage("{} is a folder; give the path of a file.", path);
    if (!S_ISREG(status.st_mode)) {
      fail_usage("{} is a device or a pipe; give the path of a file.", path);
    }
  };
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) require_file(status);
  const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | more_flags;
  Descriptor file(retried([&] { return ::open(path.c_str(), flags); }));
  if (file.number == -1) {
    const std::string fault = fmt::format("Cannot open {}: {}.", path, std::strerror(errno));
    if (errno == EIO || errno == ENOSPC || errno == EMFILE || errno == ENFILE) throw Error(fault);
    throw UsageError(fault);
  }
  if (::fstat(file.number, &status) == -1) fail_read(path, errno);
  require_file(status);
  return {std::move(file), static_cast<std::size_t>(status.st_size)};
}

}  // namespace

void require_plain_file(const std::string& path) {
  using std::filesystem::file_type;
  std::error_code error;
  const file_type type = std::filesystem::symlink_status(path, error).type();
  if (type == file_type::symlink) {
    fail_usage("{} is a symbolic link, which may lead anywhere; put a file in its place.", path);
  }
  if (type == file_type::fifo || type == file_type::socket || type == file_type::block ||
      type == file_type::character) {
    fail_usage("{} is a device or a pipe; put a file in its place.", path);
  }
}

std::string read_file(const std::string& path, std::size_t limit) {
  const auto [file, length] = open_to_read(path, 0);
  const auto check = [&](std::size_t size) {
    if (size <= limit) return;
    fail_usage("{} is larger than {} MiB, the most that is read.", path, limit >> 20);
  };
  check(length);

  // to its end at the time of reading: a log may grow
  std::string text;
  std::size_t size = 0;
  while (true) {
    text.resize(std::max(length, size) + 1);
    const ssize_t n = retried(
        [&, &fd = file.number] { return ::read(fd, text.data() + size, text.size() - size); });
    if (n == -1) fail_read(path, errno);
    size += static_cast<std::size_t>(n);
    check(size);
    if (n == 0) break;
  }
  text.resize(size);
  return text;
}

std::string read_end(const std::string& path, std::size_t most) {
  const auto [file, length] = open_to_read(path, O_NOFOLLOW);
  const std::size_t begin = length - std::min(length, most);
  std::string text(length - begin, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t n = retried([&, &fd = file.number] {
      return ::pread(fd, text.data() + size, text.size() - size, static_cast<off_t>(begin + size));
    });
    if (n == -1) fail_read(path, errno);
    if (n == 0) break;  // it was truncated meanwhile
    size += static_cast<std::size_t>(n);
  }
  text.resize(size);
  return text;
}

void write_file(const std::string& path, std::string_view bytes, Links links) {
  const std::filesystem::path target =
      links == Links::follow ? target_of(path) : std::filesystem::path(path);
  const std::string name = target.filename();
  if (name.empty()) fail_write(path, ENOENT);

  // the folder first: one that cannot be opened must fail before anything has changed
  const Descriptor folder = folder_of(target, path);
  replace(folder.number, name + ".vic-tmp", name, bytes, path);
  sync_names(folder, path);
}

bool path_exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

bool path_may_exist(const std::string& path) {
  std::error_code error;
  return std::filesystem::status(path, error).type() != std::filesystem::file_type::not_found;
}

void make_folders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error(fmt::format("Cannot make the folder {}: {}.", path, error.message()));
}

void rename_file(const std::string& from, const std::string& to) {
  const Descriptor folder = folder_of(to, to);
  call(to, [&] { return ::rename(from.c_str(), to.c_str()); });
  sync_names(folder, to);
}

}  // namespace vic
