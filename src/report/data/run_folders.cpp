#include "report/data/run_folders.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"

namespace vic {
namespace {

namespace fs = std::filesystem;

// "run-9" before "run-10": digits compare as numbers
bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    std::size_t m = i, n = j;
    while (m < a.size() && digit(a[m])) ++m;
    while (n < b.size() && digit(b[n])) ++n;
    if (m - i != n - j) return m - i < n - j;
    if (const int order = a.compare(i, m - i, b, j, n - j)) return order < 0;
    i = m, j = n;
  }
  return a.size() - i < b.size() - j;
}

void gather(const fs::path& path, std::vector<std::string>& found,
            const std::function<void(const std::string&)>& unreadable) {
  std::error_code status;
  if (fs::exists(path / "settings.toml", status)) {
    found.push_back(path.string());
    return;
  }
  fs::directory_iterator entry;
  if (status != std::errc::permission_denied) entry = fs::directory_iterator(path, status);
  while (!status && entry != fs::directory_iterator()) {
    std::error_code ignored;
    // a link to a folder above would lead to an endless loop
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
      gather(entry->path(), found, unreadable);
    }
    entry.increment(status);
  }
  // a folder that has vanished, or is a file, has no runs
  if (status == std::errc::permission_denied || status == std::errc::io_error) {
    unreadable(fmt::format("Cannot read the folder {}: {}.", path.string(), status.message()));
  }
}

}  // namespace

std::vector<std::string> run_folders_below(
    const std::string& path, const std::function<void(const std::string&)>& unreadable) {
  std::vector<std::string> found;
  gather(fs::path(path).lexically_normal(), found, unreadable);
  for (std::string& folder : found) {
    folder = fs::path(folder).lexically_normal().string();  // "a" of "./a"
    if (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  }
  std::sort(found.begin(), found.end(), natural_less);
  return found;
}

std::vector<std::string> find_run_folders(const std::vector<std::string>& paths) {
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    if (!path_may_exist(path)) fail_usage("There is no folder '{}'; vic train makes runs.", path);
    const auto fail = [](const std::string& sentence) { throw UsageError(sentence); };
    const std::vector<std::string> found = run_folders_below(path, fail);
    if (found.empty()) {
      fail_usage("There is no run in '{}': no folder there has a settings.toml.", path);
    }
    for (const std::string& folder : found) {
      if (std::find(all.begin(), all.end(), folder) == all.end()) all.push_back(folder);
    }
  }
  return all;
}

}  // namespace vic
