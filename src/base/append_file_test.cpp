#include "base/append_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"

namespace vic {
namespace {

class AppendFileTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_ =
      testing::TempDir() + "vic_" + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string path_ = folder_ + "/log";
};

TEST_F(AppendFileTest, GrowsFromTheLengthItWasCutTo) {
  {
    AppendFile log(path_, 0);
    log.append("one\n");
    EXPECT_EQ(log.size(), 4U);
    log.append("two\nthr");
    log.sync();
  }
  EXPECT_EQ(read_file(path_), "one\ntwo\nthr");
  AppendFile log(path_, 4);
  EXPECT_EQ(read_file(path_), "one\n");
  log.append("2\n");
  EXPECT_EQ(read_file(path_), "one\n") << "gathered, not yet written";
  log.flush();
  EXPECT_EQ(read_file(path_), "one\n2\n");
  EXPECT_EQ(log.size(), 6U);
}

TEST_F(AppendFileTest, WritesALotWithoutAFlush) {
  AppendFile log(path_, 0);
  for (int i = 0; i < 10000; ++i) log.append("0123456789");
  EXPECT_GT(std::filesystem::file_size(path_), 80000U);
  log.flush();
  EXPECT_EQ(std::filesystem::file_size(path_), 100000U);
}

TEST_F(AppendFileTest, SaysWhatItCannotWrite) {
  try {
    AppendFile(folder_ + "/no/log", 0);
    FAIL() << "a file in no folder was opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "Cannot write " + folder_ + "/no/log: No such file or directory.");
  }
}

}  // namespace
}  // namespace vic
