// The undo journal on a file system that has no locks: it names its writer.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "storage/faulty_system_calls.h"
#include "storage/journal_stream.h"
#include "storage/posix_store.h"
#include "storage/single_file.h"
#include "storage/undo_journal.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

const std::string k_old(3000, 'o');

class JournalWithoutLocks : public testing::Test {
 protected:
  JournalWithoutLocks() { make_file(*store_, path_, k_old); }

  // Journals the first bytes, overwrites them and appends.
  Result<UndoJournal> change() {
    SCORPIO_ASSIGN(const auto file, store_->open(path_, OpenMode::read_write));
    const std::vector<ByteRange> ranges{{0, 100}};
    SCORPIO_ASSIGN(UndoJournal journal, UndoJournal::write(*store_, path_, *file, ranges, k_old.size()));
    SCORPIO_TRY(file->write_at(bytes_of(std::string(100, 'n')), 0));
    SCORPIO_TRY(file->write_at(bytes_of("appended"), k_old.size()));
    return journal;
  }
  // In a process of its own, which then waits for its end.
  pid_t change_elsewhere() {
    int ends[2];
    EXPECT_EQ(0, ::pipe(ends));
    const pid_t child = ::fork();
    if (child == 0) {
      const char done = change().ok() ? 'y' : 'n';
      static_cast<void>(::write(ends[1], &done, 1) == 1);
      ::pause();
      ::_exit(0);
    }
    char done = 'n';
    EXPECT_EQ(1, ::read(ends[0], &done, 1));
    EXPECT_EQ('y', done);
    return child;
  }
  static void end(pid_t child) {
    EXPECT_EQ(0, ::kill(child, SIGKILL));
    EXPECT_EQ(child, ::waitpid(child, nullptr, 0));
  }
  bool journal_exists() { return *store_->exists(journal_name(path_)); }
  void expect_busy(std::string_view what) {
    const Status status = recover(*store_, path_).status();
    EXPECT_EQ(Code::busy, status.code()) << status.text();
    EXPECT_TRUE(mentions(status, what)) << status.text();
    EXPECT_EQ(std::string(100, 'n') + k_old.substr(100) + "appended", contents(*store_, path_));
    EXPECT_TRUE(journal_exists());
  }
  ContainerContext context(Writer writer) { return {*store_, counters_, events_, {}, writer}; }
  void expect_restored(const Result<bool>& recovered) {
    ASSERT_TRUE(recovered.ok()) << recovered.status().text();
    EXPECT_TRUE(*recovered);
    EXPECT_EQ(k_old, contents(*store_, path_));
    EXPECT_FALSE(journal_exists());
  }
  // The journal as one that was written on another node.
  void move_elsewhere() {
    std::string bytes = contents(*store_, journal_name(path_));
    constexpr size_t k_place = 16, k_trailer = 16;
    bytes[k_place] = static_cast<char>(bytes[k_place] + 1);
    const std::string_view checked = std::string_view(bytes).substr(0, bytes.size() - k_trailer);
    const uint64_t checksum = checksum_of(bytes_of(checked));
    std::memcpy(bytes.data() + checked.size(), &checksum, sizeof(checksum));
    make_file(*store_, journal_name(path_), bytes);
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f";
  observe::Counters counters_;
  observe::EventLog events_;
  const std::unique_ptr<Store> store_ =
      make_posix_store(std::make_shared<FaultySystemCalls>(*FaultPlan::parse("lock:1+=ENOLCK")));
};

TEST_F(JournalWithoutLocks, OfARunThatGoesOnIsLeftAlone) {
  const pid_t child = change_elsewhere();
  expect_busy("wait for that run to end");
  end(child);
  expect_restored(recover(*store_, path_));
}

TEST_F(JournalWithoutLocks, OfThisProcessIsThatOfAnotherHandle) {
  const auto journal = change();
  ASSERT_TRUE(journal.ok()) << journal.status().text();
  expect_busy("close that handle");
  expect_restored(recover(*store_, path_, Writer::has_ended));
}

TEST_F(JournalWithoutLocks, OfAnotherNodeIsRestoredWhenTheUserSaysSo) {
  end(change_elsewhere());
  move_elsewhere();
  expect_busy("recover = always");
  expect_restored(recover(*store_, path_, Writer::has_ended));
}

// The old file is valid until it is replaced, and what prevents this is told before data are put.
TEST_F(JournalWithoutLocks, OfAnotherNodeIsInTheWayOfANewFile) {
  end(change_elsewhere());
  move_elsewhere();
  const auto refused = SingleFile::create(context(Writer::is_found_out), path_, false);
  EXPECT_EQ(Code::busy, refused.status().code());
  EXPECT_TRUE(mentions(refused.status(), "recover = always")) << refused.status().text();
  EXPECT_FALSE(*store_->exists(path_ + ".scorpio-tmp"));
  const auto made = SingleFile::create(context(Writer::has_ended), path_, false);
  ASSERT_TRUE(made.ok()) << made.status().text();
  EXPECT_EQ(k_old, contents(*store_, path_));
  EXPECT_FALSE(journal_exists());
  EXPECT_TRUE((*made)->abandon().ok());
}

// No bytes of the file were overwritten: it can be read meanwhile.
TEST_F(JournalWithoutLocks, ThatIsIncompleteIsLeftToItsWriter) {
  const pid_t child = change_elsewhere();
  const std::string bytes = contents(*store_, journal_name(path_));
  make_file(*store_, journal_name(path_), bytes.substr(0, bytes.size() - 1));
  const Result<bool> recovered = recover(*store_, path_);
  ASSERT_TRUE(recovered.ok()) << recovered.status().text();
  EXPECT_FALSE(*recovered);
  EXPECT_TRUE(journal_exists());
  end(child);
  EXPECT_FALSE(*recover(*store_, path_));
  EXPECT_FALSE(journal_exists());
}

TEST_F(JournalWithoutLocks, AWriterUsesItsOwn) {
  auto journal = change();
  ASSERT_TRUE(journal.ok()) << journal.status().text();
  const auto file = std::move(store_->open(path_, OpenMode::read_write)).value();
  EXPECT_TRUE(journal->finish(*file).ok());
  EXPECT_FALSE(journal_exists());
  EXPECT_FALSE(*recover(*store_, path_));
  EXPECT_EQ(std::string(100, 'n') + k_old.substr(100) + "appended", contents(*store_, path_));
}

}  // namespace
}  // namespace scorpio::storage::test
