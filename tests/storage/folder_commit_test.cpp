// New folders: the final name is that of the old or the new folder, whichever call fails and whichever
// process is killed.
#include "storage/folder_commit.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <utility>
#include <vector>

#include "storage/fault_plan.h"
#include "storage/faulty_store.h"
#include "storage/faulty_system_calls.h"
#include "storage/memory_store.h"
#include "storage/posix_store.h"
#include "storage/traced_store.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

constexpr const char* k_mark = "mark.json";

// All objects of a folder and what they hold, in one text; "(absent)" if there is none.
std::string all_of(Store& store, const std::string& folder) {
  const auto keys = store.list(folder);
  if (keys.status().code() == Code::not_found) return "(absent)";
  EXPECT_TRUE(keys.ok()) << keys.status().text();
  std::string text;
  for (const std::string& key : keys.ok() ? *keys : std::vector<std::string>()) {
    std::vector<std::byte> bytes;
    EXPECT_TRUE(store.get(folder, key, bytes).ok());
    text +=
        fmt::format("{}={} ", key, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  return text;
}

std::string whole(const std::string& text) { return fmt::format("c/0={0} c/1={0} {1}={0} ", text, k_mark); }

Status put_all(Store& store, const std::string& folder, std::string_view text, bool durable = false) {
  for (const char* key : {"c/0", "c/1", k_mark}) {
    SCORPIO_TRY(store.put(folder, key, bytes_of(text), {.exclusive = false, .durable = durable}));
  }
  return {};
}

// What the writer of a folder does at its end.
Status commit_new_folder(Store& store, const NewFolder& folder, const std::string& path,
                         const std::string& mark, bool durable) {
  SCORPIO_TRY(give_folder_name(store, folder.path, path, mark, durable));
  return unlock_folder(store, *folder.lock, path);
}

Status abandon_new_folder(Store& store, const NewFolder& folder, const std::string& path) {
  const Status removed = remove_new_folder(store, folder.path);
  return first_failure(removed, unlock_folder(store, *folder.lock, path));
}

Status make_new_folder(Store& store, const std::string& path, std::string_view text, bool durable) {
  SCORPIO_ASSIGN(NewFolder made, begin_new_folder(store, path, k_mark));
  Status status = put_all(store, made.path, text, durable);
  if (status.ok()) status = commit_new_folder(store, made, path, k_mark, durable);
  if (!status.ok()) return first_failure(status, abandon_new_folder(store, made, path));
  return status;
}

void make_whole(Store& store, const std::string& path, std::string_view text) {
  const Status status = make_new_folder(store, path, text, false);
  ASSERT_TRUE(status.ok()) << status.text();
}

void expect_nothing_beside(Store& store, const std::string& path) {
  for (const std::string& name :
       {temporary_folder_name(path), replaced_folder_name(path), folder_lock_name(path)}) {
    EXPECT_FALSE(*store.exists(name)) << name;
  }
}

TEST(FolderCommit, TheFinalNameAppearsAtCommit) {
  const TemporaryFolder folder;
  for (const auto& store : {make_memory_store(), make_posix_store()}) {
    const std::string path = folder / "f";
    auto made = begin_new_folder(*store, path, k_mark);
    ASSERT_TRUE(made.ok()) << made.status().text();
    EXPECT_EQ(made->stale_found, "");
    EXPECT_EQ(made->path, path + ".scorpio-tmp");
    ASSERT_TRUE(put_all(*store, made->path, "new").ok());
    EXPECT_EQ(all_of(*store, path), "(absent)");
    ASSERT_TRUE(commit_new_folder(*store, *made, path, k_mark, true).ok());
    EXPECT_EQ(all_of(*store, path), whole("new"));
    expect_nothing_beside(*store, path);
  }
}

TEST(FolderCommit, AnOldFolderIsReplaced) {
  const TemporaryFolder folder;
  for (const auto& store : {make_memory_store(), make_posix_store()}) {
    const std::string path = folder / "f";
    make_whole(*store, path, "old");
    ASSERT_TRUE(store->put(path, "c/2", bytes_of("old"), {}).ok());
    make_whole(*store, path, "new");
    EXPECT_EQ(all_of(*store, path), whole("new"));
    expect_nothing_beside(*store, path);
  }
}

// An old folder stays until the new one is sure to.
TEST(FolderCommit, DurableSyncsNamesBeforeAndAfterTheExchangeAndRemovesLast) {
  observe::Counters counters;
  std::vector<std::string> order;
  const auto store = make_traced_store(make_memory_store(), counters, [&order](const Trace& trace) {
    order.push_back(std::string(name_of(trace.operation)) + " " + trace.path);
  });
  make_whole(*store, "f", "old");
  auto made = begin_new_folder(*store, "f", k_mark);
  ASSERT_TRUE(made.ok());
  order.clear();
  ASSERT_TRUE(commit_new_folder(*store, *made, "f", k_mark, true).ok());
  EXPECT_EQ(order, (std::vector<std::string>{"sync f.scorpio-tmp", "rename f.scorpio-tmp", "sync f",
                                             "remove f.scorpio-tmp", "remove f.scorpio-lock",
                                             "close f.scorpio-lock"}));
}

TEST(FolderCommit, NothingElseIsReplaced) {
  const TemporaryFolder folder;
  const auto store = make_posix_store();
  make_file(*store, folder / "file", "text");
  ASSERT_TRUE(store->make_folder(folder / "home").ok());
  make_file(*store, folder / "home/letter", "text");
  make_whole(*store, folder / "kind", "old");
  std::filesystem::create_directory_symlink(folder / "kind", folder / "link");
  std::filesystem::create_directory_symlink(folder / "absent", folder / "loose");
  for (const char* name : {"file", "home", "link", "loose"}) {
    const Status refused = begin_new_folder(*store, folder / name, k_mark).status();
    EXPECT_EQ(refused.code(), Code::exists) << name;
    EXPECT_TRUE(mentions(refused, folder / name)) << refused.text();
    expect_nothing_beside(*store, folder / name);
  }
  // Also when it comes to be there before the commit.
  auto made = begin_new_folder(*store, folder / "late", k_mark);
  ASSERT_TRUE(made.ok());
  make_file(*store, folder / "late", "text");
  EXPECT_EQ(commit_new_folder(*store, *made, folder / "late", k_mark, false).code(), Code::exists);
  EXPECT_TRUE(abandon_new_folder(*store, *made, folder / "late").ok());
  EXPECT_EQ(contents(*store, folder / "late"), "text");
  EXPECT_EQ(contents(*store, folder / "home/letter"), "text");
  EXPECT_EQ(all_of(*store, folder / "kind"), whole("old"));
}

TEST(FolderCommit, AStaleTemporaryIsReplacedAndReported) {
  const auto store = make_memory_store();
  {
    auto stopped = begin_new_folder(*store, "f", k_mark);
    ASSERT_TRUE(stopped.ok());
    ASSERT_TRUE(store->put(stopped->path, "left", {}, {}).ok());
  }
  auto made = begin_new_folder(*store, "f", k_mark);
  ASSERT_TRUE(made.ok()) << made.status().text();
  EXPECT_EQ(made->stale_found, "f.scorpio-tmp");
  EXPECT_EQ(all_of(*store, made->path), "");
}

TEST(FolderCommit, ALivingWriterIsBusyAndKeepsItsFolder) {
  const TemporaryFolder folder;
  for (const auto& store : {make_posix_store(), make_memory_store()}) {
    const std::string path = folder / "f";
    auto first = begin_new_folder(*store, path, k_mark);
    ASSERT_TRUE(first.ok());
    ASSERT_TRUE(put_all(*store, first->path, "first").ok());
    const Status second = begin_new_folder(*store, path, k_mark).status();
    EXPECT_EQ(second.code(), Code::busy);
    EXPECT_TRUE(mentions(second, path + ".scorpio-lock")) << second.text();
    EXPECT_TRUE(commit_new_folder(*store, *first, path, k_mark, false).ok());
    EXPECT_EQ(all_of(*store, path), whole("first"));
    EXPECT_TRUE(begin_new_folder(*store, path, k_mark).ok());
  }
}

// Another run ends just between the opening of its lock by this run and the locking.
TEST(FolderCommit, ALockThatWasRemovedMeanwhileIsTakenAnew) {
  const std::shared_ptr<Store> inner = make_memory_store();
  auto first = begin_new_folder(*inner, "f", k_mark);
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(put_all(*inner, first->path, "first").ok());
  observe::Counters counters;
  bool ended = false;
  const auto store = make_traced_store(inner, counters, [&](const Trace& trace) {
    if (trace.operation != Operation::open || std::exchange(ended, true)) return;
    EXPECT_TRUE(commit_new_folder(*inner, *first, "f", k_mark, false).ok());
  });
  auto second = begin_new_folder(*store, "f", k_mark);
  ASSERT_TRUE(second.ok()) << second.status().text();
  EXPECT_TRUE(ended);
  EXPECT_EQ(second->stale_found, "");
  EXPECT_TRUE(*second->lock->is_at("f.scorpio-lock"));
  EXPECT_EQ(all_of(*inner, "f"), whole("first"));
}

TEST(FolderCommit, AbandonRemovesTheTemporaryAndLeavesTheOldFolder) {
  const auto store = make_memory_store();
  make_whole(*store, "f", "old");
  auto made = begin_new_folder(*store, "f", k_mark);
  ASSERT_TRUE(made.ok());
  ASSERT_TRUE(put_all(*store, made->path, "new").ok());
  ASSERT_TRUE(abandon_new_folder(*store, *made, "f").ok());
  EXPECT_EQ(all_of(*store, "f"), whole("old"));
  expect_nothing_beside(*store, "f");
}

TEST(FolderCommit, AMissingFolderAboveIsNotFound) {
  const TemporaryFolder folder;
  const auto store = make_posix_store();
  EXPECT_EQ(begin_new_folder(*store, folder / "no/f", k_mark).status().code(), Code::not_found);
}

TEST(FolderCommit, TheNewFolderTakesThePermissionsOfTheOldOne) {
  const TemporaryFolder folder;
  const auto store = make_posix_store();
  make_whole(*store, folder / "f", "old");
  ASSERT_EQ(::chmod((folder / "f").c_str(), 0710), 0);
  make_whole(*store, folder / "f", "new");
  struct stat facts = {};
  ASSERT_EQ(::stat((folder / "f").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777u, 0710u);
}

// A whole folder `path`, and a new one that is ready to take its place.
Result<NewFolder> make_old_and_new(const std::string& path) {
  make_whole(*make_posix_store(), path, "old");
  SCORPIO_ASSIGN(NewFolder made, begin_new_folder(*make_posix_store(), path, k_mark));
  SCORPIO_TRY(put_all(*make_posix_store(), made.path, "new"));
  return made;
}

// Where the file system has no exchange of names the old folder gets a name beside it first.
TEST(FolderCommit, WithoutExchangeTheOldFolderIsRenamedFirst) {
  const TemporaryFolder folder;
  const std::string path = folder / "f";
  auto made = make_old_and_new(path);
  ASSERT_TRUE(made.ok());
  const auto first = *FaultPlan::parse("rename:1=EINVAL");
  const auto store = make_posix_store(std::make_shared<FaultySystemCalls>(first));
  ASSERT_TRUE(commit_new_folder(*store, *made, path, k_mark, true).ok());
  EXPECT_EQ(first->calls(Operation::rename), 3u);
  EXPECT_EQ(all_of(*store, path), whole("new"));
  expect_nothing_beside(*store, path);
}

TEST(FolderCommit, WithoutExchangeAFailedSecondRenameGivesTheOldNameBack) {
  const TemporaryFolder folder;
  const std::string path = folder / "f";
  auto made = make_old_and_new(path);
  ASSERT_TRUE(made.ok());
  const auto store = make_posix_store(
      std::make_shared<FaultySystemCalls>(*FaultPlan::parse("rename:1=EINVAL;rename:3=EIO")));
  EXPECT_EQ(commit_new_folder(*store, *made, path, k_mark, false).code(), Code::io);
  EXPECT_EQ(all_of(*store, path), whole("old"));
  EXPECT_TRUE(abandon_new_folder(*store, *made, path).ok());
  expect_nothing_beside(*store, path);
}

// At each call in turn, with and without an exchange of names.
const std::vector<std::string> k_file_systems = {"", "rename:4=EINVAL;"};

TEST(FolderCommit, EveryFailureIsReportedAndLeavesOldOrNew) {
  for (const bool durable : {false, true}) {
    for (const std::string& file_system : k_file_systems) {
      uint64_t made_good = 0;  // the exchange that the file system cannot do
      for (uint64_t k = 1;; ++k) {
        const TemporaryFolder folder(quick_place());
        const std::string path = folder / "f";
        make_whole(*make_posix_store(), path, "old");
        const std::string faults = fmt::format("{}any:{}=ENOSPC", file_system, k);
        const auto plan = *FaultPlan::parse(faults);
        const Status status = make_new_folder(*make_posix_store(std::make_shared<FaultySystemCalls>(plan)),
                                              path, "new", durable);
        const auto store = make_posix_store();
        if (plan->all_calls() < k) {
          EXPECT_TRUE(status.ok()) << faults << ": " << status.text();
          EXPECT_EQ(all_of(*store, path), whole("new"));
          EXPECT_GT(k, 20u);
          break;
        }
        if (status.ok()) ++made_good;
        ASSERT_TRUE(recover_folder(*store, path).ok()) << faults;
        const std::string now = all_of(*store, path);
        EXPECT_TRUE(now == whole("old") || now == whole("new")) << faults << ": " << now;
        make_whole(*store, path, "next");
        EXPECT_EQ(all_of(*store, path), whole("next")) << faults;
        expect_nothing_beside(*store, path);
      }
      EXPECT_EQ(made_good, file_system.empty() ? 0u : 1u);
    }
  }
}

TEST(FolderCommit, AWriterThatDiesAtAnyCallLeavesOldOrNew) {
  for (const std::string& file_system : k_file_systems) {
    bool renamed_back = false;
    for (uint64_t k = 1;; ++k) {
      const TemporaryFolder folder(quick_place());
      const std::string path = folder / "f";
      make_whole(*make_posix_store(), path, "old");
      const pid_t child = ::fork();
      if (child == 0) {
        const auto plan = *FaultPlan::parse(fmt::format("{}any:{}=kill", file_system, k));
        const auto calls = std::make_shared<FaultySystemCalls>(plan);
        static_cast<void>(make_new_folder(*make_posix_store(calls), path, "new", true).ok());
        ::_exit(plan->all_calls() < k ? 0 : 1);
      }
      int state = 0;
      ASSERT_EQ(::waitpid(child, &state, 0), child);
      const auto store = make_posix_store();
      if (WIFEXITED(state)) {
        EXPECT_EQ(all_of(*store, path), whole("new"));
        if (WEXITSTATUS(state) == 1) continue;  // the exchange that the file system cannot do
        EXPECT_GT(k, 20u);
        break;
      }
      const bool missing = !*store->exists(path);
      EXPECT_FALSE(missing && file_system.empty()) << k;
      const auto recovered = recover_folder(*store, path);
      ASSERT_TRUE(recovered.ok()) << recovered.status().text();
      EXPECT_EQ(*recovered, missing) << k;
      renamed_back = renamed_back || missing;
      const std::string now = all_of(*store, path);
      EXPECT_TRUE(now == whole("old") || now == whole("new")) << k << ": " << now;
      make_whole(*store, path, "next");
      EXPECT_EQ(all_of(*store, path), whole("next")) << k;
      expect_nothing_beside(*store, path);
    }
    EXPECT_EQ(renamed_back, !file_system.empty());
  }
}

TEST(FolderCommit, ARecoveryWaitsForNobodyAndDisturbsNobody) {
  const auto store = make_memory_store();
  EXPECT_FALSE(*recover_folder(*store, "f"));
  make_whole(*store, "f", "old");
  EXPECT_FALSE(*recover_folder(*store, "f"));
  auto living = begin_new_folder(*store, "f", k_mark);
  ASSERT_TRUE(living.ok());
  ASSERT_TRUE(store->rename("f", replaced_folder_name("f")).ok());
  EXPECT_EQ(recover_folder(*store, "f").status().code(), Code::busy);
  living->lock.reset();
  EXPECT_TRUE(*recover_folder(*store, "f"));
  EXPECT_EQ(all_of(*store, "f"), whole("old"));
}

}  // namespace
}  // namespace scorpio::storage::test
