// Which process has made something, and whether it still exists.
#include "storage/process_identity.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scorpio::storage::test {
namespace {

TEST(ProcessIdentity, KnowsItself) {
  const ProcessIdentity own = this_process();
  EXPECT_EQ(static_cast<uint64_t>(::getpid()), own.process);
  EXPECT_NE(0u, own.place);
  EXPECT_EQ(Life::goes_on, life_of(own));
}

TEST(ProcessIdentity, KnowsWhetherAnotherOneHasEnded) {
  int ends[2];
  ASSERT_EQ(0, ::pipe(ends));
  const pid_t child = ::fork();
  if (child == 0) {
    const ProcessIdentity own = this_process();
    static_cast<void>(::write(ends[1], &own, sizeof(own)) == sizeof(own));
    ::pause();
    ::_exit(0);
  }
  ProcessIdentity identity;
  ASSERT_EQ(static_cast<ssize_t>(sizeof(identity)), ::read(ends[0], &identity, sizeof(identity)));
  EXPECT_EQ(Life::goes_on, life_of(identity));
  ASSERT_EQ(0, ::kill(child, SIGKILL));
  ASSERT_EQ(child, ::waitpid(child, nullptr, 0));
  EXPECT_EQ(Life::ended, life_of(identity));
}

// The number of a process is used again.
TEST(ProcessIdentity, AnotherStartIsAnotherProcess) {
  ProcessIdentity earlier = this_process();
  --earlier.started;
  EXPECT_EQ(Life::ended, life_of(earlier));
}

TEST(ProcessIdentity, OfAnotherNodeNothingIsKnown) {
  ProcessIdentity elsewhere = this_process();
  ++elsewhere.place;
  EXPECT_EQ(Life::unknown, life_of(elsewhere));
  EXPECT_EQ(Life::unknown, life_of({}));
}

}  // namespace
}  // namespace scorpio::storage::test
