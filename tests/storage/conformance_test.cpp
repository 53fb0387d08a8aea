// What every store must do with files. The null store is excused from remembering bytes.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <thread>
#include <tuple>
#include <vector>

#include "storage/store.h"
#include "store_kinds.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

class Conformance : public testing::TestWithParam<Kind> {
 protected:
  std::unique_ptr<StoredFile> open(OpenMode mode, const std::string& name = "file") {
    auto file = store_->open(folder_ / name, mode);
    EXPECT_TRUE(file.ok()) << file.status().text();
    return file.ok() ? std::move(file).value() : nullptr;
  }
  Code open_code(OpenMode mode, const std::string& name = "file") {
    return store_->open(folder_ / name, mode).status().code();
  }
  bool exists(const std::string& name) {
    const auto answer = store_->exists(folder_ / name);
    EXPECT_TRUE(answer.ok());
    return answer.ok() && *answer;
  }
  // What a store that remembers reads back.
  std::string expected(const std::string& text) const {
    return GetParam().remembers ? text : std::string(text.size(), '\0');
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_ = GetParam().make();
};

TEST_P(Conformance, OpenModes) {
  EXPECT_EQ(open_code(OpenMode::read), Code::not_found);
  EXPECT_EQ(open_code(OpenMode::read_write), Code::not_found);
  EXPECT_FALSE(exists("file"));
  EXPECT_EQ(open_code(OpenMode::create_new), Code::ok);
  EXPECT_TRUE(exists("file"));
  EXPECT_EQ(open_code(OpenMode::create_new), Code::exists);
  EXPECT_EQ(open_code(OpenMode::read_write), Code::ok);
  EXPECT_EQ(open_code(OpenMode::read), Code::ok);
}

// A store that remembers nothing is not shared: there, no process finds a file of another one.
TEST_P(Conformance, AFileMadeElsewhereIsThere) {
  const Code absent = open_code(OpenMode::made_elsewhere);
  EXPECT_EQ(GetParam().remembers ? Code::not_found : Code::ok, absent);
  EXPECT_EQ(!GetParam().remembers, exists("file"));
  ASSERT_TRUE(open(OpenMode::create_truncate)->write_at(bytes_of("abc"), 0).ok());
  const auto file = open(OpenMode::made_elsewhere);
  EXPECT_EQ(*file->size(), 3u);
  EXPECT_TRUE(file->write_at(bytes_of("d"), 3).ok());
}

TEST_P(Conformance, CreateTruncateMakesOrEmpties) {
  ASSERT_TRUE(open(OpenMode::create_truncate)->write_at(bytes_of("abc"), 0).ok());
  EXPECT_EQ(*open(OpenMode::read)->size(), 3u);
  EXPECT_EQ(*open(OpenMode::create_truncate)->size(), 0u);
}

TEST_P(Conformance, ReadsWhatWasWrittenAndStopsAtTheEnd) {
  const auto file = open(OpenMode::create_new);
  ASSERT_TRUE(file->write_at(bytes_of("hello world"), 0).ok());
  ASSERT_TRUE(file->write_at(bytes_of("W"), 6).ok());
  EXPECT_EQ(read_text(*file, 0, 100), expected("hello World"));
  EXPECT_EQ(read_text(*file, 9, 100), expected("ld"));
  EXPECT_EQ(read_text(*file, 11, 1), "");
  EXPECT_EQ(read_text(*file, 1000, 1), "");
  EXPECT_EQ(*file->size(), 11u);
}

TEST_P(Conformance, EmptyTransfersDoNothing) {
  const auto file = open(OpenMode::create_new);
  EXPECT_TRUE(file->write_at({}, 100).ok());
  EXPECT_EQ(*file->size(), 0u);
  EXPECT_EQ(read_text(*file, 0, 0), "");
}

TEST_P(Conformance, HolesReadAsZerosAndFarOffsetsWork) {
  const auto file = open(OpenMode::create_new);
  const uint64_t far = (uint64_t{1} << 32) + 65'535;
  ASSERT_TRUE(file->write_at(bytes_of("xy"), far).ok());
  EXPECT_EQ(*file->size(), far + 2);
  EXPECT_EQ(read_text(*file, far - 3, 5), std::string(3, '\0') + expected("xy"));
  EXPECT_EQ(read_text(*file, 70'000, 4), std::string(4, '\0'));
}

// What was written is found, with no more around it than a store may have to take for data.
TEST_P(Conformance, NextDataSkipsHolesAndNothingElse) {
  const auto file = open(OpenMode::create_new);
  const uint64_t far = uint64_t{1} << 40, near = 300'000;
  ASSERT_TRUE(file->write_at(bytes_of("near"), near).ok());
  ASSERT_TRUE(file->write_at(bytes_of("far"), far).ok());
  ASSERT_TRUE(file->truncate(2 * far).ok());
  for (const auto& [from, at, length] : {std::tuple{uint64_t{0}, near, 4u},
                                         {near, near, 4u},
                                         {near + 2, near + 2, 2u},
                                         {uint64_t{1} << 30, far, 3u},
                                         {far + 2, far + 2, 1u}}) {
    const auto found = file->next_data(from);
    ASSERT_TRUE(found.ok()) << found.status().text();
    EXPECT_LE(from, found->begin);
    EXPECT_LE(found->begin, at);
    EXPECT_GE(found->end, at + length);
  }
  for (const uint64_t behind : {2 * far, 2 * far + 1}) EXPECT_TRUE(file->next_data(behind)->empty());
  EXPECT_GE(*file->allocated_bytes(), 7u);
  if (!GetParam().remembers) return;
  EXPECT_LT(*file->allocated_bytes(), uint64_t{1} << 30);
  EXPECT_TRUE(file->next_data(far + (1 << 20))->empty());
  EXPECT_GT(file->next_data(uint64_t{1} << 30)->begin, uint64_t{1} << 30);
}

TEST_P(Conformance, TruncateCutsAndExtendsWithZeros) {
  const auto file = open(OpenMode::create_new);
  const std::string text(200'000, 'a');
  ASSERT_TRUE(file->write_at(bytes_of(text), 0).ok());
  ASSERT_TRUE(file->truncate(70'001).ok());
  EXPECT_EQ(*file->size(), 70'001u);
  ASSERT_TRUE(file->truncate(150'000).ok());
  EXPECT_EQ(*file->size(), 150'000u);
  EXPECT_EQ(read_text(*file, 70'000, 3), expected("a") + std::string(2, '\0'));
  EXPECT_EQ(read_text(*file, 140'000, 2), std::string(2, '\0'));
}

TEST_P(Conformance, SeveralOpenFilesSeeOneContent) {
  const auto one = open(OpenMode::create_new);
  const auto two = open(OpenMode::read_write);
  ASSERT_TRUE(one->write_at(bytes_of("ab"), 0).ok());
  ASSERT_TRUE(two->write_at(bytes_of("cd"), 2).ok());
  EXPECT_EQ(read_text(*one, 0, 4), expected("abcd"));
  EXPECT_EQ(read_text(*two, 0, 4), expected("abcd"));
}

TEST_P(Conformance, SeveralThreadsWriteThroughTheirOwnFiles) {
  open(OpenMode::create_new);
  constexpr size_t k_bytes = 100'000;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      const auto file = open(OpenMode::read_write);
      const std::string text(k_bytes, static_cast<char>('a' + t));
      EXPECT_TRUE(file->write_at(bytes_of(text), t * k_bytes).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto file = open(OpenMode::read);
  EXPECT_EQ(*file->size(), 4 * k_bytes);
  for (size_t t = 0; t < 4; ++t) {
    EXPECT_EQ(read_text(*file, t * k_bytes, k_bytes),
              expected(std::string(k_bytes, static_cast<char>('a' + t))));
  }
}

TEST_P(Conformance, AFileOpenedForReadingCannotBeChanged) {
  open(OpenMode::create_new);
  const auto file = open(OpenMode::read);
  EXPECT_EQ(file->write_at(bytes_of("x"), 0).code(), Code::read_only);
  EXPECT_EQ(file->truncate(3).code(), Code::read_only);
  EXPECT_EQ(file->lock_exclusive().code(), Code::read_only);
  EXPECT_EQ(*file->size(), 0u);
}

TEST_P(Conformance, NothingWorksAfterClose) {
  const auto file = open(OpenMode::create_new);
  ASSERT_TRUE(file->close().ok());
  std::byte byte{};
  EXPECT_EQ(file->write_at({&byte, 1}, 0).code(), Code::state);
  EXPECT_EQ(file->read_at({&byte, 1}, 0).status().code(), Code::state);
  EXPECT_EQ(file->size().status().code(), Code::state);
  EXPECT_EQ(file->truncate(0).code(), Code::state);
  EXPECT_EQ(file->sync().code(), Code::state);
  EXPECT_EQ(file->lock_exclusive().code(), Code::state);
  EXPECT_EQ(file->is_at(folder_ / "file").status().code(), Code::state);
  EXPECT_EQ(file->close().code(), Code::state);
}

TEST_P(Conformance, OffsetsBeyondTheLargestFileAreALimit) {
  const auto file = open(OpenMode::create_new);
  std::byte byte{};
  for (const uint64_t offset :
       {uint64_t{std::numeric_limits<int64_t>::max()}, std::numeric_limits<uint64_t>::max()}) {
    EXPECT_EQ(file->write_at({&byte, 1}, offset).code(), Code::limit);
    EXPECT_EQ(file->read_at({&byte, 1}, offset).status().code(), Code::limit);
  }
  EXPECT_EQ(file->truncate(uint64_t{1} << 63).code(), Code::limit);
}

TEST_P(Conformance, SyncSucceeds) {
  const auto file = open(OpenMode::create_new);
  EXPECT_TRUE(file->sync().ok());
  EXPECT_TRUE(store_->sync_directory_of(folder_ / "file").ok());
}

TEST_P(Conformance, RenameReplacesAndOpenFilesFollow) {
  const auto file = open(OpenMode::create_new, "new");
  ASSERT_TRUE(file->write_at(bytes_of("new"), 0).ok());
  ASSERT_TRUE(open(OpenMode::create_new, "old")->write_at(bytes_of("older"), 0).ok());
  ASSERT_TRUE(store_->rename(folder_ / "new", folder_ / "old").ok());
  EXPECT_FALSE(exists("new"));
  EXPECT_EQ(contents(*store_, folder_ / "old"), expected("new"));
  ASSERT_TRUE(file->write_at(bytes_of("!"), 3).ok());
  EXPECT_EQ(contents(*store_, folder_ / "old"), expected("new!"));
  EXPECT_EQ(store_->rename(folder_ / "new", folder_ / "old").code(), Code::not_found);
}

TEST_P(Conformance, RemoveTakesTheNameAwayAndLeavesOpenFilesUsable) {
  const auto file = open(OpenMode::create_new);
  ASSERT_TRUE(store_->remove(folder_ / "file").ok());
  EXPECT_FALSE(exists("file"));
  EXPECT_EQ(store_->remove(folder_ / "file").code(), Code::not_found);
  EXPECT_TRUE(file->write_at(bytes_of("x"), 0).ok());
  EXPECT_EQ(*file->size(), 1u);
  EXPECT_EQ(*open(OpenMode::create_new)->size(), 0u);
}

TEST_P(Conformance, IsAtTellsWhetherTheNameIsStillThisFile) {
  const auto file = open(OpenMode::create_new, "a");
  EXPECT_TRUE(*file->is_at(folder_ / "a"));
  EXPECT_FALSE(*file->is_at(folder_ / "b"));
  ASSERT_TRUE(store_->rename(folder_ / "a", folder_ / "b").ok());
  EXPECT_FALSE(*file->is_at(folder_ / "a"));
  EXPECT_TRUE(*file->is_at(folder_ / "b"));
  const auto other = open(OpenMode::create_new, "a");
  EXPECT_FALSE(*file->is_at(folder_ / "a"));
  EXPECT_TRUE(*other->is_at(folder_ / "a"));
}

TEST_P(Conformance, LockIsExclusiveUntilClose) {
  const auto one = open(OpenMode::create_new);
  const auto two = open(OpenMode::read_write);
  EXPECT_TRUE(one->lock_exclusive().ok());
  EXPECT_TRUE(one->lock_exclusive().ok());
  const Status refused = two->lock_exclusive();
  EXPECT_EQ(refused.code(), Code::busy);
  EXPECT_TRUE(mentions(refused, folder_ / "file"));
  ASSERT_TRUE(one->close().ok());
  EXPECT_TRUE(two->lock_exclusive().ok());
}

TEST_P(Conformance, LocksOfOthersAreSeenWithoutTakingOne) {
  const auto one = open(OpenMode::create_new);
  const auto two = open(OpenMode::read);
  EXPECT_FALSE(*two->is_locked_by_other());
  ASSERT_TRUE(one->lock_exclusive().ok());
  EXPECT_TRUE(*two->is_locked_by_other());
  EXPECT_FALSE(*one->is_locked_by_other());
  ASSERT_TRUE(one->close().ok());
  EXPECT_FALSE(*two->is_locked_by_other());
  EXPECT_TRUE(open(OpenMode::read_write)->lock_exclusive().ok());
  ASSERT_TRUE(two->close().ok());
  EXPECT_EQ(two->is_locked_by_other().status().code(), Code::state);
}

TEST_P(Conformance, ACheckOfTheCloseLeavesFileAndLock) {
  const auto one = open(OpenMode::create_new);
  const auto two = open(OpenMode::read_write);
  ASSERT_TRUE(one->lock_exclusive().ok());
  EXPECT_TRUE(one->check_close().ok());
  EXPECT_EQ(two->lock_exclusive().code(), Code::busy);
  EXPECT_TRUE(one->write_at(bytes_of("x"), 0).ok());
  ASSERT_TRUE(one->close().ok());
  EXPECT_EQ(one->check_close().code(), Code::state);
}

TEST_P(Conformance, LockEndsWithTheFileWithoutClose) {
  EXPECT_TRUE(open(OpenMode::create_new)->lock_exclusive().ok());
  EXPECT_TRUE(open(OpenMode::read_write)->lock_exclusive().ok());
}

TEST_P(Conformance, FactsNameTheKind) {
  const auto facts = open(OpenMode::create_new)->facts();
  ASSERT_TRUE(facts.ok()) << facts.status().text();
}

TEST_P(Conformance, AgreesWithAStringUnderRandomUse) {
  if (!GetParam().remembers) GTEST_SKIP() << "nothing to compare";
  EXPECT_TRUE(rc::check([this] {
    const auto file = open(OpenMode::create_truncate, "random");
    std::string model;
    const int steps = *rc::gen::inRange(0, 30);
    for (int i = 0; i < steps; ++i) {
      const auto at = static_cast<size_t>(*rc::gen::inRange(0, 140'000));
      const auto length = static_cast<size_t>(*rc::gen::inRange(0, 70'000));
      if (*rc::gen::inRange(0, 4) == 0) {
        RC_ASSERT(file->truncate(at).ok());
        model.resize(at, '\0');
        continue;
      }
      const std::string text(length, static_cast<char>('a' + i % 26));
      RC_ASSERT(file->write_at(bytes_of(text), at).ok());
      if (length != 0 && model.size() < at + length) model.resize(at + length, '\0');
      if (length != 0) model.replace(at, length, text);
    }
    RC_ASSERT(*file->size() == model.size());
    RC_ASSERT(read_text(*file, 0, model.size() + 10) == model);
  }));
}

INSTANTIATE_TEST_SUITE_P(Stores, Conformance, testing::ValuesIn(store_kinds()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace scorpio::storage::test
