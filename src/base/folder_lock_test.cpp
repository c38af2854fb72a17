#include "base/folder_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include <csignal>
#include <filesystem>

#include "base/file.h"

namespace vic {
namespace {

class FolderLockTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_ =
      testing::TempDir() + "vic_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(FolderLockTest, HoldsOthersOffUntilItGoes) {
  {
    auto first = FolderLock::take(folder_);
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->holds());
    EXPECT_FALSE(FolderLock::take(folder_));
    // moved, it is the same lock
    const FolderLock second = std::move(*first);
    first.reset();
    EXPECT_FALSE(FolderLock::take(folder_));
    EXPECT_TRUE(second.in_place());
    std::filesystem::rename(folder_, folder_ + "-moved");
    EXPECT_FALSE(second.in_place());
    std::filesystem::create_directory(folder_);
    EXPECT_FALSE(second.in_place());
    std::filesystem::remove_all(folder_ + "-moved");
  }
  EXPECT_TRUE(FolderLock::take(folder_));
  EXPECT_THROW(FolderLock::take(folder_ + "/no"), Error);
}

TEST_F(FolderLockTest, TellsWhoHasIt) {
  EXPECT_EQ(FolderLock::last_holder(folder_), "");
  {
    const auto lock = FolderLock::take(folder_, "n1 task 17_3");
    EXPECT_EQ(FolderLock::holder(folder_), "n1 task 17_3");
  }
  EXPECT_EQ(FolderLock::holder(folder_), std::nullopt);
  EXPECT_EQ(FolderLock::last_holder(folder_), "n1 task 17_3");
  const auto again = FolderLock::take(folder_, "n2");
  EXPECT_EQ(FolderLock::holder(folder_), "n2");
}

// a child process that takes the lock by `path`, reports it, and runs until it is killed
class Holder {
 public:
  explicit Holder(const std::string& path) {
    EXPECT_EQ(::pipe(ends_), 0);
    process_ = ::fork();
    if (process_ == 0) {
      const auto lock = FolderLock::take(path, "child");
      const bool said = ::write(ends_[1], lock ? "y" : "n", 1) == 1;
      while (said) ::pause();
      ::_exit(1);
    }
    EXPECT_EQ(::read(ends_[0], &answer_, 1), 1);
  }
  ~Holder() {
    kill();
    for (int end : ends_) ::close(end);
  }
  bool has_it() const { return answer_ == 'y'; }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(std::exchange(process_, 0), nullptr, 0);
  }

 private:
  int ends_[2] = {};
  pid_t process_ = 0;
  char answer_ = 0;
};

TEST_F(FolderLockTest, OfAProcessThatWasKilledIsFree) {
  Holder holder(folder_);
  ASSERT_TRUE(holder.has_it());
  EXPECT_FALSE(FolderLock::take(folder_));
  EXPECT_EQ(FolderLock::holder(folder_), "child");
  holder.kill();
  EXPECT_TRUE(FolderLock::take(folder_));
}

// two hosts reach one file by two mounts; the test needs the right to mount, which root has
TEST_F(FolderLockTest, HoldsThroughAnotherMount) {
  const std::string other = folder_ + "-mounted";
  std::filesystem::create_directories(other);
  if (::mount(folder_.c_str(), other.c_str(), nullptr, MS_BIND, nullptr) == -1) {
    std::filesystem::remove(other);
    GTEST_SKIP() << "this user may not mount";
  }
  {
    Holder holder(other);
    EXPECT_TRUE(holder.has_it());
    EXPECT_FALSE(FolderLock::take(folder_));
    holder.kill();
    EXPECT_TRUE(FolderLock::take(folder_));
  }
  EXPECT_EQ(::umount(other.c_str()), 0);
  std::filesystem::remove(other);
}

// A client of NFS passes the lock of a file on to the server as a lock of its bytes, which needs a
// file that is open for writing, and keeps that of a folder to itself.
TEST_F(FolderLockTest, IsTheLockOfAFileThatIsOpenForWriting) {
  const auto lock = FolderLock::take(folder_);
  struct stat locked = {};
  ASSERT_EQ(::stat((folder_ + "/.lock").c_str(), &locked), 0);
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int number = std::stoi(entry.path().filename());
    struct stat open = {};
    if (::fstat(number, &open) == -1 || open.st_ino != locked.st_ino) continue;
    ++found;
    EXPECT_EQ(::fcntl(number, F_GETFL) & O_ACCMODE, O_RDWR);
  }
  EXPECT_EQ(found, 1);
  const Descriptor folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY));
  EXPECT_EQ(::flock(folder.number, LOCK_EX | LOCK_NB), 0) << "the folder itself is not locked";
}

TEST_F(FolderLockTest, NoticesThatItsFileWasRemoved) {
  const auto first = FolderLock::take(folder_);
  std::filesystem::remove(folder_ + "/.lock");
  EXPECT_FALSE(first->in_place());
  EXPECT_TRUE(FolderLock::take(folder_));
}

TEST_F(FolderLockTest, OpensNoLinksPipesOrDevices) {
  const std::string path = folder_ + "/.lock";
  write_file(folder_ + "/other", "kept");
  std::filesystem::create_symlink(folder_ + "/other", path);
  EXPECT_THROW(FolderLock::take(folder_), UsageError);
  EXPECT_EQ(FolderLock::holder(folder_), std::nullopt);
  EXPECT_EQ(FolderLock::last_holder(folder_), "");
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_THROW(FolderLock::take(folder_), UsageError);
  EXPECT_EQ(FolderLock::last_holder(folder_), "");
  EXPECT_EQ(read_file(folder_ + "/other"), "kept");
}

TEST_F(FolderLockTest, MountsThatKeepLocksToThemselvesAreNamed) {
  struct stat status = {};
  ASSERT_EQ(::stat(folder_.c_str(), &status), 0);
  const auto mount = [&](const char* kind, const char* options) {
    return why_locks_stay_local(
        folder_, fmt::format("22 1 8:99 / / rw - ext4 /dev/sda rw\n36 22 {}:{} / /home rw,noatime "
                             "shared:5 - {} server:/home {}\n",
                             major(status.st_dev), minor(status.st_dev), kind, options));
  };
  EXPECT_EQ(mount("ext4", "rw"), "");
  EXPECT_EQ(mount("nfs4", "rw,vers=4.2,hard,local_lock=none"), "");
  EXPECT_EQ(mount("nfs", "rw,vers=3,local_lock=posix"), "");
  EXPECT_EQ(mount("lustre", "rw,flock,lazystatfs"), "");
  EXPECT_EQ(mount("nfs", "rw,vers=3,nolock,local_lock=all"),
            folder_ +
                " is on server:/home (nfs), whose mount options keep locks from other hosts: two "
                "of them would train the same run. Choose another --out, or let it be mounted with "
                "local_lock=none.");
  EXPECT_NE(mount("lustre", "rw,localflock"), "");
  EXPECT_NE(mount("lustre", "rw"), "");
}

}  // namespace
}  // namespace vic
