// The data folders of an installed and of a built program.
#include "base/data_folder.h"

#include <gtest/gtest.h>

namespace vic {
namespace {

namespace fs = std::filesystem;

TEST(DataFolder, OfAnInstalledProgramIsBesideIt) {
  const fs::path prefix = fs::path(testing::TempDir()) / "installed somewhere";
  fs::create_directories(prefix / "share/vic");
  EXPECT_EQ(data_folder_of(prefix / "bin/vic"), prefix / "share/vic");

  const fs::path moved = fs::path(testing::TempDir()) / "installed elsewhere";
  fs::remove_all(moved);
  fs::rename(prefix, moved);
  EXPECT_EQ(data_folder_of(moved / "bin/vic"), moved / "share/vic");
}

TEST(DataFolder, OfABuiltProgramIsTheSourceTree) {
  EXPECT_EQ(data_folder(), VIC_SOURCE_DIR);
  EXPECT_TRUE(fs::exists(data_folder() / "experiments"));
  EXPECT_EQ(data_folder_of(""), VIC_SOURCE_DIR);
}

}  // namespace
}  // namespace vic
