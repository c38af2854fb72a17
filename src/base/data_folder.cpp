#include "base/data_folder.h"

#include <sys/auxv.h>

#include <system_error>

namespace vic {

std::filesystem::path data_folder_of(const std::filesystem::path& executable) {
  const auto installed = executable.parent_path().parent_path() / "share" / "vic";
  std::error_code status;
  return std::filesystem::is_directory(installed, status) ? installed : VIC_SOURCE_DIR;
}

std::filesystem::path data_folder() {
  std::error_code status;
  auto executable = std::filesystem::read_symlink("/proc/self/exe", status);
  // a bare chroot has no /proc; the kernel also provides the path by which the program was started
  if (status) {
    const auto* started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
    executable = std::filesystem::canonical(started == nullptr ? "" : started, status);
  }
  return data_folder_of(executable);
}

}  // namespace vic
