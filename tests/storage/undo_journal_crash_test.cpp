// An update in place, stopped at every call and with every kind of loss, is after recovery the old file or
// the new one; and recovery itself may be stopped.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <vector>

#include "power_failure_store.h"
#include "storage/faulty_store.h"
#include "storage/faulty_system_calls.h"
#include "storage/memory_store.h"
#include "storage/posix_store.h"
#include "storage/undo_journal.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

struct Update {
  std::string old_text;
  std::string new_text;
  std::vector<ByteRange> ranges;  // of old_text that differ in new_text
};

// As a format's metadata are updated: journal, new space, the overwrites, done.
Status apply(Store& store, const std::string& path, const Update& update) {
  SCORPIO_ASSIGN(const auto file, store.open(path, OpenMode::read_write));
  SCORPIO_ASSIGN(UndoJournal journal,
                 UndoJournal::write(store, path, *file, update.ranges, update.old_text.size()));
  const std::string_view text = update.new_text;
  SCORPIO_TRY(file->write_at(bytes_of(text.substr(update.old_text.size())), update.old_text.size()));
  for (const ByteRange& range : update.ranges) {
    SCORPIO_TRY(file->write_at(bytes_of(text.substr(range.begin, range.size())), range.begin));
  }
  SCORPIO_TRY(journal.finish(*file));
  return file->close();
}

Update any_update() {
  Update update;
  update.old_text = *rc::gen::container<std::string>(2000, rc::gen::inRange('a', 'z'));
  update.new_text = update.old_text + std::string(static_cast<size_t>(*rc::gen::inRange(0, 300)), 'N');
  const int count = *rc::gen::inRange(0, 5);
  for (int i = 0; i < count; ++i) {
    const auto offset = *rc::gen::inRange<uint64_t>(0, 2000);
    const auto length = *rc::gen::inRange<uint64_t>(0, 2001 - offset);
    update.ranges.push_back(ByteRange::at(offset, length));
    update.new_text.replace(offset, length, std::string(length, 'O'));
  }
  return update;
}

const Update k_update = {std::string(1500, 'o'),
                         std::string(96, 'n') + std::string(900, 'o') + std::string(4, 'n') +
                             std::string(500, 'o') + std::string(200, 'n'),
                         {{0, 96}, {996, 1000}}};

// Repeats the recovery, stopped at its calls 1, 2, 3, ... in turn, until one comes through.
void recover_stubbornly(const std::shared_ptr<Store>& store, const std::string& path) {
  for (int k = 1; k < 100; ++k) {
    const auto plan =
        *FaultPlan::parse("any:" + std::to_string(k) + "=short;any:" + std::to_string(k + 1) + "+=EIO");
    if (recover(*make_faulty_store(store, plan), path).ok()) return;
  }
  FAIL() << "the recovery needs more than 100 calls";
}

TEST(UndoJournalCrash, StoppedAtEveryCallLeavesOldOrNew) {
  for (int k = 1;; ++k) {
    const std::shared_ptr<Store> inner = make_memory_store();
    make_file(*inner, "f", k_update.old_text);
    const auto plan =
        *FaultPlan::parse("any:" + std::to_string(k) + "=short;any:" + std::to_string(k + 1) + "+=EIO");
    const Status status = apply(*make_faulty_store(inner, plan), "f", k_update);
    recover_stubbornly(inner, "f");
    const std::string text = contents(*inner, "f");
    EXPECT_TRUE(text == k_update.old_text || text == k_update.new_text) << "stopped at call " << k;
    EXPECT_FALSE(*inner->exists(journal_name("f"))) << k;
    if (plan->all_calls() < static_cast<uint64_t>(k)) {
      EXPECT_TRUE(status.ok()) << status.text();
      EXPECT_EQ(text, k_update.new_text);
      EXPECT_GT(k, 12);
      break;
    }
    EXPECT_FALSE(status.ok()) << k;
  }
}

