// The undo journal, case by case; undo_journal_crash_test.cpp stops it everywhere.
#include "storage/undo_journal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "storage/fault_plan.h"
#include "storage/faulty_store.h"
#include "storage/guarded_overwrite.h"
#include "storage/journal_stream.h"
#include "storage/memory_store.h"
#include "storage/traced_store.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

std::string old_text(size_t bytes = 5000) {
  std::string text(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>('a' + (i * 7 + i / 26) % 26);
  return text;
}

class UndoJournalTest : public testing::Test {
 protected:
  UndoJournalTest() { make_file(*store_, "f", old_text()); }

  // Journals `ranges`, overwrites them with 'X' and appends; then the writer is gone.
  void overwrite_and_die(const std::vector<ByteRange>& ranges) {
    auto file = store_->open("f", OpenMode::read_write);
    ASSERT_TRUE(file.ok());
    const uint64_t old_size = *(*file)->size();
    auto journal = UndoJournal::write(*store_, "f", **file, ranges, old_size);
    ASSERT_TRUE(journal.ok()) << journal.status().text();
    for (const ByteRange& range : ranges) {
      ASSERT_TRUE((*file)->write_at(bytes_of(std::string(range.size(), 'X')), range.begin).ok());
    }
    ASSERT_TRUE((*file)->write_at(bytes_of("appended"), old_size).ok());
  }
  Result<bool> recovered() { return recover(*store_, "f"); }
  bool journal_exists() { return *store_->exists("f.scorpio-journal"); }

  std::unique_ptr<Store> store_ = make_memory_store();
};

TEST_F(UndoJournalTest, NothingToRecover) {
  const auto outcome = recovered();
  ASSERT_TRUE(outcome.ok());
  EXPECT_FALSE(*outcome);
  EXPECT_FALSE(*recover(*store_, "absent"));
}

TEST_F(UndoJournalTest, RestoresBytesAndSize) {
  overwrite_and_die({{0, 96}, {1000, 3000}, {4999, 5000}, {50, 50}});
  ASSERT_NE(contents(*store_, "f"), old_text());
  const auto outcome = recovered();
  ASSERT_TRUE(outcome.ok()) << outcome.status().text();
  EXPECT_TRUE(*outcome);
  EXPECT_EQ(contents(*store_, "f"), old_text());
  EXPECT_FALSE(journal_exists());
  EXPECT_FALSE(*recovered());
}

TEST_F(UndoJournalTest, OverlappingRangesAndRangesBehindTheEnd) {
  overwrite_and_die(
      {{100, 600}, {300, 800}, {4990, 5090}, {6000, 6010}, {uint64_t{1} << 40, uint64_t{1} << 40}});
  ASSERT_TRUE(recovered().ok());
  EXPECT_EQ(contents(*store_, "f"), old_text());
}

TEST_F(UndoJournalTest, TheWholeFileAndNoRangesAtAll) {
  overwrite_and_die({{0, 5000}});
  EXPECT_TRUE(*recovered());
  EXPECT_EQ(contents(*store_, "f"), old_text());
  overwrite_and_die({});
  EXPECT_TRUE(*recovered());
  EXPECT_EQ(contents(*store_, "f"), old_text());
}

TEST_F(UndoJournalTest, AnEmptyFile) {
  make_file(*store_, "f", "");
  overwrite_and_die({{0, 10}});
  EXPECT_TRUE(*recovered());
  EXPECT_EQ(contents(*store_, "f"), "");
}

TEST_F(UndoJournalTest, FinishKeepsTheNewBytes) {
  auto file = store_->open("f", OpenMode::read_write);
  const ByteRange range{10, 14};
  auto journal = UndoJournal::write(*store_, "f", **file, {&range, 1}, 5000);
  ASSERT_TRUE(journal.ok());
  ASSERT_TRUE((*file)->write_at(bytes_of("NEW!"), 10).ok());
  ASSERT_TRUE(journal->finish(**file).ok());
  EXPECT_FALSE(journal_exists());
  EXPECT_FALSE(*recovered());
  EXPECT_EQ(contents(*store_, "f"), old_text().replace(10, 4, "NEW!"));
}

// The fourth sync is that of the folder after the removal of the journal.
TEST_F(UndoJournalTest, AChangeWithoutItsJournalIsNotHalfOfAChange) {
  for (const std::string faults : {"sync:3=EIO", "sync:4=EIO", "remove:1=EACCES"}) {
    make_file(*store_, "f", old_text());
    const auto plan = *FaultPlan::parse(faults);
    const auto faulty =
        make_faulty_store(std::shared_ptr<Store>(std::shared_ptr<Store>(), store_.get()), plan);
    auto file = std::move(faulty->open("f", OpenMode::read_write)).value();
    GuardedOverwrite change("metadata");
    const ByteRange range{10, 14};
    const std::string name = "f";
    const Status status = change.run({*faulty, name, *file, 5000}, {&range, 1},
                                     [&] { return file->write_at(bytes_of("NEW!"), 10); });
    ASSERT_FALSE(status.ok()) << faults;
    const bool removed = faults == "sync:4=EIO";
    EXPECT_EQ(!removed, journal_exists()) << faults;
    EXPECT_EQ(removed, change.broken().ok()) << faults << ": " << status.text();
    EXPECT_EQ(removed, mentions(status, "the change is complete")) << status.text();
    EXPECT_TRUE(change.close(file).ok());
    EXPECT_EQ(!removed, *recovered()) << faults;
    EXPECT_EQ(contents(*store_, "f"), removed ? old_text().replace(10, 4, "NEW!") : old_text()) << faults;
  }
}

TEST_F(UndoJournalTest, JournalIsDurableBeforeWriteReturnsAndFileBeforeItIsRemoved) {
  std::vector<std::string> order;
  observe::Counters counters;
  const auto traced = make_traced_store(std::move(store_), counters, [&order](const Trace& trace) {
    if (trace.operation != Operation::read)
      order.push_back(std::string(name_of(trace.operation)) + " " + trace.path);
  });
  auto file = traced->open("f", OpenMode::read_write);
  order.clear();
  const ByteRange range{10, 14};
  auto journal = UndoJournal::write(*traced, "f", **file, {&range, 1}, 5000);
  ASSERT_TRUE(journal.ok());
  const std::string name = "f.scorpio-journal";
  EXPECT_EQ(order, (std::vector<std::string>{"open " + name, "lock " + name, "write " + name, "sync " + name,
                                             "sync " + name}));
  order.clear();
  ASSERT_TRUE(journal->finish(**file).ok());
  EXPECT_EQ(order, (std::vector<std::string>{"sync f", "remove " + name, "sync " + name, "close " + name}));
}

TEST_F(UndoJournalTest, EveryIncompleteJournalIsRemovedAndChangesNothing) {
  overwrite_and_die({{0, 20}, {700, 730}});
  const std::string journal = contents(*store_, journal_name("f"));
  const std::string text = contents(*store_, "f");
  for (size_t length = 0; length < journal.size(); ++length) {
    make_file(*store_, journal_name("f"), journal.substr(0, length));
    const auto outcome = recovered();
    ASSERT_TRUE(outcome.ok()) << length << ": " << outcome.status().text();
    EXPECT_FALSE(*outcome) << length;
    EXPECT_FALSE(journal_exists()) << length;
    ASSERT_EQ(contents(*store_, "f"), text) << length;
  }
}

TEST_F(UndoJournalTest, AnyDamagedByteMakesAJournalIncomplete) {
  overwrite_and_die({{0, 20}, {700, 730}});
  const std::string journal = contents(*store_, journal_name("f"));
  const std::string text = contents(*store_, "f");
  for (size_t i = 0; i < journal.size(); ++i) {
    std::string damaged = journal;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    make_file(*store_, journal_name("f"), damaged);
    const auto outcome = recovered();
    EXPECT_TRUE(outcome.ok() && !*outcome) << i;
    ASSERT_EQ(contents(*store_, "f"), text) << i;
  }
}

TEST_F(UndoJournalTest, AReplacedFileIsLeftAlone) {
  overwrite_and_die({{0, 96}});
  for (const std::string& other : {old_text(100), std::string(6000, 'q'), std::string()}) {
    make_file(*store_, "f", other);
    const Status status = recovered().status();
    EXPECT_EQ(status.code(), Code::format);
    EXPECT_TRUE(mentions(status, "remove the journal")) << status.text();
    EXPECT_EQ(contents(*store_, "f"), other);
    EXPECT_TRUE(journal_exists());
  }
  ASSERT_TRUE(store_->remove("f").ok());
  EXPECT_EQ(recovered().status().code(), Code::format);
  EXPECT_TRUE(journal_exists());
}

TEST_F(UndoJournalTest, SettleRecoversOrRemoves) {
  overwrite_and_die({{0, 96}});
  ASSERT_TRUE(settle_journal(*store_, "f").ok());
  EXPECT_EQ(contents(*store_, "f"), old_text());
  overwrite_and_die({{0, 96}});
  make_file(*store_, "f", "another file");
  ASSERT_TRUE(settle_journal(*store_, "f").ok());
  EXPECT_EQ(contents(*store_, "f"), "another file");
  EXPECT_FALSE(journal_exists());
}

TEST_F(UndoJournalTest, AForeignVersionIsUnsupported) {
  auto file = store_->open(journal_name("f"), OpenMode::create_new);
  JournalWriter writer(**file);
  for (const uint64_t number : {uint64_t{0x6c6e4a6f72706353}, uint64_t{99}})
    ASSERT_TRUE(writer.put_number(number).ok());
  ASSERT_TRUE(writer.finish().ok());
  EXPECT_EQ(recovered().status().code(), Code::unsupported);
  EXPECT_TRUE(journal_exists());
  EXPECT_EQ(contents(*store_, "f"), old_text());
}

TEST_F(UndoJournalTest, ALivingWriterIsBusy) {
  auto file = store_->open("f", OpenMode::read_write);
  const ByteRange range{0, 10};
  auto journal = UndoJournal::write(*store_, "f", **file, {&range, 1}, 5000);
  ASSERT_TRUE(journal.ok());
  EXPECT_EQ(recovered().status().code(), Code::busy);
  EXPECT_EQ(UndoJournal::write(*store_, "f", **file, {&range, 1}, 5000).status().code(), Code::exists);
  EXPECT_TRUE(journal->finish(**file).ok());
}

// Another run that opens the file looks at the journal when its writer has created it, and has not locked it
// yet.
TEST_F(UndoJournalTest, ANewJournalIsMadeAgainIfAnotherRunTakesItForAnOldOne) {
  for (const bool holds : {false, true}) {
    std::unique_ptr<StoredFile> other;
    std::jthread end;
    bool looked = false;
    observe::Counters counters;
    const std::shared_ptr<Store> inner = make_memory_store();
    make_file(*inner, "f", old_text());
    const auto store = make_traced_store(inner, counters, [&](const Trace& trace) {
      if (trace.operation != Operation::open || trace.path != "f.scorpio-journal" || looked) return;
      looked = true;
      if (!holds) {
        EXPECT_FALSE(*recover(*inner, "f"));
        return;
      }
      other = std::move(inner->open("f.scorpio-journal", OpenMode::read_write)).value();
      EXPECT_TRUE(other->lock_exclusive().ok());
      end = std::jthread([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_TRUE(inner->remove("f.scorpio-journal").ok());
        other.reset();
      });
    });
    auto file = store->open("f", OpenMode::read_write);
    const ByteRange range{0, 10};
    auto journal = UndoJournal::write(*store, "f", **file, {&range, 1}, 5000);
    ASSERT_TRUE(journal.ok()) << journal.status().text();
    EXPECT_TRUE(looked && *inner->exists("f.scorpio-journal"));
    EXPECT_EQ(recover(*inner, "f").status().code(), Code::busy);
    EXPECT_TRUE(journal->finish(**file).ok());
  }
}

TEST_F(UndoJournalTest, AnUnrecoveredJournalIsNotOverwritten) {
  overwrite_and_die({{0, 10}});
  const std::string journal = contents(*store_, journal_name("f"));
  auto file = store_->open("f", OpenMode::read_write);
  const ByteRange range{100, 110};
  EXPECT_EQ(UndoJournal::write(*store_, "f", **file, {&range, 1}, 5000).status().code(), Code::exists);
  EXPECT_EQ(contents(*store_, journal_name("f")), journal);
}

TEST_F(UndoJournalTest, AFileShorterThanItsOldSizeIsRefused) {
  auto file = store_->open("f", OpenMode::read_write);
  EXPECT_EQ(UndoJournal::write(*store_, "f", **file, {}, 5001).status().code(), Code::argument);
  EXPECT_FALSE(journal_exists());
}

TEST_F(UndoJournalTest, AJournalThatCannotBeWrittenIsRemoved) {
  const std::shared_ptr<Store> inner = std::move(store_);
  store_ = make_faulty_store(inner, *FaultPlan::parse("write:1=ENOSPC"));
  auto file = store_->open("f", OpenMode::read_write);
  const ByteRange range{0, 10};
  const Status status = UndoJournal::write(*store_, "f", **file, {&range, 1}, 5000).status();
  EXPECT_EQ(status.code(), Code::no_space);
  EXPECT_TRUE(mentions(status, "undo journal of f")) << status.text();
  EXPECT_FALSE(journal_exists());
}

// Much more than a buffer, in ranges that cross its borders: streamed with reads and writes of 1 MiB at most.
TEST_F(UndoJournalTest, LargeJournalsAreStreamed) {
  const std::string text = old_text(7'000'000);
  make_file(*store_, "f", text);
  uint64_t largest = 0;
  observe::Counters counters;
  store_ = make_traced_store(std::move(store_), counters, [&largest](const Trace& trace) {
    if (trace.path == "f.scorpio-journal") largest = std::max(largest, trace.bytes);
  });
  std::vector<ByteRange> ranges = {{0, 3'000'001}, ByteRange::at(3'500'000, 1 << 20)};
  for (uint64_t at = 5'000'000; at < 6'999'000; at += 1000) ranges.push_back(ByteRange::at(at, 999));
  overwrite_and_die(ranges);
  EXPECT_TRUE(*recovered());
  EXPECT_TRUE(contents(*store_, "f") == text);
  EXPECT_EQ(largest, k_journal_buffer_bytes);
}

}  // namespace
}  // namespace scorpio::storage::test
