// One open file that the data and the metadata of a rank use: who opened it closes it, once.
#include "storage/shared_file.h"

#include <gtest/gtest.h>

#include "storage/data_file.h"
#include "storage/faulty_store.h"
#include "storage/memory_store.h"
#include "storage/single_file.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

class SharedFileTest : public testing::Test {
 protected:
  std::unique_ptr<Container> created() {
    auto made = SingleFile::create(context_, "a", false);
    EXPECT_TRUE(made.ok()) << made.status().text();
    return std::move(made).value();
  }
  DataFile data_of(const std::string& path) { return {*store_, path, true, 4096, counters_}; }
  uint64_t closed() const { return plan_->calls(Operation::close); }

  const std::shared_ptr<FaultPlan> plan_ = FaultPlan::parse("").value();
  const std::shared_ptr<Store> store_ = make_faulty_store(make_memory_store(), plan_);
  observe::Counters counters_;
  observe::EventLog events_;
  const ContainerContext context_{*store_, counters_, events_};
};

TEST_F(SharedFileTest, AUseEndsWithoutTheFile) {
  const auto container = created();
  const auto use = share(*container);
  EXPECT_TRUE(use->write_at(bytes_of("abc"), 0).ok());
  EXPECT_TRUE(use->close().ok());
  EXPECT_EQ(Code::state, use->close().code());
  EXPECT_EQ(Code::state, use->write_at(bytes_of("abc"), 0).code());
  EXPECT_EQ(0u, closed());
  EXPECT_EQ("abc", read_text(*container->file(), 0, 3));
  EXPECT_TRUE(container->close().ok());
  EXPECT_EQ(1u, closed());
}

TEST_F(SharedFileTest, DataClosesWhatItHasOpened) {
  make_file(*store_, "a", "abc");
  const uint64_t before = closed();
  DataFile data = data_of("a");
  const auto use = data.share().value();
  EXPECT_EQ("abc", read_text(*use, 0, 3));
  EXPECT_TRUE(data.close().ok());
  EXPECT_EQ(1u, closed() - before) << "whoever uses it";
  EXPECT_EQ(Code::state, use->size().status().code());
  EXPECT_TRUE(use->close().ok());
  EXPECT_TRUE(data.close().ok()) << "nothing is open";
  EXPECT_EQ(1u, closed() - before);
}

// Once for what was written since the last time that it went well.
TEST_F(SharedFileTest, DataAreSyncedOnce) {
  const auto plan = FaultPlan::parse("sync:2=EIO").value();
  const auto store = make_faulty_store(make_memory_store(), plan);
  const ContainerContext context{*store, counters_, events_};
  const auto container = SingleFile::create(context, "a", false).value();
  DataFile data(*store, "a", true, 4096, counters_);
  EXPECT_TRUE(data.sync().ok());
  EXPECT_EQ(0u, plan->calls(Operation::sync)) << "nothing is open";
  data.adopt(*container);
  for (const uint64_t calls : {1u, 1u}) {
    EXPECT_TRUE(data.sync().ok());
    EXPECT_EQ(calls, plan->calls(Operation::sync)) << "others may have written before";
  }
  EXPECT_TRUE(data.write(0, bytes_of("abc")).ok());
  EXPECT_EQ(Code::io, data.sync().code());
  for (const uint64_t calls : {3u, 3u}) {
    EXPECT_TRUE(data.sync().ok());
    EXPECT_EQ(calls, plan->calls(Operation::sync));
  }
  EXPECT_TRUE(container->close().ok());
}

TEST_F(SharedFileTest, DataLeavesTheContainersFileToIt) {
  const auto container = created();
  DataFile data = data_of("a");
  data.adopt(*container);
  EXPECT_TRUE(data.write(0, bytes_of("abc")).ok());
  EXPECT_TRUE(data.close().ok());
  EXPECT_EQ(0u, closed());
  data.adopt(*container);
  EXPECT_TRUE(container->give_name(false).ok());
  const uint64_t before = closed();
  EXPECT_TRUE(container->close().ok());
  EXPECT_EQ(1u, closed() - before) << "also while data uses it";
  EXPECT_TRUE(data.close().ok());
  EXPECT_EQ(1u, closed() - before);
  // What it opens itself then is its own again.
  std::vector<std::byte> back(3);
  EXPECT_TRUE(data.read(0, back).ok());
  EXPECT_TRUE(data.close().ok());
  EXPECT_EQ(2u, closed() - before);
  EXPECT_EQ("abc", contents(*store_, "a"));
}

TEST_F(SharedFileTest, ACopyThatTakesItsPlaceClosesIt) {
  const auto container = created();
  EXPECT_TRUE(container->give_name(false).ok());
  DataFile data = data_of("a");
  data.adopt(*container);
  Container* const copy = container->begin_copy(0).value();
  EXPECT_TRUE(share(*copy)->write_at(bytes_of("new"), 0).ok());
  EXPECT_TRUE(container->finish_copy(false).ok());
  EXPECT_EQ(Code::state, data.write(0, bytes_of("old")).code());
  EXPECT_TRUE(data.close().ok());
  EXPECT_EQ("new", read_text(*container->file(), 0, 3));
  const uint64_t before = closed();
  EXPECT_TRUE(container->close().ok());
  EXPECT_EQ(1u, closed() - before);
}

}  // namespace
}  // namespace scorpio::storage::test
