// New files: the final name is that of the old or the new file, whichever call fails and whichever process is
// killed.
#include "storage/atomic_commit.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <utility>
#include <vector>

#include "power_failure_store.h"
#include "storage/faulty_store.h"
#include "storage/memory_store.h"
#include "storage/posix_store.h"
#include "storage/single_file.h"
#include "storage/traced_store.h"
#include "storage/undo_journal.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

Status commit(Store& store, StoredFile& file, const std::string& path, bool durable) {
  SCORPIO_TRY(complete_new_file(file, path, durable));
  SCORPIO_TRY(name_new_file(store, path));
  return durable ? sync_new_name(store, path) : Status();
}

Status make_new_file(Store& store, const std::string& path, std::string_view text, bool durable) {
  SCORPIO_ASSIGN(NewFile made, begin_new_file(store, path));
  Status status = made.file->write_at(bytes_of(text), 0);
  if (status.ok()) status = commit(store, *made.file, path, durable);
  if (!status.ok()) return first_failure(status, abandon_new_file(store, *made.file, path));
  return made.file->close();
}

TEST(AtomicCommit, TheFinalNameAppearsAtCommit) {
  const auto store = make_memory_store();
  auto made = begin_new_file(*store, "f");
  ASSERT_TRUE(made.ok()) << made.status().text();
  EXPECT_EQ(made->stale_found, "");
  ASSERT_TRUE(made->file->write_at(bytes_of("new"), 0).ok());
  EXPECT_EQ(contents(*store, "f"), "(absent)");
  EXPECT_EQ(contents(*store, "f.scorpio-tmp"), "new");
  ASSERT_TRUE(commit(*store, *made->file, "f", false).ok());
  EXPECT_EQ(contents(*store, "f"), "new");
  EXPECT_EQ(contents(*store, "f.scorpio-tmp"), "(absent)");
  ASSERT_TRUE(made->file->write_at(bytes_of("er"), 3).ok());
  EXPECT_EQ(contents(*store, "f"), "newer");
}

TEST(AtomicCommit, DurableSyncsFileThenRenamesThenSyncsFolder) {
  observe::Counters counters;
  std::vector<std::string> order;
  const auto store = make_traced_store(make_memory_store(), counters, [&order](const Trace& trace) {
    order.push_back(std::string(name_of(trace.operation)) + " " + trace.path);
  });
  auto made = begin_new_file(*store, "f");
  ASSERT_TRUE(made.ok());
  order.clear();
  ASSERT_TRUE(commit(*store, *made->file, "f", true).ok());
  EXPECT_EQ(order, (std::vector<std::string>{"sync f.scorpio-tmp", "rename f.scorpio-tmp", "sync f"}));
}

TEST(AtomicCommit, AStaleTemporaryIsReplacedAndReported) {
  const auto store = make_memory_store();
  make_file(*store, "f.scorpio-tmp", "left behind by a run that was killed");
  auto made = begin_new_file(*store, "f");
  ASSERT_TRUE(made.ok()) << made.status().text();
  EXPECT_EQ(made->stale_found, "f.scorpio-tmp");
  EXPECT_EQ(*made->file->size(), 0u);
}

TEST(AtomicCommit, ALivingWriterIsBusyAndKeepsItsFile) {
  const TemporaryFolder folder;
  for (const auto& store : {make_posix_store(), make_memory_store()}) {
    const std::string path = folder / "f";
    auto first = begin_new_file(*store, path);
    ASSERT_TRUE(first.ok());
    ASSERT_TRUE(first->file->write_at(bytes_of("first"), 0).ok());
    const Status second = begin_new_file(*store, path).status();
    EXPECT_EQ(second.code(), Code::busy);
    EXPECT_TRUE(mentions(second, path + ".scorpio-tmp")) << second.text();
    EXPECT_TRUE(mentions(second, "wait")) << second.text();
    EXPECT_TRUE(commit(*store, *first->file, path, false).ok());
    EXPECT_EQ(contents(*store, path), "first");
  }
}

TEST(AtomicCommit, AfterACommitTheNextRunMayBeginAtOnce) {
  const auto store = make_memory_store();
  auto first = begin_new_file(*store, "f");
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(commit(*store, *first->file, "f", false).ok());
  auto second = begin_new_file(*store, "f");
  ASSERT_TRUE(second.ok()) << second.status().text();
  EXPECT_EQ(second->stale_found, "");
}

