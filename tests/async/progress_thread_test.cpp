// A thread that advances work between calls: that it does so, that it does nothing in them, what it costs,
// and its ends.
#include "async/progress_thread.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <memory>
#include <thread>

#include "support/child.h"
#include "support/time_of_others.h"

namespace scorpio::async {
namespace {

using namespace std::chrono_literals;

// Work of which each step does one part. Its members are those of calls, without a lock of their own, so that
// the thread sanitizer finds steps that are not kept out of calls.
struct Parts final : Advancing {
  bool advance() noexcept override {
    EXPECT_FALSE(in_call);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    EXPECT_EQ(1, sigismember(&blocked, SIGINT));
    EXPECT_EQ(1, sigismember(&blocked, SIGXFSZ));
    if (stuck) return false;
    --left;
    ++done;
    return true;
  }
  bool under_way() const noexcept override { return left > 0; }

  int left = 0, done = 0;
  bool stuck = false, in_call = false;
};

class Call {
 public:
  Call(ProgressThread& thread, Parts& parts) : thread_(thread), parts_(parts) {
    thread_.enter();
    parts_.in_call = true;
  }
  ~Call() {
    parts_.in_call = false;
    thread_.leave();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  ProgressThread& thread_;
  Parts& parts_;
};

struct ProgressThreadTest : testing::Test {
  ProgressThreadTest() { EXPECT_TRUE(thread.start({}, nullptr).ok()); }
  int done() {
    const Call call(thread, parts);
    return parts.done;
  }
  // A call that only looks leaves the rest of the work to the thread.
  bool reaches(int number) {
    for (int i = 0; i < 3000 && done() < number; ++i) std::this_thread::sleep_for(10ms);
    return done() == number;
  }
  Parts parts;
  ProgressThread thread{parts};
};

TEST_F(ProgressThreadTest, DoesBetweenCallsWhatTheyLeave) {
  for (int round = 1; round <= 50; ++round) {
    {
      const Call call(thread, parts);
      parts.left = 20;
    }
    ASSERT_TRUE(reaches(20 * round));
  }
}

TEST_F(ProgressThreadTest, DoesNothingInACall) {
  const Call call(thread, parts);
  parts.left = 20;
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(0, parts.done);
}

// It looks again by itself: nobody says that a message has come.
TEST_F(ProgressThreadTest, LooksAgainAtWorkThatCouldNotBeDone) {
  {
    const Call call(thread, parts);
    parts.left = 1;
    parts.stuck = true;
  }
  std::this_thread::sleep_for(50ms);
  {
    const Call call(thread, parts);
    EXPECT_EQ(1, parts.left);
    parts.stuck = false;
  }
  EXPECT_TRUE(reaches(1));
}

TEST_F(ProgressThreadTest, LooksLessOftenTheLongerNothingMoves) {
  EXPECT_EQ(50us, ProgressThread::nap_after(0us));
  EXPECT_EQ(50us, ProgressThread::nap_after(700us));
  EXPECT_EQ(1ms, ProgressThread::nap_after(16ms));
  EXPECT_EQ(10ms, ProgressThread::nap_after(10s));
}

TEST_F(ProgressThreadTest, EndsInACallAndTwice) {
  const Call call(thread, parts);
  parts.left = 20;
  thread.end();
  thread.end();
  EXPECT_EQ(0, parts.done);
}

// The thread sanitizer has a thread of its own, and no other threads after a fork.
#if !defined(__SANITIZE_THREAD__)
TEST_F(ProgressThreadTest, UsesNoTimeWhileNothingIsLeft) {
  ASSERT_EQ(0, done());
  const double before = test::seconds_of_others();
  std::this_thread::sleep_for(1s);
  EXPECT_GT(0.0005, test::seconds_of_others() - before);
}

// A child that does not end is killed by a signal.
int in_child_for_a_while(const std::function<int()>& work) {
  return test::in_child([&] {
    alarm(30);
    return work();
  });
}

TEST_F(ProgressThreadTest, AChildProcessForgetsIt) {
  EXPECT_EQ(3, in_child_for_a_while([this] {
              thread.end();
              return 3;
            }));
  EXPECT_EQ(4, in_child_for_a_while([] { return 4; }));
  {
    const Call call(thread, parts);
    parts.left = 5;
  }
  EXPECT_TRUE(reaches(5)) << "in this process it goes on";
}

TEST(ProgressThreadAtExit, EndsBeforeTheObjectsOfTheProcess) {
  EXPECT_EQ(5, in_child_for_a_while([] {
              static Parts parts;
              static auto* const forgotten = std::make_unique<ProgressThread>(parts).release();
              parts.left = 1;
              parts.stuck = true;
              return forgotten->start({}, nullptr).ok() ? 5 : 6;
            }));
}
#endif

}  // namespace
}  // namespace scorpio::async
