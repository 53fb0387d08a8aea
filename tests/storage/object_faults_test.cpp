// Objects and folders on stores whose calls fail, one after the other, or at which the process dies.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <vector>

#include "storage/fault_plan.h"
#include "storage/faulty_store.h"
#include "storage/faulty_system_calls.h"
#include "storage/memory_store.h"
#include "storage/object_key.h"
#include "storage/posix_store.h"
#include "storage/traced_store.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

using Keys = std::vector<std::string>;

std::string text_of(Store& store, const std::string& folder, const std::string& key) {
  std::vector<std::byte> bytes;
  const Status status = store.get(folder, key, bytes);
  if (!status.ok()) return std::string(1, '(') + status.text() + ")";
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Each of the calls on folders and objects, in `folder`, which has "old" objects "a" and "t/b".
Status work(Store& store, const std::string& folder) {
  SCORPIO_TRY(store.put(folder, "a", bytes_of("new a"), {.exclusive = false, .durable = true}));
  SCORPIO_TRY(store.put(folder, "t/b", bytes_of("new b"), {}));
  SCORPIO_TRY(store.put(folder, "u/v/c", bytes_of("new c"), {.exclusive = true, .durable = false}));
  std::vector<std::byte> bytes;
  SCORPIO_TRY(store.get(folder, "a", bytes));
  EXPECT_EQ(bytes.size(), 5u);
  SCORPIO_TRY(store.sync_folder(folder));
  const std::string other = folder + "2";
  SCORPIO_TRY(store.make_folder(other));
  SCORPIO_TRY(store.put(other, "x/y", bytes_of("y"), {}));
  SCORPIO_TRY(store.exchange(folder, other));
  SCORPIO_TRY(store.exchange(folder, other));
  SCORPIO_TRY(store.remove_object(other, "x/y"));
  SCORPIO_TRY(store.remove_folder(other));
  return store.list(folder).status();
}

void prepare(Store& store, const std::string& folder) {
  ASSERT_TRUE(store.make_folder(folder).ok());
  ASSERT_TRUE(store.put(folder, "a", bytes_of("old a"), {}).ok());
  ASSERT_TRUE(store.put(folder, "t/b", bytes_of("old b"), {}).ok());
}

// Wherever the folder is after a failure between the two exchanges.
void expect_whole_objects(Store& store, const std::string& folder, const std::string& faults) {
  const auto in_other = store.exists(folder + "2/a");
  const std::string now = in_other.ok() && *in_other ? folder + "2" : folder;
  const auto keys = store.list(now);
  ASSERT_TRUE(keys.ok()) << faults << ": " << keys.status().text();
  EXPECT_TRUE(*keys == (Keys{"a", "t/b"}) || *keys == (Keys{"a", "t/b", "u/v/c"})) << faults;
  for (const std::string& key : *keys) {
    const std::string text = text_of(store, now, key);
    EXPECT_TRUE(text == "old " + key.substr(key.size() - 1) || text == "new " + key.substr(key.size() - 1))
        << faults << ": " << key << " is " << text;
  }
}

size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

bool holds_unnamed(const std::string& path) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.path().filename().string().starts_with(k_put_prefix)) return true;
  }
  return false;
}

uint64_t system_calls_of_the_work() {
  const TemporaryFolder folder(quick_place());
  prepare(*make_posix_store(), folder / "f");
  const auto plan = *FaultPlan::parse("");
  EXPECT_TRUE(work(*make_posix_store(std::make_shared<FaultySystemCalls>(plan)), folder / "f").ok());
  return plan->all_calls();
}

TEST(ObjectFaults, EachSystemCallThatFailsIsReportedAndLeavesWholeObjects) {
  const uint64_t calls = system_calls_of_the_work();
  ASSERT_GT(calls, 40u);
  for (uint64_t k = 1; k <= calls; ++k) {
    const TemporaryFolder folder(quick_place());
    prepare(*make_posix_store(), folder / "f");
    const std::string faults = "any:" + std::to_string(k) + "=ENOSPC";
    const auto plan = *FaultPlan::parse(faults);
    const size_t before = open_descriptors();
    const Status status = work(*make_posix_store(std::make_shared<FaultySystemCalls>(plan)), folder / "f");
    EXPECT_EQ(status.code(), Code::no_space) << faults << ": " << status.text();
    EXPECT_TRUE(mentions(status, "ENOSPC")) << faults << ": " << status.text();
    EXPECT_EQ(open_descriptors(), before) << faults;
    EXPECT_FALSE(holds_unnamed(folder.path())) << faults;
    expect_whole_objects(*make_posix_store(), folder / "f", faults);
  }
}

