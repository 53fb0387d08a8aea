// Names that one run at a time has: what becomes of a file that others rename, remove or lock between the
// calls of this run.
#include "storage/locked_name.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "storage/faulty_store.h"
#include "storage/forwarding_file.h"
#include "storage/memory_store.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

using File = std::unique_ptr<StoredFile>;

TEST(LockedName, AFileThatHasAnotherNameOrNoneIsNotThere) {
  const auto store = make_memory_store();
  for (const bool removed : {false, true}) {
    const File file = store->open("f", OpenMode::create_new).value();
    ASSERT_TRUE((removed ? store->remove("f") : store->rename("f", "g")).ok());
    const Result<bool> there = lock_name(*store, *file, "f", true, k_not_waiting);
    ASSERT_TRUE(there.ok()) << there.status().text();
    EXPECT_FALSE(*there);
  }
  EXPECT_EQ(contents(*store, "g"), "");
}

TEST(LockedName, AFileThatAnotherRunHasLockedIsNotRemovedByItsMaker) {
  const auto store = make_memory_store();
  const File made = store->open("f", OpenMode::create_new).value();
  const File other = store->open("f", OpenMode::read_write).value();
  ASSERT_TRUE(other->lock_exclusive().ok());
  EXPECT_EQ(lock_name(*store, *made, "f", true, k_not_waiting).status().code(), Code::busy);
  EXPECT_EQ(contents(*store, "f"), "");
}

TEST(LockedName, AFileThatCannotBeLockedIsRemovedByItsMakerAlone) {
  for (const bool made : {false, true}) {
    const std::shared_ptr<Store> inner = make_memory_store();
    const auto store = make_faulty_store(inner, FaultPlan::parse("lock:1=ENOLCK").value());
    const File file = store->open("f", OpenMode::create_new).value();
    EXPECT_FALSE(lock_name(*store, *file, "f", made, k_not_waiting).ok());
    EXPECT_EQ(contents(*inner, "f"), made ? "(absent)" : "");
  }
}

// Another run has its lock for the first two attempts.
class LockedForAMoment final : public ForwardingFile {
 public:
  explicit LockedForAMoment(std::shared_ptr<StoredFile> inner) : ForwardingFile(std::move(inner)) {}
  Status lock_exclusive() override {
    return ++attempts > 2 ? inner().lock_exclusive() : failure(Code::busy, "another run has the lock");
  }
  int attempts = 0;
};

TEST(LockedName, ALockThatIsHeldForAMomentIsAwaitedIfThereIsPatience) {
  const auto store = make_memory_store();
  for (const Patience& patience : {k_not_waiting, k_usual_patience, k_long_patience}) {
    LockedForAMoment file(store->open("f", OpenMode::create_truncate).value());
    const Result<bool> there = lock_name(*store, file, "f", false, patience);
    EXPECT_EQ(there.ok() && *there, patience.locks > 1) << there.status().text();
    EXPECT_EQ(file.attempts, patience.locks > 1 ? 3 : 1);
  }
}

TEST(LockedName, ANameThatIsRemovedEachTimeIsGivenUp) {
  int attempts = 0;
  const auto none = until_there(k_usual_patience, [&]() -> Result<File> {
    ++attempts;
    return File();
  });
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(*none, nullptr);
  EXPECT_EQ(attempts, k_usual_patience.names);
}

TEST(LockedName, AFailureEndsTheAttempts) {
  int attempts = 0;
  const auto failed = until_there(k_usual_patience, [&]() -> Result<File> {
    if (++attempts == 1) return File();
    return failure(Code::io, "it fails");
  });
  EXPECT_EQ(failed.status().code(), Code::io);
  EXPECT_EQ(attempts, 2);
}

TEST(LockedName, TheTextNamesTheFileAndWhatTheOtherRunHolds) {
  const Status busy = being_written("f", "the lock on f.scorpio-lock");
  EXPECT_EQ(busy.code(), Code::busy);
  EXPECT_TRUE(mentions(busy, "f is being written by another run")) << busy.text();
  EXPECT_TRUE(mentions(busy, "which holds the lock on f.scorpio-lock;")) << busy.text();
  EXPECT_FALSE(mentions(being_written("f"), "holds"));
}

}  // namespace
}  // namespace scorpio::storage::test