// Another run commits just between the opening of its temporary by this run and the locking.
TEST(AtomicCommit, AFileRenamedWhileItsTemporaryIsTakenOverKeepsItsBytes) {
  const std::shared_ptr<Store> inner = make_memory_store();
  auto first = begin_new_file(*inner, "f");
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(first->file->write_at(bytes_of("first"), 0).ok());
  observe::Counters counters;
  const auto store = make_traced_store(inner, counters, [&](const Trace& trace) {
    if (trace.operation != Operation::open || first->file == nullptr) return;
    EXPECT_TRUE(commit(*inner, *first->file, "f", false).ok());
    first->file.reset();
  });
  auto second = begin_new_file(*store, "f");
  ASSERT_TRUE(second.ok()) << second.status().text();
  EXPECT_EQ(second->stale_found, "");
  EXPECT_EQ(contents(*inner, "f"), "first");
  EXPECT_EQ(contents(*inner, "f.scorpio-tmp"), "");
}

// Another run takes the new temporary over before it is locked, and gives up.
TEST(AtomicCommit, ATemporaryThatAnotherRunRemovesIsMadeAgain) {
  const std::shared_ptr<Store> inner = make_memory_store();
  observe::Counters counters;
  bool removed = false;
  const auto store = make_traced_store(inner, counters, [&](const Trace& trace) {
    if (trace.operation != Operation::open || std::exchange(removed, true)) return;
    const auto other = begin_new_file(*inner, "f");
    ASSERT_TRUE(other.ok()) << other.status().text();
    EXPECT_TRUE(abandon_new_file(*inner, *other->file, "f").ok());
  });
  const auto made = begin_new_file(*store, "f");
  ASSERT_TRUE(made.ok()) << made.status().text();
  EXPECT_TRUE(removed && *made->file->is_at("f.scorpio-tmp"));
}

// One handle is opened for writing, and another one begins a new file of this name, in the middle of each
// other.
TEST(AtomicCommit, AFileIsWrittenOrReplaced) {
  for (const bool opens : {false, true}) {
    for (const char* when : {"open f", "lock f", "open f.scorpio-tmp", "lock f.scorpio-tmp"}) {
      const std::shared_ptr<Store> inner = make_memory_store();
      make_file(*inner, "f", "old");
      observe::Counters counters;
      observe::EventLog events;
      std::unique_ptr<Container> other;
      bool done = false;
      const ContainerContext beside{*inner, counters, events};
      const auto store = make_traced_store(inner, counters, [&](const Trace& trace) {
        if (std::string(name_of(trace.operation)) + " " + trace.path != when || std::exchange(done, true))
          return;
        auto made =
            opens ? SingleFile::create(beside, "f", false) : SingleFile::open(beside, "f", true, true);
        EXPECT_TRUE(made.ok() || made.status().code() == Code::busy) << made.status().text();
        if (made.ok()) other = std::move(made).value();
      });
      const ContainerContext context{*store, counters, events};
      const auto one =
          opens ? SingleFile::open(context, "f", true, true) : SingleFile::create(context, "f", false);
      EXPECT_TRUE(one.ok() || one.status().code() == Code::busy) << one.status().text();
      EXPECT_FALSE(one.ok() && other != nullptr) << when << (opens ? ", opens" : ", creates");
    }
  }
}

TEST(AtomicCommit, ATemporaryTakenAwayIsAnErrorAndNotAnotherRunsFile) {
  const auto store = make_memory_store();
  auto made = begin_new_file(*store, "f");
  ASSERT_TRUE(made.ok());
  ASSERT_TRUE(store->remove("f.scorpio-tmp").ok());
  make_file(*store, "f.scorpio-tmp", "another run's");
  EXPECT_EQ(commit(*store, *made->file, "f", false).code(), Code::io);
  EXPECT_TRUE(abandon_new_file(*store, *made->file, "f").ok());
  EXPECT_EQ(contents(*store, "f.scorpio-tmp"), "another run's");
  EXPECT_EQ(contents(*store, "f"), "(absent)");
}

// Nothing but the rename is missing, which the user can do.
TEST(AtomicCommit, ACompleteFileThatDoesNotGetItsNameIsKept) {
  for (const bool complete : {true, false}) {
    const std::shared_ptr<Store> inner = make_memory_store();
    make_file(*inner, "f", "old");
    observe::Counters counters;
    observe::EventLog events;
    const auto plan = *FaultPlan::parse(complete ? "rename:1=EACCES" : "sync:1=EIO");
    const auto store = make_faulty_store(inner, plan);
    const ContainerContext context{*store, counters, events};
    const auto made = SingleFile::create(context, "f", false).value();
    ASSERT_TRUE(made->file()->write_at(bytes_of("new"), 0).ok());
    const Status named = made->give_name(true);
    EXPECT_EQ(complete ? Code::permission : Code::io, named.code()) << named.text();
    EXPECT_EQ(complete, mentions(named, "is complete and is now f.scorpio-complete")) << named.text();
    EXPECT_TRUE(made->abandon().ok());
    EXPECT_TRUE(made->close().ok());
    EXPECT_EQ("old", contents(*inner, "f"));
    EXPECT_EQ(complete ? "new" : "(absent)", contents(*inner, "f.scorpio-complete"));
    EXPECT_EQ("(absent)", contents(*inner, "f.scorpio-tmp"));
  }
}

