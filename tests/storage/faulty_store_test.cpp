// Faults injected above a store.
#include "storage/faulty_store.h"

#include <gtest/gtest.h>

#include "storage/make_store.h"
#include "storage/memory_store.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

std::unique_ptr<Store> faulty(const std::shared_ptr<Store>& inner, const char* faults) {
  return make_faulty_store(inner, *FaultPlan::parse(faults));
}

TEST(FaultyStore, FailedCallsDoNothing) {
  const std::shared_ptr<Store> inner = make_memory_store();
  make_file(*inner, "a", "old");
  const auto store =
      faulty(inner, "write:1=ENOSPC;truncate:1=EIO;rename:1=EACCES;remove:1=EIO;sync:1=EIO;read:1=EIO");
  auto file = store->open("a", OpenMode::read_write);
  ASSERT_TRUE(file.ok());
  std::byte byte{};
  EXPECT_EQ((*file)->write_at(bytes_of("new"), 0).code(), Code::no_space);
  EXPECT_EQ((*file)->truncate(0).code(), Code::io);
  EXPECT_EQ((*file)->read_at({&byte, 1}, 0).status().code(), Code::io);
  EXPECT_EQ((*file)->sync().code(), Code::io);
  EXPECT_EQ(store->rename("a", "b").code(), Code::permission);
  EXPECT_EQ(store->remove("a").code(), Code::io);
  EXPECT_EQ(contents(*inner, "a"), "old");
  EXPECT_TRUE((*file)->write_at(bytes_of("new"), 0).ok());
  EXPECT_EQ(contents(*inner, "a"), "new");
}

TEST(FaultyStore, ShortWritesLeaveTheFirstHalf) {
  const std::shared_ptr<Store> inner = make_memory_store();
  const auto store = faulty(inner, "write:1=short");
  auto file = store->open("a", OpenMode::create_new);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->write_at(bytes_of("abcd"), 0).code(), Code::io);
  EXPECT_EQ(contents(*inner, "a"), "ab");
}

TEST(FaultyStore, AFailingCloseReleasesTheLock) {
  const std::shared_ptr<Store> inner = make_memory_store();
  const auto store = faulty(inner, "close:1=EIO");
  auto file = store->open("a", OpenMode::create_new);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->lock_exclusive().ok());
  EXPECT_EQ((*file)->close().code(), Code::io);
  EXPECT_TRUE((*inner->open("a", OpenMode::read_write))->lock_exclusive().ok());
}

TEST(FaultyStore, FilesOfOneStoreCountTogether) {
  const auto store = faulty(make_memory_store(), "write:2=EIO");
  auto a = store->open("a", OpenMode::create_new);
  auto b = store->open("b", OpenMode::create_new);
  EXPECT_TRUE((*a)->write_at(bytes_of("x"), 0).ok());
  EXPECT_FALSE((*b)->write_at(bytes_of("x"), 0).ok());
}

TEST(MakeStore, KindsFaultsAndCounters) {
  const TemporaryFolder folder;
  observe::Counters counters;
  EXPECT_EQ(make_store("tape", "", counters).status().code(), Code::argument);
  EXPECT_EQ(make_store("posix", "write:0=EIO", counters).status().code(), Code::argument);
  for (const char* kind : {"posix", "null"}) {
    counters = {};
    auto store = make_store(kind, "write:2=ENOSPC", counters);
    ASSERT_TRUE(store.ok()) << store.status().text();
    auto file = (*store)->open(folder / "file", OpenMode::create_new);
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE((*file)->write_at(bytes_of("abc"), 0).ok());
    EXPECT_EQ((*file)->write_at(bytes_of("abc"), 0).code(), Code::no_space);
    EXPECT_EQ(counters.opens, 1u) << kind;
    EXPECT_EQ(counters.writes, 1u) << kind;
    EXPECT_EQ(counters.bytes_written, 3u) << kind;
  }
}

}  // namespace
}  // namespace scorpio::storage::test