TEST(ObjectFaults, AProcessThatDiesAtAnyCallLeavesWholeObjects) {
  const uint64_t calls = system_calls_of_the_work();
  for (uint64_t k = 1; k <= calls; ++k) {
    const TemporaryFolder folder(quick_place());
    prepare(*make_posix_store(), folder / "f");
    const std::string faults = "any:" + std::to_string(k) + "=torn";
    const pid_t child = ::fork();
    if (child == 0) {
      const auto plan = *FaultPlan::parse(faults);
      static_cast<void>(
          work(*make_posix_store(std::make_shared<FaultySystemCalls>(plan)), folder / "f").ok());
      ::_exit(0);
    }
    int state = 0;
    ASSERT_EQ(::waitpid(child, &state, 0), child);
    EXPECT_TRUE(WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL) << faults;
    expect_whole_objects(*make_posix_store(), folder / "f", faults);
    EXPECT_TRUE(make_posix_store()->remove_folder(folder / "f").ok())
        << faults;  // also what is left of a put
  }
}

TEST(ObjectFaults, InterruptedAndShortTransfersAreContinued) {
  for (const char* faults :
       {"write:1=short", "write:*2=EINTR", "read:1=short", "sync:1=EINTR", "open:*2=EINTR"}) {
    const TemporaryFolder folder(quick_place());
    prepare(*make_posix_store(), folder / "f");
    const auto plan = *FaultPlan::parse(faults);
    const Status status = work(*make_posix_store(std::make_shared<FaultySystemCalls>(plan)), folder / "f");
    EXPECT_TRUE(status.ok()) << faults << ": " << status.text();
    EXPECT_EQ(text_of(*make_posix_store(), folder / "f", "a"), "new a") << faults;
  }
}

// NFS has no rename to free names only: the object gets its name as a second one.
TEST(ObjectFaults, ExclusiveWhereTheFileSystemCannotRenameToFreeNamesOnly) {
  for (const char* error : {"EINVAL", "ENOTSUP"}) {
    const TemporaryFolder folder(quick_place());
    const auto plan = *FaultPlan::parse(fmt::format("rename:1={0};rename:3={0}", error));
    const auto store = make_posix_store(std::make_shared<FaultySystemCalls>(plan));
    const std::string path = folder / "f";
    ASSERT_TRUE(store->make_folder(path).ok());
    const PutOptions exclusive{.exclusive = true};
    EXPECT_TRUE(store->put(path, "a", bytes_of("first"), exclusive).ok()) << error;
    EXPECT_EQ(store->put(path, "a", bytes_of("second"), exclusive).code(), Code::exists) << error;
    EXPECT_EQ(plan->calls(Operation::rename), 4u) << error;
    EXPECT_EQ(text_of(*store, path, "a"), "first") << error;
    EXPECT_FALSE(holds_unnamed(path)) << error;
  }
}

TEST(ObjectFaults, AFileSystemThatCannotExchangeNamesIsToldApart) {
  for (const char* error : {"EINVAL", "ENOTSUP"}) {
    const TemporaryFolder folder(quick_place());
    const auto plan = *FaultPlan::parse(fmt::format("rename:1={}", error));
    const auto store = make_posix_store(std::make_shared<FaultySystemCalls>(plan));
    ASSERT_TRUE(store->make_folder(folder / "a").ok());
    ASSERT_TRUE(store->make_folder(folder / "b").ok());
    EXPECT_EQ(store->exchange(folder / "a", folder / "b").code(), Code::unsupported) << error;
    EXPECT_TRUE(store->exchange(folder / "a", folder / "b").ok()) << error;
  }
}

// Two nodes may have processes of one number; here, the same process finds its next name taken.
TEST(ObjectFaults, ANameThatIsTakenByAnotherPutIsNotUsed) {
  const TemporaryFolder folder(quick_place());
  const auto plan = *FaultPlan::parse("open:1=EEXIST;open:2=EEXIST");
  const auto store = make_posix_store(std::make_shared<FaultySystemCalls>(plan));
  ASSERT_TRUE(store->make_folder(folder / "f").ok());
  EXPECT_TRUE(store->put(folder / "f", "a", bytes_of("x"), {}).ok());
  EXPECT_EQ(plan->calls(Operation::open), 3u);
}