// What a killed job left may be complete, too: a create that fails leaves it.
TEST(AtomicCommit, ACreateThatFailsLeavesTheTemporary) {
  const auto store = make_memory_store();
  make_file(*store, "f.scorpio-tmp", "left");
  const auto refused = [] { return failure(Code::busy, "not now"); };
  EXPECT_EQ(Code::busy, begin_new_file(*store, "f", {}, refused).status().code());
  EXPECT_EQ("left", contents(*store, "f.scorpio-tmp"));
  EXPECT_EQ(Code::busy, begin_new_file(*store, "g", {}, refused).status().code());
  EXPECT_EQ("(absent)", contents(*store, "g.scorpio-tmp"));
  EXPECT_TRUE(begin_new_file(*store, "f").ok());
  EXPECT_EQ("", contents(*store, "f.scorpio-tmp"));
}

TEST(AtomicCommit, AbandonRemovesTheTemporaryAndLeavesTheOldFile) {
  const auto store = make_memory_store();
  make_file(*store, "f", "old");
  auto made = begin_new_file(*store, "f");
  ASSERT_TRUE(made.ok());
  ASSERT_TRUE(abandon_new_file(*store, *made->file, "f").ok());
  EXPECT_TRUE(abandon_new_file(*store, *made->file, "f").ok());
  EXPECT_EQ(contents(*store, "f.scorpio-tmp"), "(absent)");
  EXPECT_EQ(contents(*store, "f"), "old");
}

TEST(AtomicCommit, AnOldJournalIsNotLeftForTheNewFile) {
  const auto store = make_memory_store();
  make_file(*store, "f", "old old old");
  {
    auto file = store->open("f", OpenMode::read_write);
    const ByteRange all{0, 11};
    ASSERT_TRUE(UndoJournal::write(*store, "f", **file, {&all, 1}, 11).ok());
  }
  ASSERT_TRUE(make_new_file(*store, "f", "new new new", false).ok());
  EXPECT_FALSE(*store->exists(journal_name("f")));
  EXPECT_FALSE(*recover(*store, "f"));
  EXPECT_EQ(contents(*store, "f"), "new new new");
}

TEST(AtomicCommit, AMissingFolderIsNotFound) {
  const TemporaryFolder folder;
  const auto store = make_posix_store();
  EXPECT_EQ(begin_new_file(*store, folder / "no/f").status().code(), Code::not_found);
}

TEST(AtomicCommit, EveryFailureIsReportedAndLeavesOldOrNew) {
  for (const bool durable : {false, true}) {
    for (int k = 1;; ++k) {
      const std::shared_ptr<Store> inner = make_memory_store();
      make_file(*inner, "f", "old");
      make_file(*inner, "f.scorpio-tmp", "stale");
      const auto plan = *FaultPlan::parse("any:" + std::to_string(k) + "=ENOSPC");
      const Status status = make_new_file(*make_faulty_store(inner, plan), "f", "new", durable);
      if (plan->all_calls() < static_cast<uint64_t>(k)) {
        EXPECT_TRUE(status.ok());
        EXPECT_GT(k, 5);
        break;
      }
      EXPECT_EQ(status.code(), Code::no_space) << k;
      const std::string text = contents(*inner, "f");
      EXPECT_TRUE(text == "old" || text == "new") << k << ": " << text;
    }
  }
}

// Stops at call k, loses what was not durable, and looks at what is left under the final name.
TEST(AtomicCommit, APowerFailureAtAnyCallLeavesOldOrNew) {
  EXPECT_TRUE(rc::check([] {
    const auto inner = std::make_shared<PowerFailureStore>();
    make_file(*inner, "f", "old");
    RC_ASSERT((*inner->open("f", OpenMode::read))->sync().ok());
    RC_ASSERT(inner->sync_directory_of("f").ok());
    const int k = *rc::gen::inRange(1, 12);
    const auto plan = *FaultPlan::parse("any:" + std::to_string(k) + "+=EIO");
    const Status status = make_new_file(*make_faulty_store(inner, plan), "f", "new", true);
    inner->fail_power([](uint64_t n) { return *rc::gen::inRange<uint64_t>(0, n); });
    const std::string text = contents(*inner, "f");
    RC_ASSERT(text == "new" || (text == "old" && !status.ok()));
    RC_ASSERT(make_new_file(*inner, "f", "newer", true).ok());
    RC_ASSERT(contents(*inner, "f") == "newer");
  }));
}

}  // namespace
}  // namespace scorpio::storage::test
