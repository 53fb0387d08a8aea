// Counting and observing what is done to a store.
#include "storage/traced_store.h"

#include <gtest/gtest.h>

#include <vector>

#include "storage/memory_store.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

TEST(TracedStore, CountsWhatSucceeds) {
  observe::Counters counters;
  const auto store = make_traced_store(make_memory_store(), counters);
  EXPECT_FALSE(store->open("absent", OpenMode::read).ok());
  auto file = store->open("a", OpenMode::create_new);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->write_at(bytes_of("hello"), 0).ok());
  ASSERT_TRUE((*file)->write_at(bytes_of("!"), 5).ok());
  EXPECT_EQ(read_text(**file, 4, 10), "o!");
  ASSERT_TRUE((*file)->sync().ok());
  ASSERT_TRUE(store->sync_directory_of("a").ok());
  ASSERT_TRUE((*file)->close().ok());
  EXPECT_FALSE((*file)->close().ok());
  EXPECT_EQ(counters.opens, 1u);
  EXPECT_EQ(counters.closes, 1u);
  EXPECT_EQ(counters.writes, 2u);
  EXPECT_EQ(counters.bytes_written, 6u);
  EXPECT_EQ(counters.reads, 1u);
  EXPECT_EQ(counters.bytes_read, 2u);
  EXPECT_EQ(counters.syncs, 2u);
}

TEST(TracedStore, TellsTheObserver) {
  observe::Counters counters;
  std::vector<std::string> seen;
  const auto store = make_traced_store(make_memory_store(), counters, [&seen](const Trace& trace) {
    seen.push_back(
        fmt::format("{} {} {} {}", name_of(trace.operation), trace.path, trace.offset, trace.bytes));
  });
  auto file = store->open("a", OpenMode::create_new);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->lock_exclusive().ok());
  ASSERT_TRUE((*file)->write_at(bytes_of("hello"), 7).ok());
  ASSERT_TRUE((*file)->truncate(3).ok());
  ASSERT_TRUE((*file)->close().ok());
  ASSERT_TRUE(store->rename("a", "b").ok());
  ASSERT_TRUE(store->remove("b").ok());
  EXPECT_EQ(seen, (std::vector<std::string>{"open a 0 0", "lock a 0 0", "write a 7 5", "truncate a 0 3",
                                            "close a 0 0", "rename a 0 0", "remove b 0 0"}));
}

}  // namespace
}  // namespace scorpio::storage::test