TEST(UndoJournalCrash, AnyUpdateStoppedAnywhereWithLossOfPower) {
  EXPECT_TRUE(rc::check([] {
    const Update update = any_update();
    const auto inner = std::make_shared<PowerFailureStore>();
    make_file(*inner, "f", update.old_text);
    RC_ASSERT((*inner->open("f", OpenMode::read))->sync().ok());
    RC_ASSERT(inner->sync_directory_of("f").ok());
    const auto choose = [](uint64_t n) { return *rc::gen::inRange<uint64_t>(0, n); };

    const auto stop_at = [](int k) { return *FaultPlan::parse("any:" + std::to_string(k) + "+=EIO"); };
    const auto plan = stop_at(*rc::gen::inRange(1, 25));
    const Status status = apply(*make_faulty_store(inner, plan), "f", update);
    inner->fail_power(choose);
    // The first recovery is stopped by a power failure, too.
    static_cast<void>(recover(*make_faulty_store(inner, stop_at(*rc::gen::inRange(1, 60))), "f").ok());
    inner->fail_power(choose);
    const auto outcome = recover(*inner, "f");
    RC_ASSERT(outcome.ok());
    const std::string text = contents(*inner, "f");
    RC_ASSERT(text == update.new_text || (text == update.old_text && !status.ok()));
  }));
}

// Every pair of calls at which the power fails, once in the update and once in its recovery.
TEST(UndoJournalCrash, PowerFailsInTheUpdateAndInItsRecovery) {
  constexpr int k_update_calls = 14;
  constexpr int k_recovery_calls = 64;
  std::mt19937_64 random(2012);
  const auto choose = [&random](uint64_t n) { return random() % n; };
  const auto stopped = [](const std::shared_ptr<Store>& store, int k) {
    return make_faulty_store(store, *FaultPlan::parse("any:" + std::to_string(k) + "+=EIO"));
  };
  int restored = 0;
  for (int i = 0; i < 2 * k_update_calls * k_recovery_calls; ++i) {
    const int k = 1 + i % k_update_calls;
    const auto inner = std::make_shared<PowerFailureStore>();
    make_file(*inner, "f", k_update.old_text);
    ASSERT_TRUE((*inner->open("f", OpenMode::read))->sync().ok());
    ASSERT_TRUE(inner->sync_directory_of("f").ok());
    const Status status = apply(*stopped(inner, k), "f", k_update);
    inner->fail_power(choose);
    const auto first = recover(*stopped(inner, 1 + i / k_update_calls % k_recovery_calls), "f");
    restored += first.ok() && *first ? 1 : 0;
    inner->fail_power(choose);
    ASSERT_TRUE(recover(*inner, "f").ok());
    const std::string text = contents(*inner, "f");
    ASSERT_TRUE(text == k_update.new_text || (text == k_update.old_text && !status.ok()))
        << "stopped at call " << k;
  }
  EXPECT_GT(restored, 100);  // else the numbers of calls above are too small to be a test
}

TEST(UndoJournalCrash, AKilledProcessLeavesOldOrNew) {
  const TemporaryFolder folder;
  const std::string path = folder / "f";
  const auto store = make_posix_store();
  bool ended = false;
  for (int k = 1; !ended; ++k) {
    make_file(*store, path, k_update.old_text);
    const pid_t child = ::fork();
    if (child == 0) {
      const auto plan = *FaultPlan::parse("any:" + std::to_string(k) + "=torn");
      const auto faulty = make_posix_store(std::make_shared<FaultySystemCalls>(plan));
      ::_exit(apply(*faulty, path, k_update).ok() ? 0 : 1);
    }
    int state = 0;
    ASSERT_EQ(::waitpid(child, &state, 0), child);
    ended = WIFEXITED(state);
    EXPECT_TRUE(!ended || WEXITSTATUS(state) == 0);
    ASSERT_TRUE(recover(*store, path).ok()) << "killed at call " << k;
    const std::string text = contents(*store, path);
    EXPECT_TRUE(text == k_update.new_text || (text == k_update.old_text && !ended)) << "killed at call " << k;
    ASSERT_LT(k, 100);
  }
}

}  // namespace
}  // namespace scorpio::storage::test
