#include "serve/processes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/folder_lock.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

// a child that ends on its own
Children::Ended wait_for(Children& children) {
  siginfo_t info = {};
  // waits for its end without reaping it
  EXPECT_EQ(::waitid(P_ALL, 0, &info, WEXITED | WNOWAIT), 0);
  const auto ended = children.ended();
  EXPECT_EQ(ended.size(), 1u);
  return ended.empty() ? Children::Ended{} : ended[0];
}

TEST(Processes, LockIsHeldByThisProcess) {
  const FixtureFolder folder("lock-holder");
  EXPECT_EQ(lock_holder(folder.path()), std::nullopt);
  const auto lock = FolderLock::take(folder.path());
  ASSERT_TRUE(lock);
  EXPECT_EQ(lock_holder(folder.path()), ::getpid());
  EXPECT_EQ(lock_holder(folder / "missing"), std::nullopt);
}

TEST(Processes, WhoLocksTheFolderIsStopped) {
  const FixtureFolder folder("stop-training");
  EXPECT_FALSE(stop_training(folder.path()));
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t trainer = ::fork();
  if (trainer == 0) {
    const auto lock = FolderLock::take(folder.path());
    const bool said = ::write(ends[1], "l", 1) == 1;
    while (said) ::pause();
    ::_exit(1);
  }
  char locked = 0;
  ASSERT_EQ(::read(ends[0], &locked, 1), 1);
  EXPECT_EQ(lock_holder(folder.path()), trainer);
  EXPECT_TRUE(stop_training(folder.path()));
  int status = 0;
  ASSERT_EQ(::waitpid(trainer, &status, 0), trainer);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  EXPECT_FALSE(stop_training(folder.path()));
  for (int end : ends) ::close(end);
}

TEST(Processes, EndOfAChildHasItsCodeAndLastWords) {
  Children children;
  children.start("/bin/sh",
                 {"-c", "echo to no reader; echo \"$1\" >&2; exit 7", "sh", "; rm -rf /"}, "mine");
  const Children::Ended ended = wait_for(children);
  EXPECT_EQ(ended.name, "mine");
  EXPECT_EQ(ended.code, 7);
  EXPECT_EQ(ended.words, "; rm -rf /\n");
  EXPECT_TRUE(children.ended().empty());
}

TEST(Processes, ProgramThatIsNotThereIsNamed) {
  Children children;
  EXPECT_THROW(children.start("/nowhere/vic", {}, "mine"), Error);
}

}  // namespace
}  // namespace vic
