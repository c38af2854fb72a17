#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "base/error.h"
#include "support/file_size_limit.h"

namespace vic {
namespace {

namespace fs = std::filesystem;

// a separate folder for the test, empty but for "old" in the file "kept"
class WriteFile : public testing::Test {
 protected:
  WriteFile() {
    fs::remove_all(folder);
    fs::create_directory(folder);
    std::ofstream(kept, std::ios::binary) << "old";
  }
  ~WriteFile() override { fs::remove_all(folder); }

  // the error of write_file; "" where it succeeds
  static std::string complaint(const std::string& path, std::string_view bytes) {
    try {
      write_file(path, bytes);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
  }

  const std::string folder = testing::TempDir() + "vic_write_" + std::to_string(::getpid());
  const std::string kept = folder + "/kept";
};

TEST(ReadFile, ReturnsTheBytesAsTheyAre) {
  const std::string path = testing::TempDir() + "vic_read_file";
  const std::string bytes = std::string("a\0b\r\n", 5) + std::string(200000, 'z');
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(read_file(path), bytes);
  EXPECT_THROW(read_file(path, 1000), UsageError);
  std::filesystem::remove(path);
}

TEST(ReadFile, NamesThePathThatCannotBeRead) {
  try {
    read_file("/no/such/file");
    FAIL() << "a missing file was read";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "Cannot open /no/such/file: No such file or directory.");
  }
  EXPECT_THROW(read_file("/"), UsageError);
}

// whatever a foreign folder holds in place of a file is refused without reading
TEST(ReadFile, ReadsNothingButFilesOfABoundedSize) {
  const std::string path = testing::TempDir() + "vic_read_" + std::to_string(::getpid());
  const auto complaint = [](const std::string& read) {
    try {
      read_file(read);
      return std::string();
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(complaint("/dev/zero"), "/dev/zero is a device or a pipe; give the path of a file.");
  ASSERT_EQ(::mkfifo(path.c_str(), 0666), 0);
  EXPECT_EQ(complaint(path), path + " is a device or a pipe; give the path of a file.");
  fs::remove(path);
  std::ofstream(path) << "x";
  fs::resize_file(path, std::uintmax_t{40} << 30);
  EXPECT_EQ(complaint(path), path + " is larger than 64 MiB, the most that is read.");
  fs::remove(path);
}

TEST_F(WriteFile, ReplacesTheContentsWhole) {
  const std::string bytes = std::string("a\0b\r\n", 5) + std::string(300000, 'z');
  for (const std::string& contents : {bytes, std::string("short"), std::string()}) {
    write_file(kept, contents);
    EXPECT_EQ(read_file(kept), contents);
    EXPECT_EQ(files(), 1U);
  }
  write_file(folder + "/new", "fresh");
  EXPECT_EQ(read_file(folder + "/new"), "fresh");
}

TEST_F(WriteFile, ReplacesALinkWhereItMustNotBeFollowed) {
  fs::create_symlink(kept, folder + "/link");
  write_file(folder + "/link", "new", Links::replace);
  EXPECT_EQ(read_file(kept), "old");
  EXPECT_EQ(read_file(folder + "/link"), "new");
  EXPECT_FALSE(fs::is_symlink(folder + "/link"));
}

TEST_F(WriteFile, TakesOverWhatAKilledProcessLeft) {
  std::ofstream(kept + ".vic-tmp") << "half of something much longer";
  write_file(kept, "new");
  EXPECT_EQ(read_file(kept), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteFile, KeepsTheOldFileWhenTheDiskIsFull) {
  const std::string large(10000, 'x');
  std::string error, error_of_new;
  {
    const FileSizeLimit limit(4096);
    error = complaint(kept, large);
    error_of_new = complaint(folder + "/new", large);
  }
  EXPECT_EQ(error, "Cannot write " + kept + ": File too large.");
  EXPECT_EQ(error_of_new, "Cannot write " + folder + "/new: File too large.");
  EXPECT_EQ(read_file(kept), "old");
  EXPECT_EQ(files(), 1U) << "something of a failed write is left";
}

TEST_F(WriteFile, KeepsTheOldFileInAFolderThatIsReadOnly) {
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                              fs::perms::others_exec);
  // root may write anywhere: become nobody for a moment
  const uid_t me = ::geteuid();
  ASSERT_EQ(::seteuid(me == 0 ? 65534 : me), 0);
  const std::string error = complaint(kept, "new");
  ASSERT_EQ(::seteuid(me), 0);
  fs::permissions(folder, fs::perms::owner_all);
  EXPECT_EQ(error, "Cannot write " + kept + ": Permission denied.");
  EXPECT_EQ(read_file(kept), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteFile, NamesThePathThatCannotBeWritten) {
  EXPECT_EQ(complaint("/no/such/file", "x"),
            "Cannot write /no/such/file: No such file or directory.");
  EXPECT_EQ(complaint(kept + "/below", "x"), "Cannot write " + kept + "/below: Not a directory.");
  EXPECT_EQ(complaint(folder, "x"), "Cannot write " + folder + ": Is a directory.");
  EXPECT_EQ(complaint("/dev/full", "x"), "Cannot write /dev/full: it is a device, not a file.");
  EXPECT_NE(complaint("", "x"), "");
  EXPECT_NE(complaint(folder + "/new/", "x"), "");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteFile, WritesThroughALink) {
  fs::create_symlink("kept", folder + "/link");
  write_file(folder + "/link", "new");
  EXPECT_TRUE(fs::is_symlink(folder + "/link"));
  EXPECT_EQ(read_file(kept), "new");
}

TEST_F(WriteFile, TakesTurnsAmongWriters) {
  const std::vector<std::string> contents = {std::string(5000, 'a'), std::string(90000, 'b')};
  std::vector<std::jthread> writers;
  writers.reserve(contents.size());
  for (const std::string& bytes : contents) {
    writers.emplace_back([&] {
      for (int i = 0; i < 50; ++i) EXPECT_EQ(complaint(kept, bytes), "");
    });
  }
  for (int i = 0; i < 50; ++i) {
    const std::string seen = read_file(kept);
    EXPECT_TRUE(seen == "old" || seen == contents[0] || seen == contents[1]) << seen.size();
  }
  writers.clear();
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteFile, GivesAnotherNameInPlaceOfTheFileThatHadIt) {
  write_file(folder + "/next", "new");
  rename_file(folder + "/next", kept);
  EXPECT_EQ(read_file(kept), "new");
  EXPECT_EQ(files(), 1U);
  EXPECT_THROW(rename_file(folder + "/none", kept), Error);
  EXPECT_EQ(read_file(kept), "new");
}

TEST_F(WriteFile, FoldersAreMadeWithThoseAboveThem) {
  const std::string deep = folder + "/a/b/c";
  EXPECT_FALSE(path_exists(deep));
  EXPECT_FALSE(path_may_exist(deep));
  make_folders(deep);
  EXPECT_TRUE(path_exists(deep));
  EXPECT_TRUE(path_may_exist(deep));
  make_folders(deep);
  try {
    make_folders(kept + "/below");
    FAIL() << "a folder was made in a file";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "Cannot make the folder " + kept + "/below: Not a directory.");
  }
}

}  // namespace
}  // namespace vic
