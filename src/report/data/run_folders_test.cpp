#include "report/data/run_folders.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

TEST(RunFolders, FindsRunsInTheOrderOfTheirNumbers) {
  const FixtureFolder folder("finds");
  for (const char* name : {"deep/run-10", "deep/run-9", "run-1"}) {
    write_fixture(folder / name, {});
  }
  const std::vector<std::string> wanted = {folder / "deep/run-9", folder / "deep/run-10",
                                           folder / "run-1"};
  EXPECT_EQ(find_run_folders({folder.path()}), wanted);
  // given twice, shown once
  EXPECT_EQ(find_run_folders({folder / "deep/run-9/", folder.path()}).size(), 3u);
  EXPECT_THROW(find_run_folders({folder / "nothing"}), UsageError);
  std::filesystem::create_directory(folder / "empty");
  EXPECT_THROW(find_run_folders({folder / "empty"}), UsageError);
}

// permissions do not bind the superuser
// The superuser can read every folder: acts as another user while this object lives.
struct Unprivileged {
  Unprivileged() { EXPECT_TRUE(::geteuid() != 0 || ::seteuid(65534) == 0); }
  ~Unprivileged() { EXPECT_EQ(::seteuid(::getuid()), 0); }
};

TEST(RunFolders, FolderThatCannotBeReadIsNotAnEmptyOne) {
  const FixtureFolder folder("unreadable");
  write_fixture(folder / "open/a", {});
  for (const auto kept : {std::filesystem::perms::none, std::filesystem::perms::owner_read}) {
    std::filesystem::create_directories(folder / "closed");
    std::filesystem::permissions(folder / "closed", kept);
    const Unprivileged reader;
    std::string message;
    try {
      find_run_folders({folder.path()});
    } catch (const UsageError& error) {
      message = error.what();
    }
    EXPECT_EQ(message, "Cannot read the folder " + (folder / "closed") + ": Permission denied.");
    std::vector<std::string> unreadable;
    const auto found = run_folders_below(
        folder.path(), [&](const std::string& sentence) { unreadable.push_back(sentence); });
    EXPECT_EQ(found, std::vector<std::string>{folder / "open/a"});
    EXPECT_EQ(unreadable, std::vector<std::string>{message});
  }
  std::filesystem::permissions(folder / "closed", std::filesystem::perms::all);
}

}  // namespace
}  // namespace vic