TEST(ObjectFaults, ASymbolicLinkInAFolderIsRemovedAndNotWhatItNames) {
  const TemporaryFolder folder(quick_place());
  const auto store = make_posix_store();
  prepare(*store, folder / "f");
  prepare(*store, folder / "g");
  std::filesystem::create_directory_symlink(folder / "g", folder / "f/link");
  ASSERT_TRUE(store->remove_folder(folder / "f").ok());
  EXPECT_EQ(text_of(*store, folder / "g", "a"), "old a");
  std::filesystem::create_directory_symlink(folder / "g", folder / "link");
  EXPECT_FALSE(store->remove_folder(folder / "link").ok());
  EXPECT_EQ(text_of(*store, folder / "g", "a"), "old a");
}

TEST(ObjectFaults, EachCallOnAStoreThatFailsDoesNothingToTheOneItDecorates) {
  const std::shared_ptr<Store> counted = make_memory_store();
  prepare(*counted, "f");
  const auto none = *FaultPlan::parse("");
  ASSERT_TRUE(work(*make_faulty_store(counted, none), "f").ok());
  ASSERT_EQ(none->all_calls(), 12u);
  for (uint64_t k = 1; k <= none->all_calls(); ++k) {
    for (const char* effect : {"ENOSPC", "short"}) {
      const std::shared_ptr<Store> inner = make_memory_store();
      prepare(*inner, "f");
      const std::string faults = fmt::format("any:{}={}", k, effect);
      const Status status = work(*make_faulty_store(inner, *FaultPlan::parse(faults)), "f");
      EXPECT_EQ(status.code(), std::string(effect) == "short" ? Code::io : Code::no_space) << faults;
      expect_whole_objects(*inner, "f", faults);
    }
  }
  for (const char* rule : {"write:1=EIO", "read:1=EIO", "mkdir:1=EIO", "list:1=EIO", "rename:1=EIO",
                           "remove:1=EIO", "remove:2=EIO", "sync:1=EIO"}) {
    const std::shared_ptr<Store> inner = make_memory_store();
    prepare(*inner, "f");
    EXPECT_EQ(work(*make_faulty_store(inner, *FaultPlan::parse(rule)), "f").code(), Code::io) << rule;
  }
}

TEST(TracedObjects, AreCountedAsWritesAndReads) {
  observe::Counters counters;
  std::vector<std::string> seen;
  const auto store = make_traced_store(make_memory_store(), counters, [&seen](const Trace& trace) {
    seen.push_back(fmt::format("{} {} {}", name_of(trace.operation), trace.path, trace.bytes));
  });
  ASSERT_TRUE(store->make_folder("f").ok());
  ASSERT_TRUE(store->put("f", "a/b", bytes_of("hello"), {}).ok());
  std::vector<std::byte> bytes;
  ASSERT_TRUE(store->get("f", "a/b", bytes).ok());
  EXPECT_FALSE(store->get("f", "c", bytes).ok());
  ASSERT_TRUE(store->list("f").ok());
  ASSERT_TRUE(store->sync_folder("f").ok());
  ASSERT_TRUE(store->make_folder("g").ok());
  ASSERT_TRUE(store->exchange("f", "g").ok());
  ASSERT_TRUE(store->remove_object("g", "a/b").ok());
  ASSERT_TRUE(store->remove_folder("g").ok());
  EXPECT_EQ(seen,
            (std::vector<std::string>{"mkdir f 0", "write f/a/b 5", "read f/a/b 5", "list f 0", "sync f 0",
                                      "mkdir g 0", "rename f 0", "remove g/a/b 0", "remove g 0"}));
  EXPECT_EQ(counters.writes, 1u);
  EXPECT_EQ(counters.bytes_written, 5u);
  EXPECT_EQ(counters.reads, 1u);
  EXPECT_EQ(counters.bytes_read, 5u);
  EXPECT_EQ(counters.syncs, 1u);
  EXPECT_EQ(counters.opens, 0u);
}

}  // namespace
}  // namespace scorpio::storage::test
