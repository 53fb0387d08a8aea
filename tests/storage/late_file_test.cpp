// Changes of a file that are kept and made later.
#include "storage/late_file.h"

#include <gtest/gtest.h>

#include "storage/faulty_store.h"
#include "storage/memory_store.h"
#include "storage/shared_file.h"
#include "storage/single_file.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

class LateFileTest : public testing::Test {
 protected:
  const std::shared_ptr<FaultPlan> plan_ = FaultPlan::parse("write:4=ENOSPC").value();
  const std::shared_ptr<Store> store_ = make_faulty_store(make_memory_store(), plan_);
  const std::shared_ptr<StoredFile> file_ = store_->open("a", OpenMode::create_new).value();
  LateFile late_{file_};
};

TEST_F(LateFileTest, PassesEverythingOnUntilChangesAreKept) {
  EXPECT_TRUE(late_.write_at(bytes_of("abcd"), 0).ok());
  EXPECT_TRUE(late_.truncate(3).ok());
  EXPECT_TRUE(late_.sync().ok());
  EXPECT_EQ("abc", read_text(*file_, 0, 3));
  EXPECT_EQ(3u, late_.size().value());
  EXPECT_EQ("abc", read_text(late_, 0, 3));
  EXPECT_EQ(1u, plan_->calls(Operation::sync));
}

TEST_F(LateFileTest, ShowsWhatItKeepsAndMakesItLater) {
  late_.keep();
  EXPECT_TRUE(late_.truncate(8).ok());
  EXPECT_TRUE(late_.write_at(bytes_of("abcd"), 2).ok());
  EXPECT_TRUE(late_.write_at(bytes_of("XY"), 3).ok());
  EXPECT_TRUE(late_.sync().ok());
  EXPECT_EQ(8u, late_.size().value());
  EXPECT_EQ(std::string("\0\0aXYd\0\0", 8), read_text(late_, 0, 8));
  EXPECT_EQ("Yd", read_text(late_, 4, 2));
  std::vector<std::byte> beyond(4);
  EXPECT_EQ(1u, late_.read_at(beyond, 7).value());
  EXPECT_EQ(0u, late_.read_at(beyond, 9).value());
  EXPECT_EQ(0u, file_->size().value()) << "nothing is made yet";
  EXPECT_EQ(0u, plan_->calls(Operation::write) + plan_->calls(Operation::sync));
  EXPECT_TRUE(late_.make().ok());
  EXPECT_EQ(std::string("\0\0aXYd\0\0", 8), read_text(*file_, 0, 8));
  EXPECT_EQ(1u, plan_->calls(Operation::sync));
  EXPECT_TRUE(late_.make().ok());
  EXPECT_EQ(2u, plan_->calls(Operation::write)) << "once";
}

// Others write the data of the file meanwhile.
TEST_F(LateFileTest, WhatGrewMeanwhileIsNotCutOff) {
  late_.keep();
  EXPECT_TRUE(late_.truncate(4).ok());
  EXPECT_TRUE(late_.write_at(bytes_of("XY"), 7).ok());
  EXPECT_TRUE(file_->write_at(bytes_of("abcdef"), 0).ok());
  EXPECT_EQ(9u, late_.size().value());
  EXPECT_EQ(std::string("abcdef\0XY", 9), read_text(late_, 0, 9));
  EXPECT_EQ(6u, file_->size().value());
  EXPECT_TRUE(late_.make().ok());
  EXPECT_EQ(std::string("abcdef\0XY", 9), read_text(*file_, 0, 9));
}

TEST_F(LateFileTest, TheFirstFailureEndsIt) {
  late_.keep();
  for (uint64_t i = 0; i < 5; ++i) EXPECT_TRUE(late_.write_at(bytes_of("a"), i).ok());
  EXPECT_EQ(Code::no_space, late_.make().code());
  EXPECT_EQ(4u, plan_->calls(Operation::write));
}

// Of a new file, until it is exchanged for its copy; not of one that is there.
TEST_F(LateFileTest, NewFilesHaveOne) {
  observe::Counters counters;
  observe::EventLog events;
  const ContainerContext context{*store_, counters, events};
  const auto made = SingleFile::create(context, "b", false).value();
  ASSERT_NE(nullptr, made->late());
  made->late()->keep();
  const auto use = share(*made);
  EXPECT_TRUE(use->write_at(bytes_of("abc"), 0).ok());
  EXPECT_EQ(0u, made->file()->size().value());
  EXPECT_TRUE(made->late()->make().ok());
  EXPECT_EQ("abc", read_text(*made->file(), 0, 3));
  EXPECT_TRUE(made->give_name(false).ok());
  EXPECT_TRUE(made->close().ok());
  const auto found = SingleFile::open(context, "b", true, false).value();
  EXPECT_EQ(nullptr, found->late());
  EXPECT_TRUE(found->close().ok());
}

}  // namespace
}  // namespace scorpio::storage::test
