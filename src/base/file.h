// Reading and writing whole files, and the folders they are in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vic {

// No text that people write for this program comes near this size; a disk image given by mistake
// exceeds it.
inline constexpr std::size_t largest_text_file = std::size_t{64} << 20;

// The largest file of a run that is read: logs and checkpoints.
inline constexpr std::size_t largest_run_file = std::size_t{1} << 32;

// The whole file. Throws a UsageError that says what is wrong with the path, without reading where
// it is not a regular file (a pipe, a device) or has more than `limit` bytes; an Error where the
// disk fails.
std::string read_file(const std::string& path, std::size_t limit = largest_text_file);

// The last `most` bytes of a file, or all of it where it has fewer: enough for the last lines of a
// log that grows. Follows no link. Throws as read_file does.
std::string read_end(const std::string& path, std::size_t most);

// Throws a UsageError where a link, a pipe or a device is at the path, without opening it: in other
// users' folders it may lead anywhere.
void require_plain_file(const std::string& path);

// Makes `bytes` the contents of the file. Whatever happens meanwhile, a crash, a full disk or a
// power failure, the path holds the old contents or the new ones, whole; once the function has
// returned, the new ones. A link stays a link, unless it is to be replaced: in other users' folders
// it may lead anywhere. Throws an Error that names path and reason, and leaves nothing behind then.
// The bytes are first written to PATH.vic-tmp, which only a killed process leaves behind and the
// next write takes over.
enum class Links { follow, replace };
void write_file(const std::string& path, std::string_view bytes, Links links = Links::follow);

// Whether something is at the path. A path that cannot be examined, for lack of permission for
// instance, counts as absent.
bool path_exists(const std::string& path);

// The same where a wrong "no" would do harm: a path that cannot be examined counts as present.
bool path_may_exist(const std::string& path);

// Makes the folder and those above it, unless they are there. Throws an Error that names the path
// and the reason.
void make_folders(const std::string& path);

// Renames a file within its folder, replacing any file of that name; once the function has
// returned, also on the disk. Throws an Error that names `to` and the reason.
void rename_file(const std::string& from, const std::string& to);

}  // namespace vic
